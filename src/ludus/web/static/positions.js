// Positions from the server, each asked for once.
import { post } from "./api.js";
import { where } from "./address.js";

const known = new Map();
const MOST = 1500;

export const keyOf = (address) => JSON.stringify(where(address));

export function position(address) {
  const key = keyOf(address);
  if (!known.has(key)) {
    if (known.size > MOST) known.delete(known.keys().next().value);
    const asked = post("/api/position", where(address));
    asked.catch(() => known.delete(key));
    known.set(key, asked);
  }
  return known.get(key);
}

/** A move of dice, drawn by its probability. */
export function draw(moves, random = Math.random()) {
  let left = random * moves.reduce((sum, move) => sum + (move.probability ?? 1), 0);
  for (const move of moves) {
    left -= move.probability ?? 1;
    if (left < 0) return move;
  }
  return moves[moves.length - 1];
}

// Words about players, values and ends of games, made in one place.
import { number, shortSpec } from "./format.js";

export const PERSON = "person";
export const SIDES = ["First", "Second"];
export const side = (turn) => (turn === 0 || turn === 1 ? SIDES[turn] : "Chance");
export const toSide = (turn) => (turn === 0 ? "to the first player" : turn === 1 ? "to the second player" : "to the player to move");

const SCALES = { evaluator: "in its evaluator's units", result: "as a result, from −1 (lost) to 1 (won)", score: "in points of the game" };
export const scaleWords = (scale) => SCALES[scale] || "in its own units";

/** The title of a value: whose it is, to whom, in which unit; the budget stands in the player's spec. */
export const whose = (what, { player, turn, scale }) => `${what}, said by ${player}, ${toSide(turn)}, ${scaleWords(scale)}`;

/** The same value as the first player sees it. */
export const toFirst = (value, turn) => (value === null || value === undefined ? null : turn === 1 ? -value : value);

/** How far the bar of who is ahead goes to the first player, from 0 to 1. */
export function share(value, scale) {
  if (value === null || value === undefined) return 0.5;
  if (scale === "result") return Math.min(1, Math.max(0, (1 + value) / 2));
  return 0.5 + 0.5 * value / (Math.abs(value) + 10);
}

/** How a game has ended, in words. */
export function ending(position) {
  const [first, second] = position.scores || [];
  const why = position.ended === "repetition" ? " by repetition" : "";
  if (position.winner === null || position.winner === undefined) return `A draw${why}.`;
  const by = position.winner === 0 ? first : second;
  return `${side(position.winner)} wins${typeof by === "number" && Math.abs(by) !== 1 ? ` by ${number(Math.abs(by))}` : ""}.`;
}

export const playerName = (player) => (player === PERSON ? "You" : shortSpec(player));

/** Names of the numbers that searches keep of a move, with what they mean. */
export const FACTS = {
  visits: "how often the search went down this move",
  playouts: "random games played after this move",
  swing: "by how much one leaf's value must change to change the decision",
  proof: "leaves still needed to prove a win",
  disproof: "leaves still needed to disprove it",
  depth: "how many plies deep the value was searched",
  gain: "what the search expects to gain by going on here",
  mean: "the mean of the results below this move",
  conspirators: "leaves that would have to change together",
  nodes: "nodes of the tree below this move",
  searches: "how often it was searched",
};
export const factTitle = (name) => FACTS[name] || `the search's own number “${name}”`;

const KNOWN = new Set(["move", "value", "low", "high", "proven", "score", "said", "share", "node", "nodes", "children", "cut", "exact"]);

/** The search's own numbers of a child: those that are beside what every search knows. */
export const ownFacts = (child) => Object.entries(child).filter(([name, value]) => !KNOWN.has(name) && (typeof value === "number" || value === null));

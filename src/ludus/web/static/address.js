// The address holds the room, the game and the position, so that a link can be sent and the back button works.

export const ROOMS = ["play", "think", "why", "review", "rank"];

/** What the address says; `more` holds what belongs to one room: players, budget and so on. */
export function read(url = location) {
  const query = new URLSearchParams(url.search);
  const room = url.pathname.replaceAll("/", "");
  const address = { room: ROOMS.includes(room) ? room : "play", game: query.get("game"), state: query.get("state") ?? query.get("position"), moves: split(query.get("moves")), more: {} };
  for (const [key, value] of query) if (!["game", "state", "position", "moves"].includes(key)) address.more[key] = value;
  return address;
}

/** Names of moves are parted by spaces; if one has a space in it, they are a list in JSON. */
function split(text) {
  if (!text || !text.trim()) return [];
  if (text.startsWith("[")) {
    try { return JSON.parse(text).map(String); } catch { /* a name that begins with a bracket */ }
  }
  return text.trim().split(/\s+/);
}

const join = (moves) => (moves.some((name) => /\s/.test(name) || name === "") || (moves[0] || "").startsWith("[") ? JSON.stringify(moves) : moves.join(" "));

export function write({ room, game, state, moves = [], more = {} }) {
  const query = new URLSearchParams();
  if (game) query.set("game", game);
  if (state) query.set("state", state);
  if (moves.length) query.set("moves", join(moves));
  for (const [key, value] of Object.entries(more)) if (value !== null && value !== undefined && value !== "") query.set(key, value);
  // Brackets, commas and the like may stand in a query as they are; so an address can be read.
  const text = query.toString().replace(/%(28|29|2C|3D|3A|2F|3B)/g, (found) => (found === "%3D" ? found : decodeURIComponent(found)));
  return `/${room}${text ? `?${text}` : ""}`;
}

/** The part of an address that says which position: what /api/position and /api/thoughts want. */
export const where = ({ game, state, moves }) => ({ game, ...(state ? { state } : {}), moves: moves || [] });

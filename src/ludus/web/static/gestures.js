// Clicks to moves: the cells clicked so far narrow the legal moves down.

const startsWith = (gesture, clicked) => clicked.every((cell, i) => gesture[i] === cell);

/** What the clicks so far mean: the moves still possible, those that are complete, and the cells that may come next. */
export function read(moves, clicked) {
  const left = moves.filter((move) => move.gesture && move.gesture.length && startsWith(move.gesture, clicked));
  const complete = clicked.length ? left.filter((move) => move.gesture.length === clicked.length) : [];
  const next = new Set(left.filter((move) => move.gesture.length > clicked.length).map((move) => move.gesture[clicked.length]));
  return { left, complete, next };
}

/**
 * The clicks after one more on `cell`: a cell that may come next goes on; one already clicked takes the clicks from it
 * on back; one that begins another move begins anew; anything else is no click at all.
 */
export function click(moves, clicked, cell) {
  if (read(moves, clicked).next.has(cell)) return [...clicked, cell];
  const place = clicked.indexOf(cell);
  if (place >= 0) return clicked.slice(0, place);
  if (read(moves, []).next.has(cell)) return [cell];
  return clicked;
}

/** The cells that a click would do something on. */
export function clickable(moves, clicked) {
  const cells = new Set(read(moves, clicked).next);
  if (clicked.length) {
    for (const cell of clicked) cells.add(cell);
    for (const cell of read(moves, []).next) cells.add(cell);
  }
  return cells;
}

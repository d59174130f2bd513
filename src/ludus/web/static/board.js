// A board for any game: an SVG of cells, which can be clicked, walked over with the arrow keys, and read aloud.
import { h, put, s } from "./dom.js";
import * as gestures from "./gestures.js";
import { drawPiece, isChess, pieceName } from "./pieces.js";

const UNIT = 100;

/**
 * Shows positions in `box`. `onmove(name)` is called when clicks make a move; `look` may be null.
 *
 * show({position, ply, last, live, marks, arrows}): `position` has `board`, `text`, `svg` and `moves`; `last` and
 * `selected` are lists of cells; `marks` maps cells to {text, title, tone}; `live` says whether clicks make moves.
 */
export class Board {
  constructor(box, { onmove = () => {}, small = false } = {}) {
    this.box = box;
    this.onmove = onmove;
    this.small = small;
    this.clicked = [];
    this.shown = null;
    this.focus = null;
  }

  show(shown) {
    const same = this.shown && this.shown.position === shown.position && this.shown.live === shown.live;
    if (!same) this.clicked = [];
    this.before = this.shown ? occupied(this.shown.position) : null;
    this.shown = shown;
    this.draw(!same);
  }

  draw(fresh = false) {
    const { position, ply = 0, live = false } = this.shown;
    const moves = live ? position.moves || [] : [];
    const hadFocus = this.box.contains(document.activeElement) && document.activeElement.dataset.name;
    const board = position.board;
    const wrap = h("div", { class: "board", "data-ply": ply });
    if (board && board.cells && board.cells.length) {
      this.state = gestures.read(moves, this.clicked);
      this.can = gestures.clickable(moves, this.clicked);
      wrap.append(this.svg(board, fresh));
      if (this.state.complete.length) wrap.append(this.menu(this.state.complete));
    } else if (position.picture) {
      wrap.append(h("img", { class: "board-image", alt: position.text || "the position", src: svgUrl(position.picture) }));
    } else {
      wrap.append(h("pre", { class: "board-text", tabindex: 0, "aria-label": "the position" }, position.text || position.state || ""));
    }
    put(this.box, wrap);
    if (hadFocus) this.focusOn(hadFocus);
  }

  svg(board, fresh) {
    const cells = board.cells;
    this.grid = cells;
    this.chess = isChess(cells.map((cell) => cell.piece).filter(Boolean));
    const labels = this.small ? [] : board.labels || [];
    const box = extent(board, labels);
    const root = s("svg", {
      viewBox: [box.left, box.top, box.right - box.left, box.bottom - box.top].map((n) => (n * UNIT).toFixed(0)).join(" "),
      class: `board-svg ${board.color ? "coloured" : "plain"}`,
      role: this.small ? "img" : "group",
      "aria-label": this.small ? null : "board",
      "aria-hidden": this.small ? "true" : null,
    });
    if (board.color && /^#[0-9a-f]{3,8}$/i.test(board.color)) root.style.setProperty("--board", board.color);
    root.style.setProperty("--extent", String(Math.round((box.right - box.left) * UNIT)));
    if (!this.small) root.addEventListener("keydown", (event) => this.key(event));
    const under = s("g", { class: "cells" }), over = s("g", { class: "over" });
    ground(under, board);
    const first = this.tabStop(cells);
    for (const cell of cells) {
      under.append(this.cell(cell, cell.name === first));
      this.stand(over, cell, fresh);
    }
    for (const label of labels) over.append(s("text", { x: label.x * UNIT, y: label.y * UNIT + 10, class: "coordinate" }, label.text));
    for (const arrow of this.shown.arrows || []) this.arrow(over, arrow);
    root.append(under, over);
    return root;
  }

  cell(cell, isTabStop) {
    const [x, y] = centre(cell);
    const { last = [], marks = {} } = this.shown;
    const can = this.can.has(cell.name);
    const kinds = ["cell", `cell-${cell.shape || "square"}`];
    if (cell.dark) kinds.push("dark");
    if (last.includes(cell.name)) kinds.push("last");
    if (this.clicked.includes(cell.name)) kinds.push("selected");
    if (can) kinds.push("can");
    const mark = marks[cell.name];
    const label = [cell.name, this.says(cell), can ? "can be played" : null, last.includes(cell.name) ? "last move" : null, mark ? `${mark.text}` : null];
    return s("g", {
      class: kinds.join(" "),
      transform: `translate(${x} ${y})`,
      "data-name": cell.name,
      "data-cell": can ? cell.name : null,
      role: this.small ? null : can ? "button" : "img",
      tabindex: this.small ? null : isTabStop ? 0 : -1,
      "aria-label": this.small ? null : label.filter(Boolean).join(", "),
      onclick: this.small ? null : () => this.click(cell.name),
    }, shape(cell), mark && mark.title ? s("title", {}, mark.title) : null);
  }

  says(cell) {
    return cell.say || (cell.piece ? pieceName(cell.piece, this.chess) : cell.text || "empty");
  }

  /** The piece, the number or the letter, and the marks, which all let clicks through to the cell. */
  stand(over, cell, fresh) {
    const [x, y] = centre(cell);
    const group = s("g", { class: "stand", transform: `translate(${x} ${y})` });
    const pit = cell.shape === "pit" || cell.shape === "store";
    if (cell.piece || cell.text) {
      const isNew = fresh && this.before && this.before.get(cell.name) !== standing(cell);
      group.append(s("g", { class: isNew ? "piece new" : "piece" }, drawPiece(cell)));
      if (pit && cell.text) group.append(s("text", { class: "count", y: cell.shape === "store" ? 76 : 30 }, cell.text));
      if (this.can.has(cell.name) && !pit) group.append(s("circle", { r: 46, class: this.clicked.includes(cell.name) ? "ring chosen" : "ring can" }));
    } else if (this.can.has(cell.name)) {
      group.append(s("circle", { r: 11, class: cell.shape === "disc" ? "dot in-hole" : "dot" }));
    }
    const mark = (this.shown.marks || {})[cell.name];
    if (mark) {
      const width = 20 + 17 * mark.text.length;
      group.append(s("g", { class: `badge tone-${mark.tone ?? 0}`, transform: cell.piece ? null : "translate(0 0)" },
        s("rect", { x: -width / 2, y: -19, width, height: 38, rx: 19 }), s("text", { y: 10 }, mark.text)));
    }
    if (group.childNodes.length) over.append(group);
  }

  /** An arrow through cells, or a ring around the only one: a hint. */
  arrow(over, { cells, tone = "hint" }) {
    const places = cells.map((name) => this.grid.find((cell) => cell.name === name)).filter(Boolean).map(centre);
    if (!places.length) return;
    const [x, y] = places[places.length - 1];
    over.append(s("circle", { cx: x, cy: y, r: 42, class: `ring ${tone}` }));
    if (places.length > 1) over.append(s("path", { d: `M${places.map((at) => at.join(" ")).join("L")}`, class: `arrow ${tone}` }));
  }

  /** Several moves have just these clicks: a promotion, say. */
  menu(complete) {
    const buttons = complete.map((move) => h("button", { type: "button", class: "small", onclick: () => this.play(move.name) }, move.name));
    return h("div", { class: "board-menu", role: "group", "aria-label": "which move?" }, h("span", {}, "Which one?"), buttons,
      h("button", { type: "button", class: "small quiet", onclick: () => { this.clicked = []; this.draw(); } }, "Cancel"));
  }

  click(name) {
    if (!this.shown.live) return;
    const moves = this.shown.position.moves || [];
    this.clicked = gestures.click(moves, this.clicked, name);
    const { left, complete } = gestures.read(moves, this.clicked);
    if (complete.length === 1 && left.length === 1) this.play(complete[0].name);
    else this.draw();
  }

  play(name) {
    this.clicked = [];
    this.onmove(name);
  }

  tabStop(cells) {
    if (this.focus && cells.some((cell) => cell.name === this.focus)) return this.focus;
    const first = cells.find((cell) => this.can.has(cell.name));
    return (first || cells[0]).name;
  }

  focusOn(name) {
    const node = [...this.box.querySelectorAll("g.cell")].find((cell) => cell.dataset.name === name);
    if (node) node.focus();
  }

  key(event) {
    const name = event.target.dataset && event.target.dataset.name;
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (!name) return;
    if (event.key === "Enter" || event.key === " ") this.click(name);
    else if (event.key === "Escape" && this.clicked.length) { this.clicked = []; this.draw(); }
    else if (event.key in ways) this.walk(name, ways[event.key]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** The focus goes to the nearest cell in that direction. */
  walk(name, [dx, dy]) {
    const from = this.grid.find((cell) => cell.name === name);
    let best = null, least = Infinity;
    for (const cell of this.grid) {
      const along = (cell.x - from.x) * dx + (cell.y - from.y) * dy;
      const aside = Math.abs((cell.x - from.x) * dy) + Math.abs((cell.y - from.y) * dx);
      if (along < 0.3 || along + 3 * aside >= least) continue;
      best = cell;
      least = along + 3 * aside;
    }
    if (!best) return;
    this.focus = best.name;
    for (const node of this.box.querySelectorAll("g.cell")) node.setAttribute("tabindex", node.dataset.name === best.name ? 0 : -1);
    this.focusOn(best.name);
  }
}

/** A small still picture of a position. */
export function thumbnail(position) {
  const box = h("div", { class: "thumbnail" });
  new Board(box, { small: true }).show({ position });
  return box;
}

/** The piece that a side has most of on the board, as a small picture; null if it has none. */
export function seatIcon(position, owner) {
  const counts = new Map();
  for (const cell of (position && position.board && position.board.cells) || []) {
    if (cell.owner === owner && cell.piece && cell.shape !== "pit" && cell.shape !== "store") counts.set(cell.piece, (counts.get(cell.piece) || 0) + 1);
  }
  const [piece] = [...counts].sort((a, b) => b[1] - a[1])[0] || [];
  return piece ? s("svg", { viewBox: "-50 -50 100 100", class: "board-svg coloured seat-icon" }, drawPiece({ piece, text: "" })) : null;
}

export const svgUrl = (text) => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;

const centre = (cell) => [Math.round(cell.x * UNIT * 10) / 10, Math.round(cell.y * UNIT * 10) / 10];
const standing = (cell) => `${cell.piece ?? ""} ${cell.text ?? ""}`;

function occupied(position) {
  const cells = (position && position.board && position.board.cells) || [];
  return new Map(cells.map((cell) => [cell.name, standing(cell)]));
}

/** The board with its labels, in units. */
function extent(board, labels) {
  const room = 0.12, beside = 0.3;
  const box = { left: -room, top: -room, right: board.width + room, bottom: board.height + room };
  for (const { x, y } of labels) {
    box.left = Math.min(box.left, x - beside);
    box.right = Math.max(box.right, x + beside);
    box.top = Math.min(box.top, y - beside);
    box.bottom = Math.max(box.bottom, y + beside);
  }
  return box;
}

/** What lies below all cells: the board's own surface, or the lines between crossings. */
function ground(under, board) {
  const shapes = new Set(board.cells.map((cell) => cell.shape));
  const round = shapes.has("pit") || shapes.has("store");
  if (round || shapes.has("disc") || shapes.has("point")) {
    under.append(s("rect", { class: "surface", width: board.width * UNIT, height: board.height * UNIT, rx: round ? 50 : 14 }));
  }
  if (board.lines !== "crossings") return;
  const at = new Set(board.cells.map((cell) => `${cell.x} ${cell.y}`));
  let d = "";
  for (const { x, y } of board.cells) {
    if (at.has(`${x + 1} ${y}`)) d += `M${x * UNIT} ${y * UNIT}h${UNIT}`;
    if (at.has(`${x} ${y + 1}`)) d += `M${x * UNIT} ${y * UNIT}v${UNIT}`;
  }
  under.append(s("path", { d, class: "lines" }));
}

const WHOLE = { x: -50, y: -50, width: 100, height: 100 };
const HEXAGON = "0,-57.7 50,-28.9 50,28.9 0,57.7 -50,28.9 -50,-28.9";

function shape(cell) {
  if (cell.shape === "disc") return [s("rect", { ...WHOLE, class: "hit" }), s("circle", { r: 42, class: "face" })];
  if (cell.shape === "point") return [s("rect", { ...WHOLE, class: "hit" }), s("circle", { r: 5, class: "knot" })];
  if (cell.shape === "pit") return [s("circle", { r: 43, class: "face" })];
  if (cell.shape === "store") return [s("rect", { x: -40, y: -92, width: 80, height: 184, rx: 40, class: "face" })];
  if (cell.shape === "hexagon") return [s("polygon", { points: HEXAGON, class: "face" })];
  return [s("rect", { ...WHOLE, class: "face" })];
}

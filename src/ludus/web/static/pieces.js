// What may stand on a cell, drawn around its centre in a cell that is 100 wide.
import { s } from "./dom.js";

const disc = (kind, r = 40) => [s("circle", { r, class: `disc ${kind}` }), s("circle", { r: r * 0.72, class: "rim" })];
const crown = (kind) => [
  s("path", { d: "M-30 30-38-20-18 2 0-36 18 2 38-20 30 30Z", class: `man ${kind}` }),
  s("path", { d: "M-27 17H27", class: `man-line ${kind}` }),
];

const BASE = "M-29 38v-6q0-6 7-7H22q7 1 7 7v6Z";
const MEN = {
  p: ["M-20 25q12-14 13-27h14q1 13 13 27Z", "M-13-4h26v-5h-26Z", "M0-8a15 15 0 1 1 .1 0Z"],
  r: ["M-19 25-15-12h30l4 37Z", "M-24-14v-22h11v8h8v-8h10v8h8v-8h11v22Z"],
  n: ["M-21 25q0-14 12-24 4-4 4-9-8 7-16 9-7 1-9-6-1-4 3-8l10-13q3-6 9-8l2-8 7 7q24 3 24 37 0 14-3 23Z"],
  b: ["M-20 25q11-9 13-20h14q2 11 13 20Z", "M-14 4q-9-20 14-37 23 17 14 37Z", "M0-33a5.5 5.5 0 1 1 .1 0Z"],
  q: ["M-21 25-16 8h32l5 17Z", "M-17 9-31-23l17 14-5-24L-5-12 0-38 5-12l14-21-5 24 17-14L17 9Z"],
  k: ["M-21 25-16 8h32l5 17Z", "M-16 9q-22-14-10-28 13-9 26 8 13-17 26-8 12 14-10 28Z", "M-3.5-16v-9h-8v-7h8v-9h7v9h8v7h-8v9Z"],
};
const NAMES = { p: "pawn", r: "rook", n: "knight", b: "bishop", q: "queen", k: "king" };

function chessman(letter) {
  const kind = letter === letter.toUpperCase() ? "light" : "dark";
  return [...MEN[letter.toLowerCase()], BASE].map((d) => s("path", { d, class: `man ${kind}` }));
}

const DRAWN = {
  black: () => disc("black"),
  white: () => disc("white"),
  red: () => disc("red"),
  yellow: () => disc("yellow"),
  cross: () => [s("path", { d: "M-26-26 26 26M26-26-26 26", class: "mark cross" })],
  nought: () => [s("circle", { r: 28, class: "mark nought" })],
  "white-amazon": () => crown("light"),
  "black-amazon": () => crown("dark"),
  stone: () => [s("rect", { x: -33, y: -33, width: 66, height: 66, rx: 14, class: "stone" }),
    s("path", { d: "M-20-20H20", class: "stone-line" })],
  hole: () => [],
};

const isChessman = (name) => name.length === 1 && name.toLowerCase() in MEN;

/** Whether the pieces are chessmen, which are said by their names. */
export const isChess = (names) => names.length > 1 && names.every(isChessman);

/** Discs in the colour of their owner, for games that draw nothing themselves; a text is written on them. */
const OWNED = { first: "seat-0", second: "seat-1", neutral: "neutral" };

export function drawPiece({ piece, text, shape }) {
  if (shape === "pit" || shape === "store") return seeds(Number(text), shape === "store" ? 30 : 21);
  if (piece === null || piece === undefined) return letters(String(text));
  if (isChessman(piece)) return chessman(piece);
  if (piece in DRAWN) return DRAWN[piece]();
  if (piece in OWNED) return [...disc(OWNED[piece]), text ? letters(String(text), "on-disc") : []];
  return letters(String(piece));
}

/** How the piece is called by a screen reader. */
export function pieceName(piece, chess = false) {
  const name = String(piece);
  if (chess && isChessman(name)) return `${name === name.toUpperCase() ? "white" : "black"} ${NAMES[name.toLowerCase()]}`;
  return name.replaceAll("-", " ");
}

function letters(name, kind = "") {
  const size = name.length === 1 ? 48 : name.length === 2 ? 40 : name.length < 5 ? 28 : 18;
  return [s("text", { y: size * 0.36, "font-size": size, class: `letter ${kind}` }, name.length > 8 ? `${name.slice(0, 7)}…` : name)];
}

const GOLDEN = Math.PI * (3 - Math.sqrt(5));

/** Seeds in a pit, as in a sunflower, within `radius`; the number is written below by the board. */
function seeds(count, radius) {
  const shown = Number.isFinite(count) ? Math.min(Math.max(0, count), 60) : 0;
  const step = Math.min(8, radius / Math.sqrt(Math.max(1, shown)));
  return s("g", { transform: "translate(0 -13)" }, Array.from({ length: shown }, (_, i) => {
    const r = step * Math.sqrt(i + (shown > 1 ? 0.4 : 0));
    const [cx, cy] = [r * Math.cos(i * GOLDEN), r * Math.sin(i * GOLDEN)].map((n) => n.toFixed(1));
    return s("circle", { cx, cy, r: Math.max(2.4, step * 0.66).toFixed(1), class: "seed" });
  }));
}

// The moves that were made, and the moves that can be made.
import { h, put } from "./dom.js";

/** The game so far: each move leads to the position after it. `at` is the ply that is shown. */
export function playedList(moves, at, onclick, marks = {}) {
  const list = h("ol", { class: "played", "aria-label": "moves so far" });
  let pair = null;
  moves.forEach((name, i) => {
    if (i % 2 === 0) list.append(pair = h("li", {}, h("span", { class: "turn-number", "aria-hidden": "true" }, `${i / 2 + 1}.`)));
    const here = i + 1 === at;
    pair.append(h("button", { type: "button", class: `ply quiet ${marks[i] || ""}`, "aria-current": here ? "step" : null, title: `Ply ${i + 1}: ${name}`, onclick: () => onclick(i + 1) }, name));
  });
  return list;
}

/** Keeps the shown move in view, without moving the page. */
export function keepInView(list) {
  const here = list.querySelector("[aria-current]");
  if (!here || !list.clientHeight) return;
  const top = here.offsetTop - list.offsetTop;
  if (top < list.scrollTop || top + here.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight / 2;
}

/** Buttons for the legal moves, with a field that narrows them down and plays what is written in it. */
export class LegalMoves {
  constructor(onmove, onwrong) {
    this.onmove = onmove;
    this.input = h("input", { type: "text", placeholder: "Type a move", "aria-label": "type a move", autocomplete: "off", spellcheck: "false", maxlength: 200 });
    this.buttons = h("div", { class: "moves", role: "group", "aria-label": "legal moves" });
    this.count = h("span", { class: "note" });
    this.moves = [];
    this.input.addEventListener("input", () => this.narrow());
    const form = h("form", { class: "row", onsubmit: (event) => { event.preventDefault(); this.typed(onwrong); } }, this.input, h("button", { class: "small" }, "Play"));
    this.form = form;
    this.node = h("div", { class: "legal" }, h("div", { class: "legal-head" }, h("h3", {}, "Moves"), this.count), this.buttons, form);
  }

  show(moves, live) {
    this.moves = live ? moves : [];
    this.input.value = "";
    this.input.disabled = !live;
    this.count.textContent = live ? String(moves.length) : "";
    put(this.buttons, this.moves.map((move) => h("button", { type: "button", class: "small move", "data-move": move.name, onclick: () => this.onmove(move.name) }, move.name)));
    this.form.hidden = moves.length < 2;
  }

  narrow() {
    const text = this.input.value.trim().toLowerCase();
    for (const node of this.buttons.children) node.hidden = !node.dataset.move.toLowerCase().includes(text);
  }

  typed(onwrong) {
    const text = this.input.value.trim();
    const found = this.moves.find((move) => move.name === text) || this.moves.find((move) => move.name.toLowerCase() === text.toLowerCase());
    if (found) return this.onmove(found.name);
    return text ? onwrong(`“${text}” is not a legal move here; the legal moves are in the list.`) : undefined;
  }
}

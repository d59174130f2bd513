// Think: one position, one or two searches side by side, one budget; step, run, pause, and back in time.
import { button, h, put, throttled } from "../dom.js";
import { Board } from "../board.js";
import { short, signed } from "../format.js";
import { DECIDED, isDecided } from "../known.js";
import { LegalMoves, playedList } from "../movelist.js";
import { budgetPicker, gamePicker, playerPicker } from "../picker.js";
import { keyOf, position } from "../positions.js";
import { SearchPanel } from "../search_panel.js";
import * as words from "../words.js";

export function think(shell, catalogue, first) {
  const room = new Think(shell, catalogue, first);
  return { show: (here) => room.show(here), leave: () => room.leave() };
}

const DEFAULT = "lcf";

class Think {
  constructor(shell, catalogue, first) {
    Object.assign(this, { shell, catalogue, here: first, now: null, node: null, marks: "a" });
    const make = (letter) => new SearchPanel(shell, letter, { onlook: throttled(() => this.update(), 140), onnode: (moves) => this.showNode(moves) });
    this.panels = { a: make("a"), b: make("b") };
    this.boardBox = h("div", { class: "board-box" });
    this.caption = h("p", { class: "note" });
    this.searches = h("div", { class: "searches" });
    this.controls = h("div", { class: "controls" });
    this.played = h("div", {});
    this.marksBox = h("div", { class: "row wrap" });
    this.panelBox = h("div", { class: "panels" });
    this.slider = h("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "back in time: expansions", oninput: () => this.goTo(Number(this.slider.value)) });
    this.when = h("span", { class: "note" });
    this.board = new Board(this.boardBox, { onmove: (name) => this.made(name) });
    this.legal = new LegalMoves((name) => this.made(name), (wrong) => shell.error(wrong));
    this.head = h("div", { class: "room-head" });
    put(shell.main, h("div", { class: "room think" }, this.head, h("section", { class: "stage-free" }, this.boardBox, this.caption, this.marksBox),
      h("section", { class: "side" }, h("div", { class: "card" }, h("h3", {}, "Searches"), this.searches, this.controls),
        h("div", { class: "card" }, h("h3", {}, "The position"), this.played, this.legal.node)), this.panelBox));
  }

  get specs() {
    const { player, player2 } = this.here.more;
    return { a: player || DEFAULT, b: player2 || "" };
  }
  get budget() { return this.here.more.budget || this.catalogue.budget; }
  get active() { return this.specs.b ? ["a", "b"] : ["a"]; }

  async show(here) {
    const before = this.shown;
    this.here = here;
    if (!here.game) return this.choose();
    const key = keyOf(here), settings = JSON.stringify([this.specs, this.budget]);
    this.shown = key + settings;
    if (before === this.shown && this.now) return undefined;
    this.node = null;
    for (const panel of Object.values(this.panels)) panel.leave();
    this.drawHead();
    const found = await this.shell.attempt(() => position(here));
    if (!found || keyOf(this.here) !== key) return undefined;
    this.now = found;
    this.loaded = key;
    put(this.played, playedList(found.played || here.moves, here.moves.length, (ply) => this.go({ moves: here.moves.slice(0, ply) })),
      here.moves.length ? button("First position", () => this.go({ moves: [] }), { class: "small quiet" }) : null);
    this.legal.show(found.moves, !found.over);
    for (const letter of ["a", "b"]) { this.panels[letter].player = this.specs[letter]; this.panels[letter].render(); }
    put(this.panelBox, this.active.map((letter) => this.panels[letter].node));
    this.drawBoard();
    this.update();
    return undefined;
  }

  choose() {
    put(this.head, h("h1", {}, "Watch a search think"), gamePicker(this.catalogue, null, (game) => this.shell.go({ room: "think", game })));
    put(this.caption, "Choose a game, a position and one or two searches; then watch the tree grow.");
    if (this.catalogue.default) this.shell.go({ room: "think", game: this.catalogue.default }, { replace: true });
  }

  drawHead() {
    put(this.head, gamePicker(this.catalogue, this.here.game, (game) => this.shell.go({ room: "think", game, more: this.here.more })), h("h1", { class: "sr" }, "Think"),
      h("span", { class: "note push" }, "The board can be clicked to change the position."));
    const pick = (letter, name, options) => h("div", { class: "search-row" }, h("span", { class: `tag ${letter}`, "aria-hidden": "true" }, letter.toUpperCase()),
      playerPicker(this.catalogue, this.specs[letter], (spec) => this.set({ [name]: spec }), { budget: false, watch: true, label: `search ${letter.toUpperCase()}`, ...options }));
    put(this.searches, pick("a", "player", {}), pick("b", "player2", { none: "no second search" }),
      h("label", { class: "inline" }, "Budget of each", budgetPicker(this.budget, (budget) => this.set({ budget }))));
  }

  set(what) { this.go({ more: { ...this.here.more, ...what } }, true); }

  go(what, replace = false) {
    const { room, game, state, moves, more } = this.here;
    this.shell.go({ room, game, state, moves, more, ...what }, { replace });
  }

  /** A move on the board that is shown; while another position is on its way there is none. */
  made(name) {
    if (this.loaded !== keyOf(this.here)) return;
    if (this.node) { const { moves } = this.node; this.node = null; this.go({ moves: [...this.here.moves, ...moves, name] }); }
    else this.go({ moves: [...this.here.moves, name] });
  }

  // Buttons.

  async begin(paused) {
    await this.shell.attempt(async () => {
      for (const letter of this.active) await this.panels[letter].start(this.here, this.specs[letter], this.budget, paused);
    });
    this.update();
  }

  get alive() { return this.active.map((letter) => this.panels[letter]).filter((panel) => panel.thought && !panel.done && panel.status !== "failed"); }

  async command(what, more) {
    this.shell.quiet();
    this.goTo(null);
    if (!this.active.some((letter) => this.panels[letter].thought)) {
      await this.begin(what !== "run");
      if (what === "run") return;
    }
    await this.shell.attempt(() => Promise.all(this.alive.map((panel) => this.tell(panel, what, more))));
    this.update();
  }

  /** A search that has ended meanwhile needs no command any more. */
  async tell(panel, what, more) {
    try {
      await panel.thought.command(what, more);
    } catch (error) {
      if (error.status !== 409) throw error;
    }
    panel.render();
  }

  restart() {
    for (const panel of Object.values(this.panels)) { panel.leave(); panel.render(); }
    this.node = null;
    this.update();
  }

  goTo(step) {
    for (const letter of this.active) this.panels[letter].goTo(step);
    this.past = step;
    this.drawBoard();
    this.drawTime();
  }

  update() {
    if (!this.now) return;
    const some = this.active.map((letter) => this.panels[letter]);
    const running = some.some((panel) => ["running", "preparing"].includes(panel.status));
    const begun = some.some((panel) => panel.thought);
    const ended = begun && !this.alive.length;
    const { over } = this.now;
    const key = `${running} ${begun} ${ended} ${over}`;
    if (this.controlled !== key) {
      this.controlled = key;
      put(this.controls,
        running ? button("❚❚ Pause", () => this.command("pause"), { class: "primary" }) : button("▶ Run", () => this.command("run"), { class: "primary", disabled: over || ended }),
        [1, 10, 100].map((steps) => button(`+${steps}`, () => this.command("step", { steps }), { disabled: over || ended || running, title: `${steps} expansion${steps > 1 ? "s" : ""} more`, "aria-label": `step ${steps}` })),
        button("Start over", () => this.restart(), { disabled: !begun }),
        h("div", { class: "time" }, this.slider, this.when),
        over ? h("p", { class: "note" }, "The game is over here: there is nothing to search.") : null);
    }
    this.drawTime();
    this.drawBoard();
    this.drawMarks();
  }

  drawTime() {
    const most = Math.max(0, ...this.active.map((letter) => this.panels[letter].steps));
    this.slider.max = most;
    this.slider.value = this.past ?? most;
    this.slider.disabled = most < 1;
    const at = this.past ?? most;
    const text = `step ${short(at)}${this.past !== null && this.past !== undefined && at < most ? ` of ${short(most)}` : ""}`;
    if (this.when.textContent !== text) this.when.textContent = text;
  }

  drawMarks() {
    const key = `${this.active} ${this.marks}`;
    if (this.markKey === key) return;
    this.markKey = key;
    const choices = [...this.active.map((letter) => [letter, letter.toUpperCase()]), ["", "none"]];
    put(this.marksBox, h("span", { class: "note" }, "Values on the board:"), h("div", { class: "segment", role: "group", "aria-label": "whose values stand on the board" },
      choices.map(([key_, label]) => button(label, () => { this.marks = key_; this.drawMarks(); this.drawBoard(); }, { "aria-pressed": String(this.marks === key_) }))));
  }

  // The board.

  async showNode(moves) {
    if (!moves.length) { this.node = null; return this.drawBoard(); }
    const found = await this.shell.attempt(() => position({ ...this.here, moves: [...this.here.moves, ...moves] }));
    if (found) { this.node = { moves, position: found }; this.drawBoard(); }
    return undefined;
  }

  drawBoard() {
    if (!this.now) return;
    const shown = this.node ? this.node.position : this.now;
    const panel = this.panels[this.marks];
    const look = panel && !this.node ? panel.look() : null;
    const key = JSON.stringify([this.node && this.node.moves, this.marks, look && look.step, look && look.move, panel && panel.status]);
    if (this.drawn === key && this.drawnPosition === shown) return;
    this.drawn = key;
    this.drawnPosition = shown;
    const marks = look && shown.board ? rootMarks(shown, look, panel.about) : {};
    this.board.show({ position: shown, ply: this.here.moves.length + (this.node ? this.node.moves.length : 0), live: !shown.over, marks, last: shown.last ? shown.last.cells : [] });
    put(this.caption, this.node ? [h("span", {}, `A position of the tree, after ${this.node.moves.join(" ")}. `), button("Back to the root", () => this.showNode([]), { class: "small" })]
      : `${words.side(shown.turn)} to move${shown.over ? `; ${words.ending(shown)}` : "."}`);
  }

  leave() { for (const panel of Object.values(this.panels)) panel.leave(); }
}

/** The root's values on the cells where the moves end; two moves on one cell: the better one. */
export function rootMarks(position_, look, about) {
  const marks = {};
  for (const child of look.children || []) {
    const move = position_.moves.find((each) => each.name === child.move);
    const cell = move && move.gesture && move.gesture[move.gesture.length - 1];
    const value = child.value ?? child.score;
    if (!cell || value === null || value === undefined) continue;
    if (marks[cell] && marks[cell].value >= value && child.move !== look.move) continue;
    const best = child.move === look.move;
    marks[cell] = { value, text: isDecided(child) || Math.abs(value) >= DECIDED ? (value > 0 ? "win" : value < 0 ? "loss" : "draw") : signed(value, Math.abs(value) >= 10 ? 0 : Math.abs(value) >= 1 ? 1 : 2), tone: best ? "best" : "plain", title: `${child.move}: ${words.whose("value", about)}` };
  }
  return marks;
}

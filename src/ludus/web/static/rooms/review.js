// Review: a finished or pasted game; who was ahead move by move, the worst moves, and the better ones.
import { button, framed, h, put } from "../dom.js";
import { events, post, remove } from "../api.js";
import { Board } from "../board.js";
import { advantage } from "../chart.js";
import { number, signed } from "../format.js";
import { DECIDED, isDecided, valueText } from "../known.js";
import { keepInView, playedList } from "../movelist.js";
import { gamePicker, playerPicker } from "../picker.js";
import { keyOf, position } from "../positions.js";
import { where } from "../address.js";
import * as words from "../words.js";

export function review(shell, catalogue, first) {
  const room = new Review(shell, catalogue, first);
  return { show: (here) => room.show(here), leave: () => room.leave() };
}

class Review {
  constructor(shell, catalogue, first) {
    Object.assign(this, { shell, catalogue, here: first, rows: [], worst: [], at: 0, line: null, job: null });
    this.head = h("div", { class: "room-head" });
    this.boardBox = h("div", { class: "board-box" });
    this.steps = h("div", { class: "row look-back" });
    this.ask = h("div", {});
    this.status = h("p", { class: "note", role: "status" });
    this.graph = h("div", { class: "chart-box" });
    this.detail = h("div", {});
    this.worstBox = h("div", {});
    this.played = h("div", {});
    this.board = new Board(this.boardBox);
    this.empty = h("div", { class: "card" });
    this.full = h("div", { class: "room review" }, h("section", { class: "stage" }, this.boardBox, this.steps),
      h("section", { class: "side" }, h("div", { class: "card" }, this.ask, this.status, h("h3", {}, "Who was ahead"), this.graph, this.detail),
        h("div", { class: "card" }, h("h3", {}, "The costliest moves"), this.worstBox), h("div", { class: "card" }, h("h3", {}, "The game"), this.played)));
    put(shell.main, this.head, this.empty, this.full);
    this.render = framed(() => this.draw());
    this.onkey = (event) => this.key(event);
    addEventListener("keydown", this.onkey);
    this.onsize = framed(() => this.drawGraph());
    addEventListener("resize", this.onsize);
  }

  get player() { return this.here.more.player || this.catalogue.opponent; }

  async show(here) {
    const key = keyOf(here) + (here.more.player || "");
    this.here = here;
    put(this.head, gamePicker(this.catalogue, here.game, (game) => this.shell.go({ room: "review", game })), h("h1", { class: "sr" }, "Review"));
    this.empty.hidden = Boolean(here.game && here.moves.length);
    this.full.hidden = !this.empty.hidden;
    if (!here.game || !here.moves.length) return this.paste();
    if (here.more.ply !== undefined) this.at = Math.min(here.moves.length, Math.max(0, Number(here.more.ply) || 0));
    if (this.shown === key) { this.render(); return undefined; }
    this.shown = key;
    this.stop();
    this.rows = [];
    this.worst = [];
    this.end = await this.shell.attempt(() => position(here));
    if (!this.end || this.shown !== key) return undefined;
    if (here.more.ply === undefined) this.at = here.moves.length;
    put(this.ask, h("div", { class: "section-head" }, h("h3", {}, "Judged by"), playerPicker(this.catalogue, this.player, (player) => this.go({ more: { ...this.here.more, player } }), { label: "judge" })));
    this.render();
    return this.start(key);
  }

  go(what) {
    const { room, game, state, moves, more } = this.here;
    this.shell.go({ room, game, state, moves, more, ...what }, { replace: true });
  }

  paste() {
    const area = h("textarea", { rows: 6, "aria-label": "the game to review", placeholder: "Paste the moves of a game here", maxlength: 100000, spellcheck: "false" });
    const load = () => this.shell.attempt(async () => {
      if (!this.here.game || !area.value.trim()) return;
      const found = await post("/api/text", { game: this.here.game, text: area.value.trim() });
      if (!found.moves || !found.moves.length) throw Object.assign(new Error("That is a position without moves; a review needs a game."), { status: 400 });
      this.shell.go({ room: "review", game: this.here.game, state: found.state, moves: found.moves });
    });
    put(this.empty, h("h2", {}, "Review a game"), this.here.game
      ? [h("p", {}, "Paste a game, or ", this.shell.link({ room: "play", game: this.here.game, moves: [] }, "play one"), " and come back when it is over."), area, h("p", { class: "section" }, button("Review it", load, { class: "primary" }))]
      : h("p", {}, "Choose a game first."));
  }

  async start(key) {
    await this.shell.attempt(async () => {
      const { state, game, moves } = where(this.here);
      const job = await post("/api/reviews", { game, moves, ...(state ? { state } : {}), player: this.player, budget: this.here.more.budget || this.catalogue.budget });
      if (this.shown !== key) { remove(`/api/reviews/${job.id}`).catch(() => {}); return; }
      this.job = { ...job, stop: new AbortController() };
      this.take(job);
      await events(`/api/reviews/${job.id}/events`, (name, data) => {
        if (name === "row") this.addRow(data);
        if (name === "done") { this.take(data); return "end"; }
        if (name === "failed") { this.shell.error(data.error); this.job.status = "failed"; this.render(); return "end"; }
        return undefined;
      }, this.job.stop.signal);
    });
    this.render();
  }

  take(job) {
    Object.assign(this.job, job);
    for (const row of job.rows || []) this.addRow(row);
    this.worst = job.worst || [];
    this.render();
  }

  addRow(row) {
    this.rows[row.ply] = row;
    this.render();
  }

  stop() {
    if (!this.job) return;
    this.job.stop.abort();
    remove(`/api/reviews/${this.job.id}`).catch(() => {});
    this.job = null;
  }

  leave() {
    this.stop();
    this.shown = null;
    removeEventListener("keydown", this.onkey);
    removeEventListener("resize", this.onsize);
  }

  goTo(ply) {
    this.line = null;
    this.at = Math.min(this.here.moves.length, Math.max(0, ply));
    this.render();
  }

  key(event) {
    if (event.target.closest && event.target.closest("input, textarea, select, svg.board-svg")) return;
    if (event.ctrlKey || event.altKey || event.metaKey || !this.end) return;
    if (event.key === "ArrowLeft") this.goTo(this.at - 1);
    else if (event.key === "ArrowRight") this.goTo(this.at + 1);
    else return;
    event.preventDefault();
  }

  // Drawing.

  async draw() {
    if (!this.end) return;
    const total = this.here.moves.length, done = this.rows.filter(Boolean).length;
    const status = this.job ? this.job.status : "";
    put(this.status, !status || status === "running" || status === "preparing" ? [h("span", { class: "spinner" }), `Judging: ${done} of ${total + 1} positions.`] : status === "failed" ? "The review failed." : `Every value is ${this.job.player}'s, ${words.scaleWords(this.job.scale)}.`);
    this.drawGraph();
    this.drawSteps(total);
    this.drawDetail();
    this.drawWorst();
    const marks = {};
    for (const ply of this.worst) marks[ply] = "worst";
    const list = playedList(this.end.played || this.here.moves, this.at, (ply) => this.goTo(ply), marks);
    put(this.played, list);
    keepInView(list);
    await this.drawBoard();
  }

  drawGraph() {
    const rows = Array.from({ length: this.here.moves.length + 1 }, (_, ply) => this.rows[ply] || { ply, first: null, move: this.here.moves[ply] });
    const open = rows.filter((row) => !isDecided(row) && Number.isFinite(row.first)).map((row) => Math.abs(row.first));
    const span = this.job && this.job.scale === "result" ? 1 : 1.1 * Math.max(1e-9, ...open);
    advantage(this.graph, { rows, at: this.at, worst: this.worst, onclick: (row) => this.goTo(row.ply), span, title: (row) => this.title(row) });
  }

  title(row) {
    const value = row.first === null || row.first === undefined ? "not judged" : isDecided(row) ? `${row.said} to ${words.side(row.by ?? 0)}` : `${signed(row.first)} to the first player`;
    return `Ply ${row.ply}${row.move ? `, before ${row.move}` : ", the end"}: ${value}, says ${(this.job && this.job.player) || this.player}`;
  }

  drawSteps(total) {
    const { at } = this;
    put(this.steps, button("«", () => this.goTo(0), { class: "small", disabled: at === 0, "aria-label": "first position" }), button("‹", () => this.goTo(at - 1), { class: "small", disabled: at === 0, "aria-label": "one ply back" }),
      h("span", { class: "note ply-count" }, `${at} of ${total}`),
      button("›", () => this.goTo(at + 1), { class: "small", disabled: at === total, "aria-label": "one ply forward" }), button("»", () => this.goTo(total), { class: "small", disabled: at === total, "aria-label": "last position" }),
      this.shell.link({ ...this.here, room: "why", moves: this.here.moves.slice(0, at), more: {} }, "Why?", "button small"), this.shell.link({ ...this.here, room: "play", moves: this.here.moves.slice(0, at), more: {} }, "Play from here", "button small"));
  }

  drawDetail() {
    const row = this.rows[this.at];
    if (!row) return put(this.detail);
    const about = { player: this.job ? this.job.player : this.player, turn: row.by, scale: this.job && this.job.scale };
    const title = words.whose("value", about);
    if (!row.move) return put(this.detail, h("p", {}, this.end.over ? words.ending(this.end) : "The game is not over."));
    if (row.by === null) return put(this.detail, h("p", {}, "Dice: ", h("b", {}, row.move), "."));
    const better = row.best && row.best !== row.move;
    return put(this.detail,
      h("p", { class: "answer" }, `${words.side(row.by)} played `, h("b", {}, row.move), row.played !== null && row.played !== undefined ? [" ", h("span", { class: "value", title }, this.worth(row.played))] : null, better ? "." : ": the search's own choice."),
      better ? h("p", {}, "Better: ", h("b", { class: "same" }, row.best), " ", h("span", { class: "value", title }, isDecided(row) ? row.said : signed(row.value)),
        row.loss !== null && row.loss > 0 ? [", by ", h("span", { class: "value", title: `what the move gave away; ${title}` }, this.lost(row))] : null, ".") : null,
      row.line && row.line.length ? h("div", { class: "row wrap" }, h("span", { class: "note" }, "Line:"), row.line.map((name, i) => button(name, () => this.showLine(row, i + 1), { class: "small mono" }))) : null,
      this.line ? h("p", { class: "note section" }, `On the board: instead of ${row.move}, after ${this.line.moves.join(" ")}. `, button("Back", () => { this.line = null; this.render(); }, { class: "small" })) : null);
  }

  /** A number of the evaluator, or how the game ends: beyond every value that a game on its way has had. */
  worth(value) {
    const { scale } = this.job || {};
    return scale === "evaluator" && Math.abs(value) >= DECIDED ? (value > 0 ? "wins" : "loses") : signed(value);
  }

  lost(row) { return this.job && this.job.scale === "evaluator" && row.loss >= DECIDED ? "the result" : number(row.loss); }

  async showLine(row, length) {
    const moves = row.line.slice(0, length);
    const found = await this.shell.attempt(() => position({ ...this.here, moves: [...this.here.moves.slice(0, row.ply), ...moves] }));
    if (found) { this.line = { moves, position: found }; this.render(); }
  }

  drawWorst() {
    const rows = this.worst.map((ply) => this.rows[ply]).filter(Boolean);
    if (!rows.length) return put(this.worstBox, h("p", { class: "note" }, this.job && this.job.done ? "None: every move was as good as the search's." : "Known when every position is judged."));
    const who = this.job ? this.job.player : "";
    return put(this.worstBox, h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, "ply"), h("th", {}, "played"), h("th", {}, "better"), h("th", { title: `what the move gave away, to whoever made it, says ${who}, ${words.scaleWords(this.job.scale)}` }, "lost"))),
      h("tbody", {}, rows.map((row) => h("tr", { "data-row": row.ply, onclick: () => this.goTo(row.ply) },
        h("td", {}, button(`${row.ply + 1}`, () => this.goTo(row.ply), { class: "quiet small", "aria-label": `go to ply ${row.ply + 1}` }), ` ${words.side(row.by)}`), h("td", { class: "mono other" }, row.move), h("td", { class: "mono same" }, row.best), h("td", {}, this.lost(row))))))));
  }

  async drawBoard() {
    const { at } = this;
    const shown = this.line ? this.line.position : await this.shell.attempt(() => position({ ...this.here, moves: this.here.moves.slice(0, at) }));
    if (!shown || at !== this.at) return;
    const row = this.rows[at], arrows = [];
    if (row && row.move && !this.line) {
      for (const [name, tone] of [[row.move, "played"], [row.best, "best"]]) {
        const move = shown.moves.find((each) => each.name === name);
        if (move && move.gesture.length) arrows.push({ cells: move.gesture, tone: name === row.best ? "best" : tone });
      }
    }
    this.board.show({ position: shown, ply: this.line ? at + this.line.moves.length : at, live: false, arrows, last: shown.last ? shown.last.cells : [] });
  }
}

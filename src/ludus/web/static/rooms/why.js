// Why this move? In sentences made from what the search knows; and what the others would play.
import { button, h, put } from "../dom.js";
import { get, post } from "../api.js";
import { Board } from "../board.js";
import { number } from "../format.js";
import { valueText } from "../known.js";
import { playedList, LegalMoves } from "../movelist.js";
import { gamePicker, playerPicker } from "../picker.js";
import { keyOf, position } from "../positions.js";
import { Thought } from "../thoughts.js";
import * as words from "../words.js";

const KINDS = { choice: "The choice", line: "It expects", second: "Instead", sure: "How sure", effort: "Effort", stopped: "Why it stopped" };
const SOLVE = "solve(seconds=2)";

export function why(shell, catalogue, first) {
  const room = new Why(shell, catalogue, first);
  return { show: (here) => room.show(here), leave: () => room.leave() };
}

class Why {
  constructor(shell, catalogue, first) {
    Object.assign(this, { shell, catalogue, here: first, thoughts: new Set(), epoch: 0, path: null });
    this.boardBox = h("div", { class: "board-box" });
    this.caption = h("p", { class: "note" });
    this.played = h("div", {});
    this.head = h("div", { class: "room-head" });
    this.asked = h("div", {});
    this.said = h("div", { class: "said" });
    this.others = h("div", {});
    this.board = new Board(this.boardBox, { onmove: (name) => this.made(name) });
    this.legal = new LegalMoves((name) => this.made(name), (wrong) => shell.error(wrong));
    put(shell.main, h("div", { class: "room why" }, this.head, h("section", { class: "stage-free" }, this.boardBox, this.caption, h("div", { class: "card" }, this.played, this.legal.node)),
      h("section", { class: "side" }, h("div", { class: "card" }, this.asked, this.said), h("div", { class: "card" }, h("h3", {}, "What the others would play"), this.others))));
  }

  get player() { return this.here.more.player || this.catalogue.opponent; }

  go(what, replace = false) {
    const { room, game, state, moves, more } = this.here;
    this.shell.go({ room, game, state, moves, more, ...what }, { replace });
  }

  /** A move on the board that is shown; while another position is on its way there is none. */
  made(name) {
    if (this.loaded === keyOf(this.here)) this.go({ moves: [...this.here.moves, name] });
  }

  leave() {
    this.epoch += 1;
    for (const thought of this.thoughts) thought.leave();
    this.thoughts.clear();
  }

  async show(here) {
    this.here = here;
    if (!here.game) return this.choose();
    const key = keyOf(here) + this.player;
    if (this.shown === key && this.done) return undefined;
    this.shown = key;
    this.leave();
    this.done = null;
    put(this.head, gamePicker(this.catalogue, here.game, (game) => this.shell.go({ room: "why", game, more: here.more })), h("h1", { class: "sr" }, "Why this move?"));
    put(this.asked, h("h3", {}, "Ask"), playerPicker(this.catalogue, this.player, (player) => this.go({ more: { ...here.more, player } }, true), { label: "search" }));
    const found = await this.shell.attempt(() => position(here));
    if (!found || this.shown !== key) return undefined;
    this.now = found;
    this.loaded = keyOf(here);
    this.path = null;
    put(this.played, h("h3", {}, "The position"), playedList(found.played || here.moves, here.moves.length, (ply) => this.go({ moves: here.moves.slice(0, ply) })));
    this.legal.show(found.moves, !found.over);
    this.draw();
    put(this.others);
    if (found.over) return put(this.said, h("p", {}, `The game is over: ${words.ending(found)} There is nothing to ask.`));
    return this.ask();
  }

  choose() {
    put(this.head, h("h1", {}, "Why this move?"), gamePicker(this.catalogue, null, (game) => this.shell.go({ room: "why", game })));
    if (this.catalogue.default) this.shell.go({ room: "why", game: this.catalogue.default }, { replace: true });
  }

  async think(player, take = () => {}) {
    const { epoch } = this;
    const thought = await Thought.start(this.here, player, { budget: this.catalogue.budget, take });
    if (epoch !== this.epoch) { thought.leave(); throw new DOMException("left", "AbortError"); }
    this.thoughts.add(thought);
    return thought;
  }

  async ask() {
    const { epoch } = this;
    put(this.said, h("p", { class: "status busy" }, h("span", { class: "spinner" }), `${words.playerName(this.player)} is thinking…`), h("div", { class: "progress" }));
    const answer = await this.shell.attempt(async () => {
      const thought = await this.think(this.player);
      const done = await thought.ended;
      return { done, why: await get(`${thought.path}/why`) };
    });
    if (epoch !== this.epoch) return;
    if (!answer) { put(this.said, h("p", { class: "note" }, "It gave no answer; choose another search.")); return; }
    this.done = answer.done;
    this.drawAnswer(answer);
    this.draw();
    this.contenders(epoch);
  }

  drawAnswer({ done, why }) {
    const line = (moves) => h("span", { class: "row wrap" }, moves.map((name, i) => button(name, () => this.follow(moves.slice(0, i + 1)), { class: "small mono", title: `the position after ${moves.slice(0, i + 1).join(" ")}` })));
    put(this.said, h("ul", { class: "sentences section" }, why.sentences.map((sentence) => h("li", {}, h("span", { class: "kind" }, KINDS[sentence.kind] || sentence.kind),
      h("div", {}, h("span", { class: `say-${sentence.kind}`, title: numbersTitle(sentence, done) }, sentence.text), sentence.kind === "line" && sentence.moves.length ? line(sentence.moves) : null)))),
    h("p", { class: "note section" }, "Said by ", h("code", {}, done.player), ", from what it knows when it stops; values are ", words.toSide(done.turn), ", ", words.scaleWords(done.scale), "."),
    h("p", {}, this.shell.link({ ...this.here, room: "think", more: { player: done.player.replace(/\(.*/s, "") } }, "Watch it think", "button small")));
  }

  async follow(moves) {
    const found = await this.shell.attempt(() => position({ ...this.here, moves: [...this.here.moves, ...moves] }));
    if (found) { this.path = { moves, position: found }; this.draw(); }
  }

  draw() {
    const shown = this.path ? this.path.position : this.now;
    const arrows = [];
    if (!this.path && this.done && this.done.move) {
      const move = shown.moves.find((each) => each.name === this.done.move);
      if (move && move.gesture.length) arrows.push({ cells: move.gesture, tone: "best" });
    }
    this.board.show({ position: shown, ply: this.here.moves.length + (this.path ? this.path.moves.length : 0), live: !this.path && !shown.over, arrows, last: shown.last ? shown.last.cells : [] });
    put(this.caption, this.path ? [`As it expects: after ${this.path.moves.join(" ")}. `, button("Back", () => { this.path = null; this.draw(); }, { class: "small" })]
      : `${words.side(shown.turn)} to move. The ring marks the search's move; click to go on to another position.`);
  }

  /** One thought for each contender, two at a time, and the exact value if two seconds are enough. */
  async contenders(epoch) {
    const budget = /\b((?:nodes|seconds|units)=[\d.]+)/.exec(this.done.player);
    const asked = await this.shell.attempt(() => post("/api/contenders", { game: this.here.game, ...(budget ? { budget: budget[1] } : {}) }));
    if (!asked || epoch !== this.epoch) return;
    const rows = [{ player: SOLVE, exact: true }, ...asked.players.map((player) => ({ player }))];
    for (const row of rows) row.node = h("tr", {}, h("td", { class: "name" }, row.exact ? "exact value" : row.player), h("td", { colspan: 2, class: "note" }, "…"));
    put(this.others, h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, "search"), h("th", {}, "move"), h("th", { title: `each in its own unit, ${words.toSide(this.now.turn)}` }, "its value"))), h("tbody", {}, rows.map((row) => row.node)))),
      h("p", { class: "note" }, "Each value is in that search's own unit: they are not to be compared with each other."),
      asked.left_out && asked.left_out.length ? h("details", {}, h("summary", {}, `${asked.left_out.length} cannot play here`), asked.left_out.map((each) => h("p", { class: "note" }, h("code", {}, each.player), ": ", each.why))) : null);
    const waiting = [...rows];
    const work = async () => {
      for (let row = waiting.shift(); row && epoch === this.epoch; row = waiting.shift()) await this.contender(row);
    };
    await Promise.all([work(), work()]);
  }

  async contender(row) {
    const name = h("td", { class: "name" }, row.exact ? "exact value" : row.player);
    const plain = (text) => put(row.node, name, h("td", { colspan: 2, class: "note" }, text));
    plain([h("span", { class: "spinner" }), "thinking"]);
    try {
      const thought = await this.think(row.player);
      const done = await thought.ended;
      this.thoughts.delete(thought);
      thought.leave();
      if (row.exact && done.stopped !== "solved" && !done.proven) return plain("not known within two seconds");
      const same = done.move === this.done.move;
      const title = words.whose("value", done);
      return put(row.node, name, h("td", { class: `mono ${same ? "same" : "other"}`, title: same ? "the same move" : "another move" }, `${done.move}${same ? " ✓" : ""}`),
        h("td", { title }, valueText(done)));
    } catch (error) {
      if (error.name !== "AbortError") plain(error.message);
      return undefined;
    }
  }
}

function numbersTitle(sentence, done) {
  const told = Object.entries(sentence.numbers || {}).map(([name, value]) => `${name}: ${number(value)}`);
  return told.length ? `${told.join(", ")}; ${words.whose("values", done)}` : `said by ${done.player}`;
}

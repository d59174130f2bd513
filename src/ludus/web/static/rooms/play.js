// Play: a person or a search on each side; clicks, the list of moves, or a typed move.
import { button, h, put } from "../dom.js";
import { sleep } from "../api.js";
import { Board } from "../board.js";
import { LegalMoves, keepInView, playedList } from "../movelist.js";
import { draw, keyOf, position } from "../positions.js";
import { Thought } from "../thoughts.js";
import * as words from "../words.js";
import { gallery } from "./gallery.js";
import { layout } from "./play_layout.js";

export function play(shell, catalogue, first) {
  if (!first.game) return { show: () => put(shell.main, gallery(shell, catalogue)) };
  const room = new Play(shell, catalogue);
  return { show: (here) => room.show(here), leave: () => room.leave() };
}

class Play {
  constructor(shell, catalogue) {
    Object.assign(this, { shell, catalogue, here: null, now: null, view: null, thought: null, verdict: null, hint: null });
    this.resigned = null;
    this.epoch = 0;
    this.running = true;
    this.delay = 700;
    this.parts = layout(this);
    this.board = new Board(this.parts.board, { onmove: (name) => this.made(name) });
    this.legal = new LegalMoves((name) => this.made(name), (wrong) => shell.error(wrong));
    put(this.parts.legal, this.legal.node);
    put(shell.main, this.parts.node);
    this.onkey = (event) => this.key(event);
    addEventListener("keydown", this.onkey);
  }

  leave() {
    this.stop();
    removeEventListener("keydown", this.onkey);
  }

  get players() {
    const { first, second } = this.here.more;
    return [first || words.PERSON, second || this.catalogue.opponent];
  }

  get spectating() { return this.players.every((player) => player !== words.PERSON); }
  isPerson(turn) { return this.players[turn] === words.PERSON; }

  /** Another address: another position, or other players. */
  async show(here) {
    const changedPlayers = this.here && JSON.stringify(here.more) !== JSON.stringify(this.here.more);
    const same = this.here && keyOf(this.here) === keyOf(here) && !changedPlayers && this.now;
    if (same && this.thought) return;
    this.stop();
    if (!same) this.resigned = null;
    this.here = here;
    this.view = null;
    this.hint = null;
    if (!same && here.moves.length === 0) this.verdict = null;
    const step = this.epoch;
    this.parts.players(this.players);
    this.loading = true;
    const found = await this.shell.attempt(() => position(here));
    if (step !== this.epoch) return;
    this.loading = false;
    if (!found) { if (!this.now) this.parts.status("This position cannot be shown.", "bad"); return; }
    this.now = found;
    this.render();
    this.proceed();
  }

  stop() {
    this.epoch += 1;
    if (this.thought) this.thought.leave();
    this.thought = null;
  }

  get mine() {
    const { now } = this;
    return now && !this.loading && !now.over && this.resigned === null && !now.chance && !now.must_pass && this.isPerson(now.turn);
  }

  render() {
    const { now } = this;
    const shown = this.view ? this.view.position : now;
    const live = Boolean(this.mine && !this.view);
    this.board.show({ position: shown, ply: this.view ? this.view.ply : this.here.moves.length, live,
      last: shown.last ? [...shown.last.cells, ...(shown.last.cells.length ? [] : shown.last.changed)] : [],
      arrows: live && this.hint && this.hint.cells.length ? [{ cells: this.hint.cells }] : [] });
    this.legal.show(now.moves, live);
    this.parts.legal.hidden = now.over || this.resigned !== null || (!this.mine && this.spectating);
    const list = playedList(now.played || this.here.moves, this.view ? this.view.ply : this.here.moves.length, (ply) => this.look(ply));
    put(this.parts.played, list);
    keepInView(list);
    this.parts.update();
    this.say();
  }

  say() {
    const { now } = this;
    if (this.view) return this.parts.status(`Looking back at ply ${this.view.ply} of ${this.here.moves.length}.`, "");
    if (this.resigned !== null) return this.parts.status(`${words.side(this.resigned)} resigned: ${words.side(1 - this.resigned)} wins.`, "over");
    if (now.over) return this.parts.status(words.ending(now), "over");
    if (now.chance) return this.parts.status("The dice fall…", "busy");
    if (now.must_pass) return this.parts.status(`${words.side(1 - now.turn)} moves again.`, "busy");
    if (this.mine) {
      const who = this.players.every((player) => player === words.PERSON) ? `${words.side(now.turn)} to move` : "Your move";
      const forced = now.moves.length === 1 ? `: ${now.moves[0].name} is the only one` : "";
      return this.parts.status(`${who}${forced}.`, "mine");
    }
    if (this.spectating && !this.running) return this.parts.status(`Paused; ${words.playerName(this.players[now.turn])} is to move.`, "");
    return this.parts.status(`${words.playerName(this.players[now.turn])} is thinking…`, "busy");
  }

  /** What happens without the person: dice, forced passes, replies of searches. */
  async proceed() {
    const { now } = this;
    const step = this.epoch;
    if (now.over || this.resigned !== null || this.mine) return;
    if (this.spectating && !this.running) return;
    if (now.chance || now.must_pass) {
      await sleep(now.must_pass ? 250 : 600);
      if (step === this.epoch) this.advance(now.chance ? draw(now.moves).name : now.moves[0].name, true);
      return;
    }
    const since = performance.now();
    const done = await this.ask(this.players[now.turn]);
    if (step !== this.epoch || !done) return;
    if (this.spectating) await sleep(Math.max(0, this.delay - (performance.now() - since)));
    if (step === this.epoch && done.move) this.advance(done.move, true);
  }

  /** A search's opinion of the position that is shown; it speaks in the bar of who is ahead. */
  async ask(player) {
    const step = this.epoch;
    const { more, game, moves } = this.here;
    const done = await this.shell.attempt(async () => {
      const take = (name, data) => { if (name === "status" && step === this.epoch && data.words && data.status === "preparing") this.parts.status(`${data.words[0].toUpperCase()}${data.words.slice(1)}…`, "preparing"); };
      for (let again = false; ; again = true) {
        const thought = await Thought.start(this.here, player, { budget: more.budget, take, seed: moves.length });
        if (step !== this.epoch) { thought.leave(); return null; }
        this.thought = thought;
        try {
          return await thought.ended;
        } catch (error) {
          // The server was started anew meanwhile, and knows nothing of this search: it is asked once more.
          if (error.status !== 404 || again || step !== this.epoch) throw error;
        }
      }
    });
    if (step !== this.epoch) return null;
    this.thought = null;
    if (!done) { this.parts.status(`${words.playerName(player)} gave no move in ${game}; choose another player, or try again.`, "bad"); return null; }
    this.verdict = { ...done, ply: moves.length };
    this.parts.update();
    return done;
  }

  /** A person's move. */
  made(name) {
    if (!this.mine || this.view) return;
    this.shell.quiet();
    this.advance(name, false);
  }

  /** The replies of searches take the place of the position before them, so that the back button leads to the person's. */
  advance(name, replace) {
    this.go({ moves: [...this.here.moves, name] }, replace && !this.spectating);
  }

  go(what, replace = false) {
    const { room, game, state, moves, more } = this.here;
    this.shell.go({ room, game, state, moves, more, ...what }, { replace });
  }

  newGame() { this.resigned = null; this.now = null; this.go({ moves: [], state: null }); }

  swap() {
    const [first, second] = this.players;
    this.setPlayers([second, first]);
  }

  setPlayers([first, second]) {
    const more = { ...this.here.more };
    more.first = first === words.PERSON ? null : first;
    more.second = second === this.catalogue.opponent ? null : second;
    this.go({ more });
  }

  /** Back to the last position in which a person had a choice; between two searches, one ply. */
  async takeBack() {
    let { moves } = this.here;
    const step = this.epoch;
    this.resigned = null;
    this.running = false;
    while (moves.length) {
      moves = moves.slice(0, -1);
      const found = await this.shell.attempt(() => position({ ...this.here, moves }));
      if (!found || step !== this.epoch && this.spectating) return;
      if (this.spectating || (this.isPerson(found.turn) && !found.chance && !found.must_pass)) break;
    }
    this.verdict = null;
    this.go({ moves });
  }

  async askHint() {
    if (!this.mine) return;
    const adviser = this.players.find((player) => player !== words.PERSON) || this.catalogue.opponent;
    this.parts.status(`${words.playerName(adviser)} is thinking about a hint…`, "busy");
    const done = await this.ask(adviser);
    if (!done || !this.mine) return;
    const move = this.now.moves.find((each) => each.name === done.move);
    this.hint = { name: done.move, cells: (move && move.gesture) || [] };
    this.render();
    this.parts.status(`${done.player} would play ${done.move}.`, "mine");
  }

  resign() {
    if (!this.mine) return;
    this.stop();
    this.resigned = this.now.turn;
    this.render();
  }

  run(running) {
    this.running = running;
    this.stop();
    this.render();
    this.proceed();
  }

  async step() {
    this.running = false;
    this.stop();
    this.running = true;
    this.delay = 0;
    const done = this.proceed();
    await done;
    this.running = false;
    this.parts.update();
  }

  /** A position of the past, to look at only. */
  async look(ply) {
    if (ply === this.here.moves.length) { this.view = null; return this.render(); }
    const found = await this.shell.attempt(() => position({ ...this.here, moves: this.here.moves.slice(0, ply) }));
    if (!found) return undefined;
    this.view = { ply, position: found };
    return this.render();
  }

  playFromHere() {
    const { ply } = this.view;
    this.view = null;
    this.go({ moves: this.here.moves.slice(0, ply) });
  }

  key(event) {
    if (event.target.closest && event.target.closest("input, textarea, select, svg")) return;
    if (event.ctrlKey || event.altKey || event.metaKey || !this.now) return;
    const at = this.view ? this.view.ply : this.here.moves.length;
    if (event.key === "ArrowLeft" && at > 0) this.look(at - 1);
    else if (event.key === "ArrowRight" && at < this.here.moves.length) this.look(at + 1);
    else return;
    event.preventDefault();
  }
}

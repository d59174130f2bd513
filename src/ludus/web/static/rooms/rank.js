// Rank: the form of `ludus rank`, the table and the intervals growing, and the runs in the database.
import { button, field, framed, h, put } from "../dom.js";
import { events, get, post } from "../api.js";
import { Board } from "../board.js";
import { intervals } from "../chart.js";
import { number, percent, plural, short } from "../format.js";
import { playedList } from "../movelist.js";
import { budgetPicker, gamePicker } from "../picker.js";
import { position } from "../positions.js";
import * as words from "../words.js";

export function rank(shell, catalogue, first) {
  const room = new Rank(shell, catalogue, first);
  return { show: (here) => room.show(here), leave: () => room.leave() };
}

const PAGE = 50;

class Rank {
  constructor(shell, catalogue, first) {
    Object.assign(this, { shell, catalogue, here: first, job: null, stop: null });
    this.head = h("div", { class: "room-head" });
    this.form = h("form", { class: "card", onsubmit: (event) => { event.preventDefault(); this.start(); } });
    this.result = h("section", { class: "card", hidden: true, "aria-label": "the ranking" });
    this.runs = h("section", { class: "card" });
    this.game = h("section", { class: "card", hidden: true });
    put(shell.main, h("div", { class: "room rank" }, this.head, this.form, this.result, h("div", { class: "rank-grid" }, this.runs, this.game)));
    this.render = framed(() => this.draw());
    this.onsize = framed(() => this.draw());
    addEventListener("resize", this.onsize);
  }

  leave() {
    if (this.stop) this.stop.abort();
    removeEventListener("resize", this.onsize);
  }

  async show(here) {
    const first = this.shown !== here.game;
    this.here = here;
    this.shown = here.game;
    if (first) {
      put(this.head, gamePicker(this.catalogue, here.game, (game) => this.shell.go({ room: "rank", game, more: here.more })), h("h1", { class: "sr" }, "Rank"));
      this.drawForm();
      this.loadRuns();
    }
    const id = here.more.ranking;
    if (id && (!this.job || this.job.id !== id)) await this.open(id);
    else if (!id && !this.job) await this.findCurrent();
    if (here.more.run) await this.openRun(Number(here.more.run), Number(here.more.number) || 0);
  }

  drawForm() {
    const { game } = this.here;
    if (!game) return put(this.form, h("h2", {}, "Which search should play this game?"), h("p", { class: "note" }, "Choose a game above."));
    const contenders = this.catalogue.players.filter((each) => each.contender || each.own);
    const roster = h("textarea", { rows: 2, placeholder: "the contenders, or one spec a line: lcf, uct(nodes=500)", "aria-label": "players", spellcheck: "false", maxlength: 20000 });
    const adder = h("select", { "aria-label": "add a player", onchange: () => { if (adder.value) roster.value = `${roster.value.trim()}${roster.value.trim() ? "\n" : ""}${adder.value}`; adder.value = ""; roster.rows = Math.min(8, roster.value.split("\n").length + 1); } },
      h("option", { value: "" }, "add a player…"), contenders.map((each) => h("option", { value: each.player, title: each.about }, each.player)), this.catalogue.players.filter((each) => !contenders.includes(each)).map((each) => h("option", { value: each.player, title: each.about }, each.player)));
    const whole = (value, min, max) => h("input", { type: "number", value, min, max, inputmode: "numeric" });
    this.inputs = { roster, games: whole(2000, 2, 1000000), openings: whole(4, 0, 200), minutes: h("input", { type: "number", min: 0, max: 10000, step: "any", placeholder: "no limit" }), seed: whole(0, 0, 4294967295), budget: this.catalogue.budget, robin: h("input", { type: "checkbox" }) };
    return put(this.form, h("h2", {}, "Which search should play this game?"),
      h("div", { class: "rank-form" }, h("div", { class: "wide" }, field("Players", roster), adder),
        field("Budget of each move", budgetPicker(this.inputs.budget, (budget) => { this.inputs.budget = budget; })), field("Games in all", this.inputs.games), field("Random plies first", this.inputs.openings),
        field("Minutes at most", this.inputs.minutes), field("Random seed", this.inputs.seed), h("label", { class: "inline" }, this.inputs.robin, "everybody against everybody")),
      h("p", { class: "section row wrap" }, h("button", { class: "primary" }, "Start"), h("span", { class: "note" }, "The same run as ", h("code", {}, "ludus rank"), " with these settings: either goes on where the other stopped.")));
  }

  settings() {
    const { roster, games, openings, minutes, seed, budget, robin } = this.inputs;
    const players = roster.value.split("\n").map((line) => line.trim()).filter(Boolean);
    return { game: this.here.game, ...(players.length ? { players } : {}), budget, games: Number(games.value), openings: Number(openings.value), seed: Number(seed.value), ...(minutes.value ? { minutes: Number(minutes.value) } : {}), ...(robin.checked ? { round_robin: true } : {}) };
  }

  async start() {
    this.shell.quiet();
    const all = await this.shell.attempt(() => get("/api/rankings"));
    const busy = all && all.rankings.find((each) => !each.done && ["running", "preparing"].includes(each.status));
    if (busy) { this.shell.error(`A ranking of ${this.title(busy.game)} is under way; stop it first, or wait for its end.`); return; }
    const job = await this.shell.attempt(() => post("/api/rankings", this.settings()));
    if (job) { this.follow(job); this.address({ ranking: job.id }); }
  }

  address(more) {
    const { room, game } = this.here;
    this.shell.go({ room, game, more: { ...this.here.more, ...more } }, { replace: true });
  }

  /** A ranking of this server that is under way for this game is taken up. */
  async findCurrent() {
    if (!this.here.game) return;
    const found = await this.shell.attempt(() => get("/api/rankings"));
    const one = found && found.rankings.filter((each) => each.game === this.here.game).pop();
    if (one && !this.job) await this.open(one.id);
  }

  async open(id) {
    const job = await this.shell.attempt(() => get(`/api/rankings/${encodeURIComponent(id)}`));
    if (job) this.follow(job);
  }

  async follow(job) {
    if (this.stop) this.stop.abort();
    this.stop = new AbortController();
    const { signal } = this.stop;
    this.job = job;
    this.render();
    await this.shell.attempt(() => events(`/api/rankings/${encodeURIComponent(job.id)}/events`, (name, data) => {
      if (name === "table" || name === "done") this.job = { ...this.job, ...data };
      if (name === "status") Object.assign(this.job, data);
      if (name === "failed") { Object.assign(this.job, { status: "failed", ...data }); this.shell.error(data.error); }
      this.render();
      return name === "done" || name === "failed" ? "end" : undefined;
    }, signal));
    if (!signal.aborted) this.loadRuns();
  }

  title(game) {
    const found = this.catalogue.games.find((each) => each.game === game);
    return (found && found.title) || game;
  }

  async command(what) {
    const job = await this.shell.attempt(() => post(`/api/rankings/${encodeURIComponent(this.job.id)}`, { do: what }));
    if (job) this.follow(job);
  }

  draw() {
    const { job } = this;
    this.result.hidden = !job;
    if (!job) return;
    const { table, settings } = job;
    const running = ["running", "preparing"].includes(job.status);
    const chart = h("div", { class: "chart-box section" });
    put(this.result, h("div", { class: "section-head" }, h("h2", {}, `Ranking of ${this.title(job.game)}`),
      running ? button("Stop", () => this.command("stop")) : job.status === "stopped" ? button("▶ Go on", () => this.command("go on"), { class: "primary" }) : null),
    h("p", { class: "note", role: "status" }, running ? h("span", { class: "spinner" }) : null, `${capital(job.words || job.status)}${table ? `; ${plural(table.games, "game")}${settings && settings.games ? ` of ${short(settings.games)}` : ""}` : ""}${settings ? `, ${settings.budget || ""}, seed ${settings.seed}` : ""}.`),
    job.error ? h("p", { class: "status bad" }, job.error) : null,
    table && table.players.length ? [chart, ratings(table)] : h("p", { class: "note empty" }, "The table stands after the first games."));
    if (table && table.players.length) {
      intervals(chart, { x: "Elo with 95 % intervals; the mean of all is 0", rows: table.players.map((each) => ({ name: each.player.replace(/eval=[^,()]*(\([^()]*\))?, /, ""), value: each.rating, low: each.low, high: each.high, title: ratingTitle(each) })) });
    }
  }

  // The database.

  async loadRuns() {
    const found = await this.shell.attempt(() => get("/api/runs"));
    if (!found) return;
    const rows = found.runs.filter((run) => !this.here.game || run.game === this.here.game);
    put(this.runs, h("h2", {}, "Runs in the database"), rows.length ? h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, ["run", "game", "games", "status", "started"].map((name) => h("th", {}, name)))),
      h("tbody", {}, rows.slice(0, 60).map((run) => h("tr", { class: "run-row", onclick: () => this.openRun(run.run, 0), title: (run.players || []).join("  ") },
        h("td", {}, button(`${run.command} ${run.run}`, () => this.openRun(run.run, 0), { class: "quiet small" })), h("td", {}, run.game), h("td", {}, short(run.games)), h("td", {}, run.status), h("td", { class: "note" }, String(run.started).replace("T", " ").slice(0, 16))))))) : h("p", { class: "note" }, "None yet of this game."), h("p", { class: "note" }, "Database: ", h("code", {}, found.db)));
  }

  async openRun(run, from) {
    const found = await this.shell.attempt(() => get(`/api/runs/${run}/games?from=${from}&count=${PAGE}`));
    if (!found) return;
    this.game.hidden = false;
    const box = h("div", {});
    const result = (each) => (each.result === 1 ? "1 – 0" : each.result === -1 ? "0 – 1" : each.result === 0 ? "½ – ½" : "–");
    put(this.game, h("div", { class: "section-head" }, h("h2", {}, `Games of run ${run}`), h("span", { class: "row" }, button("‹", () => this.openRun(run, Math.max(0, from - PAGE)), { class: "small", disabled: from === 0, "aria-label": "earlier games" }),
      h("span", { class: "note" }, found.total ? `${from + 1} to ${from + found.games.length} of ${short(found.total)}` : "none"), button("›", () => this.openRun(run, from + PAGE), { class: "small", disabled: from + PAGE >= found.total, "aria-label": "later games" }))),
    box, h("div", { class: "scroll tree-box" }, h("table", {}, h("tbody", {}, found.games.map((each) => h("tr", { class: "run-row", onclick: () => this.step(box, found.game, each) },
      h("td", {}, button(`${each.number + 1}`, () => this.step(box, found.game, each), { class: "quiet small", "aria-label": `step through game ${each.number + 1}` })), h("td", { class: "name" }, `${each.players[0]} – ${each.players[1]}`), h("td", { title: `result to ${each.players[0]}` }, result(each)), h("td", { class: "note" }, plural(each.moves.length, "ply", "plies"))))))));
    if (found.games.length) this.step(box, found.game, found.games[0]);
    this.game.scrollIntoView({ block: "nearest" });
  }

  /** A game of the database, to be stepped through. */
  async step(box, game, played) {
    const boardBox = h("div", { class: "board-box" }), controls = h("div", { class: "row look-back" }), list = h("div", {});
    const board = new Board(boardBox);
    const total = played.moves.length;
    put(box, h("p", {}, h("b", {}, played.players[0]), " moves first against ", h("b", {}, played.players[1]), played.opening ? `, after ${plural(played.opening, "random ply", "random plies")}` : "", played.fault ? `; ${played.fault}` : "", "."), boardBox, controls, list);
    const show = async (at) => {
      const found = await this.shell.attempt(() => position({ game, moves: played.moves.slice(0, at) }));
      if (!found) return;
      board.show({ position: found, ply: at, last: found.last ? found.last.cells : [] });
      put(controls, button("«", () => show(0), { class: "small", disabled: at === 0, "aria-label": "first position" }), button("‹", () => show(at - 1), { class: "small", disabled: at === 0, "aria-label": "one ply back" }), h("span", { class: "note ply-count" }, `${at} of ${total}`),
        button("›", () => show(at + 1), { class: "small", disabled: at === total, "aria-label": "one ply forward" }), button("»", () => show(total), { class: "small", disabled: at === total, "aria-label": "last position" }), this.shell.link({ room: "review", game, moves: played.moves }, "Review it", "button small"));
      put(list, playedList(played.moves, at, show));
      if (at === total && found.over) list.append(h("p", { class: "note" }, words.ending(found)));
    };
    await show(total);
  }
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const ratingTitle = (each) => `${each.player}: ${number(each.rating, 0)} Elo, the roster's mean being 0; 95 % interval ${number(each.low, 0)} to ${number(each.high, 0)}; ${each.games} games`;

function ratings(table) {
  return h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, "player, with its budget"), h("th", { title: "Elo; the roster's mean is 0" }, "rating"), h("th", { title: "95 % interval of the rating" }, "interval"), h("th", {}, "games"), h("th", { title: "wins" }, "+"), h("th", { title: "draws" }, "="), h("th", { title: "losses" }, "−"), h("th", { title: "how likely it is better than the next one" }, "better"))),
    h("tbody", {}, table.players.map((each, i) => h("tr", { class: i === 0 ? "best" : "", title: ratingTitle(each) }, h("td", { class: "name" }, each.player), h("td", {}, number(each.rating, 0)), h("td", {}, `${number(each.low, 0)} … ${number(each.high, 0)}`),
      h("td", {}, short(each.games)), h("td", {}, short(each.wins)), h("td", {}, short(each.draws)), h("td", {}, short(each.losses)), h("td", {}, each.superiority === null || each.superiority === undefined ? "–" : percent(each.superiority)))))));
}

// One search, watched: its looks over time, its answer, the root's moves, charts and the tree.
import { button, h, put, throttled } from "./dom.js";
import { lines } from "./chart.js";
import { number, percent, seconds, short } from "./format.js";
import { DECIDED, childrenTable, stoppedWords, valueText } from "./known.js";
import { Thought } from "./thoughts.js";
import { Tree } from "./tree.js";
import * as words from "./words.js";

const MOST_LOOKS = 700;
const POINTS = 180;
const EVERY = 140, CHART_EVERY = 400;
const TONES = 6;

export class SearchPanel {
  /** `onlook()` after each news; `onnode(moves)` when a node of the tree is to be shown. */
  constructor(shell, letter, { onlook, onnode }) {
    Object.assign(this, { shell, letter, onlook });
    this.looks = [];
    this.at = null;
    this.thought = null;
    this.what = "";
    this.tree = new Tree(() => this.thought, onnode);
    this.head = h("div", { class: "panel-head" });
    this.answer = h("div", {});
    this.table = h("div", { class: "scroll" });
    this.chart = h("div", { class: "chart-box" });
    this.switch = h("div", { class: "segment", role: "group", "aria-label": "what the chart shows" });
    this.chartSection = h("div", { class: "section" }, h("div", { class: "section-head" }, h("h3", {}, "How it went"), this.switch), this.chart);
    this.node = h("section", { class: "card panel", "aria-label": `search ${letter.toUpperCase()}`, "data-search": letter },
      this.head, this.answer, h("div", { class: "section" }, h("h3", {}, "The moves at the root"), this.table), this.chartSection, this.tree.node);
    this.render = throttled(() => this.draw(), EVERY);
    this.renderChart = throttled(() => this.drawChart(), CHART_EVERY);
    this.drawSwitch();
  }

  get now() { return this.thought ? this.thought.now : null; }
  get status() { return this.now ? this.now.status : "none"; }
  get done() { return Boolean(this.now && this.now.done); }
  get last() { return this.looks[this.looks.length - 1] || null; }
  get steps() { return this.last ? this.last.step : 0; }

  async start(address, player, budget, paused) {
    this.leave();
    this.looks = [];
    if (player !== this.player) this.what = "";
    this.player = player;
    this.render();
    this.thought = await Thought.start(address, player, { budget, watch: true, paused, take: (name, data) => this.take(name, data) });
    this.thought.ended.catch((error) => { if (error.name !== "AbortError") this.shell.error(error.message); }).finally(() => { this.render(); this.onlook(); });
    this.tree.begin(this.now);
    this.render();
  }

  take(name, data) {
    if (name === "look" || name === "pass") this.add({ ...data, step: data.step ?? this.steps + 1 });
    if (name === "done") this.add({ ...data, ...data.meter, step: Math.max(this.steps, data.meter.expanded || this.steps) });
    this.tree.grown(this.last && this.last.size);
    this.render();
    this.onlook();
  }

  add(news) {
    const look = { ...news, by: new Map((news.children || []).map((child) => [child.move, child])) };
    if (this.last && this.last.step >= look.step) this.looks[this.looks.length - 1] = { ...this.last, ...look };
    else this.looks.push(look);
    if (this.looks.length > MOST_LOOKS) this.looks = this.looks.filter((one, i) => i % 2 === 0 || i > MOST_LOOKS - 60);
  }

  /** The look at a step of the past; the last one if `at` is null. */
  look() {
    if (this.at === null) return this.last;
    let found = this.looks[0] || null;
    for (const one of this.looks) if (one.step <= this.at) found = one;
    return found;
  }

  goTo(step) {
    this.at = step === null || step >= this.steps ? null : step;
    const look = this.look();
    this.tree.at(this.at === null ? null : look && look.size);
    this.render();
  }

  leave() {
    if (this.thought) this.thought.leave();
    this.thought = null;
    this.looks = [];
    this.at = null;
    this.tree.clear();
  }

  get about() { return { player: (this.now && this.now.player) || this.player, turn: this.now ? this.now.turn : null, scale: this.now && this.now.scale }; }

  drawSwitch() {
    put(this.switch, [["value", "Values"], ["share", "Effort"]].map(([key, label]) => button(label, () => { this.what = key; this.drawSwitch(); this.render(); }, { "aria-pressed": String(this.what === key) })));
  }

  draw() {
    const { now } = this;
    const look = this.look();
    const busy = ["preparing", "running"].includes(this.status);
    put(this.head, h("span", { class: `tag ${this.letter}` }, this.letter.toUpperCase()), h("h2", {}, (now && now.player) || this.player || ""),
      h("span", { class: "note" }, busy ? h("span", { class: "spinner" }) : null, this.state()));
    this.drawAnswer(look);
    put(this.table, childrenTable(look ? look.children || [] : [], { ...this.about, best: look && look.move, left: look && look.left_off, of: now && now.share_of }));
    this.renderChart();
  }

  state() {
    const { now } = this;
    if (!now) return "not started";
    if (now.status === "preparing") return now.words || "getting ready";
    if (now.status === "failed") return now.error || "failed";
    if (now.status === "done") return `finished: ${stoppedWords(now.stopped)}`;
    return now.status;
  }

  drawAnswer(look) {
    if (!look || (!look.move && !look.generated)) return put(this.answer, this.status === "preparing" ? h("div", { class: "progress", role: "progressbar", "aria-label": "getting ready" }) : h("p", { class: "note" }, "Nothing yet: press Run or a step."));
    const title = words.whose("the value of its move", this.about);
    const facts = [["expanded", short(look.expanded), "positions expanded"], ["generated", short(look.generated), "positions generated, which the budget counts"], ["evaluated", short(look.evaluated), "positions evaluated"],
      look.size ? ["in the tree", short(look.size), "nodes in the tree now"] : null, look.depth ? ["depth", look.depth, "plies deep in this pass"] : null, ["time", seconds(look.seconds), "searching, without compiling"]].filter(Boolean);
    const more = Object.entries(look.statistics || {}).filter(([name, value]) => typeof value === "number" && !(name === "depth" && look.depth)).map(([name, value]) => [name, number(value), `${name}, as this search counts it`]);
    return put(this.answer,
      h("p", { class: "answer" }, look.move ? ["plays ", h("b", {}, look.move), valueText(look) === "–" ? null : [h("span", { class: "note" }, ", worth "), h("span", { class: "value", title }, valueText(look)), h("span", { class: "note" }, ` ${words.toSide(this.about.turn)}`)]] : "no move yet"),
      look.line && look.line.length ? h("p", { class: "line", title: "the line that it expects" }, look.line.join(" ")) : null,
      h("dl", { class: "facts" }, [...facts, ...more].map(([name, value, about]) => h("div", { title: `${about}, by ${this.about.player}` }, h("dt", {}, name), h("dd", {}, value)))));
  }

  drawChart() {
    const all = this.looks.filter((one) => one.children && one.children.length);
    const every = Math.ceil(all.length / POINTS);
    const usable = all.filter((one, i) => i % every === 0 || i === all.length - 1);
    this.chartSection.hidden = usable.length < 2;
    if (usable.length < 2) return;
    if (!this.what) {
      this.what = usable.some((one) => one.children.some((child) => Number.isFinite(child.value))) ? "value" : "share";
      this.drawSwitch();
    }
    const isShare = this.what === "share";
    const last = usable[usable.length - 1];
    const read = (child) => (isShare ? child.share : child.value);
    const leading = [...last.children].sort((a, b) => (b.move === last.move) - (a.move === last.move) || (read(b) ?? -1e9) - (read(a) ?? -1e9)).slice(0, TONES).map((child) => child.move);
    const names = [...new Set(usable.flatMap((one) => one.children.map((child) => child.move)))];
    const series = names.map((name) => {
      const tone = leading.indexOf(name);
      return { name, tone: tone < 0 ? "rest" : tone, title: `${name}: ${isShare ? `share of the ${this.now.share_of || "effort"}` : words.whose("value", this.about)}`,
        points: usable.map((one) => { const child = one.by.get(name); return [one.step, child ? read(child) ?? null : null]; }) };
    }).sort((a, b) => (b.tone === "rest") - (a.tone === "rest"));
    if (!series.some((one) => one.points.some((p) => p[1] !== null))) { put(this.chart, h("p", { class: "note empty" }, `This search says nothing about ${isShare ? "shares of its effort" : "values"}.`)); return; }
    lines(this.chart, { series, x: last.expanded ? "expansions" : "steps", y: isShare ? "share" : "value", at: this.at === null ? null : this.look().step, range: isShare ? [0, 1] : openRange(series), format: isShare ? percent : number });
  }
}

/** Where a win is seen its number lies beyond all others: the axis then covers the others, and the line leaves it. */
function openRange(series) {
  const values = series.flatMap((one) => one.points.map((point) => point[1])).filter((value) => value !== null && Number.isFinite(value));
  const open = values.filter((value) => Math.abs(value) < DECIDED);
  if (open.length === values.length) return null;
  const [low, high] = open.length ? [Math.min(...open), Math.max(...open)] : [-1, 1];
  const pad = 0.15 * (high - low || Math.abs(high) || 1);
  return [low - pad, high + pad];
}

// The tree as an outline that opens on demand; a million nodes are asked for only as far as they are opened.
import { button, h, put } from "./dom.js";
import { get } from "./api.js";
import { number, percent, short } from "./format.js";
import { shareBar, valueText } from "./known.js";
import * as words from "./words.js";

const TOP = 12, EVERY = 900;

export class Tree {
  /** `thought()` is the search; `onnode(moves, state)` shows a node's position. */
  constructor(thought, onnode) {
    Object.assign(this, { thought, onnode });
    this.open = new Map();
    this.size = null;
    this.chosen = null;
    this.box = h("div", { class: "tree-box" });
    this.note = h("p", { class: "note" });
    this.node = h("details", { class: "section", hidden: true, ontoggle: () => this.refresh(true) }, h("summary", {}, "The tree"), this.note, this.box);
  }

  begin(now) {
    this.clear();
    this.node.hidden = now.watch === "numbers";
  }

  clear() {
    this.open = new Map([[0, { top: TOP, data: null }]]);
    this.size = null;
    this.chosen = null;
    put(this.box);
    put(this.note);
  }

  /** News of the search: what is open is asked for again, at most about once a second. */
  grown() {
    if (this.timer || !this.node.open) return;
    this.timer = setTimeout(() => { this.timer = null; this.refresh(); }, EVERY);
  }

  at(size) {
    if (size === this.size) return;
    this.size = size;
    this.grown();
  }

  async refresh(now = false) {
    const thought = this.thought();
    if (!this.node.open || !thought || (thought.now.status === "preparing" && !now)) return;
    if (thought.now.watch === "passes" && !thought.now.done) {
      put(this.note, "The tree can be opened when the search has ended.");
      return;
    }
    try {
      for (const [node, one] of this.open) {
        one.data = await this.ask(thought, node, one.top);
        if (this.thought() !== thought) return;
      }
      put(this.note, this.size ? "Which nodes were there at that time; values are those of now." : "Values are to the player to move at the node above. Click a move to see its position.");
      this.draw();
    } catch (error) {
      if (error.lost) return;
      put(this.note, error.message);
      put(this.box);
    }
  }

  ask(thought, node, top) {
    return get(`${thought.path}/tree?node=${node}&top=${top}${this.size ? `&at=${this.size}` : ""}`);
  }

  async toggle(node) {
    if (this.open.has(node)) this.open.delete(node);
    else {
      const thought = this.thought();
      try {
        this.open.set(node, { top: TOP, data: await this.ask(thought, node, TOP) });
      } catch (error) { put(this.note, error.message); }
    }
    this.draw();
  }

  async more(node) {
    this.open.get(node).top = Math.min(200, this.open.get(node).top * 4);
    await this.refresh();
  }

  draw() {
    const root = this.open.get(0);
    if (!root || !root.data) return;
    const focus = this.box.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    const where = this.box.scrollTop;
    put(this.box, this.head(root.data), h("ul", { class: "tree", role: "tree", "aria-label": "the tree of the search" }, this.children(root.data)));
    this.box.scrollTop = where;
    if (focus) { const again = [...this.box.querySelectorAll("[data-key]")].find((each) => each.dataset.key === focus); if (again) again.focus(); }
  }

  head(data) {
    const window_ = data.window ? `window (${data.window.map((end, i) => (end === null ? (i ? "∞" : "−∞") : number(end))).join(", ")})` : "";
    return h("div", { class: `tree-row ${this.chosen === 0 ? "here" : ""}` }, button("root", () => this.show(0, []), { class: "quiet tree-move", "data-key": "0", title: "show the root's position" }),
      h("span", { class: "own" }, `${short(data.size)} nodes ${window_}`));
  }

  children(data) {
    const rows = data.children.map((child) => this.row(data, child));
    if (data.cut && data.cut.length) rows.push(h("li", { role: "none" }, h("div", { class: "tree-row cut" }, h("span", { class: "own" }, `cut: ${data.cut.slice(0, 12).join(" ")}${data.cut.length > 12 ? " …" : ""}`))));
    if (data.left_off) rows.push(h("li", { role: "none" }, h("div", { class: "tree-row" }, button(`${short(data.left_off)} more`, () => this.more(data.node), { class: "quiet small", "data-key": `more ${data.node}` }))));
    return rows;
  }

  row(parent, child) {
    const isOpen = this.open.has(child.node);
    const data = isOpen && this.open.get(child.node).data;
    const own = words.ownFacts(child).filter(([, value]) => value !== null).slice(0, 4).map(([name, value]) => `${name} ${number(value)}`).join("  ");
    const title = `value ${words.toSide(parent.turn)}, who moves at the node above, said by ${this.thought().now.player}`;
    return h("li", { role: "treeitem", "aria-expanded": child.children ? String(isOpen) : null },
      h("div", { class: `tree-row ${this.chosen === child.node ? "here" : ""} ${child.cut ? "cut" : ""}` },
        child.children ? button(isOpen ? "▼" : "▶", () => this.toggle(child.node), { class: "quiet twist", "data-key": `t ${child.node}`, "aria-label": `${isOpen ? "close" : "open"} ${child.move}` }) : h("span", { class: "twist" }),
        button(child.move, () => this.show(child.node, [...(parent.moves || []), child.move]), { class: "quiet tree-move", "data-key": `m ${child.node}`, title: "show this position on the board" }),
        h("span", { class: "num", title }, valueText(child)), child.exact === false ? h("span", { class: "own", title: "only a bound" }, "bound") : null,
        h("span", { title: `share of the effort of the node above: ${percent(child.share)}` }, shareBar(child.share)),
        child.nodes ? h("span", { class: "own", title: "nodes below it" }, short(child.nodes)) : null, h("span", { class: "own", title: "the search's own numbers" }, own)),
      data ? h("ul", { role: "group" }, this.children(data)) : null);
  }

  show(node, moves) {
    this.chosen = node;
    this.draw();
    this.onnode(moves);
  }
}

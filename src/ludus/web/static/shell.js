// The frame around the rooms: header, navigation, notices, and how a room asks for another address.
import { button, h, put } from "./dom.js";
import * as address from "./address.js";
import { onConnection, tokenFragment } from "./api.js";

const NAMES = { play: ["Play", "Play"], think: ["Think", "Think"], why: ["Why this move?", "Why?"], review: ["Review", "Review"], rank: ["Rank", "Rank"] };
const THEMES = { auto: ["◐", "as the system"], light: ["☀", "light"], dark: ["☾", "dark"] };

export class Shell {
  constructor(root) {
    this.listeners = new Set();
    this.nav = h("nav", { class: "rooms", "aria-label": "rooms" });
    this.notice = h("div", { class: "notices", "aria-live": "polite" });
    this.main = h("main", { id: "room", tabindex: -1 });
    put(root,
      h("a", { class: "skip", href: "#room" }, "Skip to the room"),
      h("header", { class: "top" }, this.link({ room: "play", moves: [] }, [logo(), h("span", {}, "ludus")], "brand"), this.nav, this.theme()),
      this.notice, this.main);
    this.errorBox = null;
    this.lostBox = null;
    onConnection((lost) => this.connection(lost));
    addEventListener("popstate", () => this.tell());
  }

  onchange(listener) { this.listeners.add(listener); }

  tell() { for (const listener of this.listeners) listener(address.read()); }

  /** Goes to an address; `replace` keeps the back button where it is. */
  go(to, { replace = false } = {}) {
    const path = address.write(to);
    if (path === location.pathname + location.search) return this.tell();
    if (replace) history.replaceState(null, "", path);
    else history.pushState(null, "", path);
    this.tell();
  }

  link(to, content, kind = "") {
    const path = address.write(to);
    return h("a", {
      href: path + tokenFragment(), class: kind,
      onclick: (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
        event.preventDefault();
        this.go(to);
      },
    }, content);
  }

  /** The tabs lead to the same game and position in other rooms. */
  navigation(here) {
    const { game, state, moves } = here;
    put(this.nav, address.ROOMS.map((room) => {
      const [long, brief] = NAMES[room];
      const node = this.link({ room, game, state, moves: room === "rank" ? [] : moves }, [h("span", { class: "long" }, long), h("span", { class: "brief", "aria-hidden": "true" }, brief)], "tab");
      if (room === here.room) node.setAttribute("aria-current", "page");
      node.setAttribute("aria-label", long);
      return node;
    }));
    document.title = `${NAMES[here.room][0]}${game ? ` · ${game}` : ""} · ludus`;
  }

  theme() {
    const node = button("", () => {
      const order = Object.keys(THEMES);
      window.ludusTheme.set(order[(order.indexOf(window.ludusTheme.get()) + 1) % order.length]);
      show();
    }, { class: "theme quiet" });
    const show = () => {
      const [sign, words] = THEMES[window.ludusTheme.get()] || THEMES.auto;
      node.textContent = sign;
      node.title = `Colours: ${words}`;
      node.setAttribute("aria-label", `Colours: ${words}; change`);
    };
    show();
    return node;
  }

  /** One sentence about what went wrong; it goes at the next error, or by its button. */
  error(words) {
    this.quiet();
    this.errorBox = h("div", { class: "notice bad", role: "alert" }, h("span", {}, capital(String(words))), button("✕", () => this.quiet(), { class: "quiet small", "aria-label": "Dismiss" }));
    this.notice.append(this.errorBox);
  }

  quiet() {
    if (this.errorBox) this.errorBox.remove();
    this.errorBox = null;
  }

  /** A remark that goes by itself. */
  say(words) {
    const box = h("div", { class: "notice", role: "status" }, words);
    this.notice.append(box);
    setTimeout(() => box.remove(), 3500);
  }

  /** Runs `work` and shows its failure as a sentence; a lost connection has its own. */
  async attempt(work) {
    try {
      return await work();
    } catch (error) {
      if (error.name === "AbortError" || error.lost) return undefined;
      if (error.status === undefined) console.error(error);
      this.error(error.message || "Something went wrong on this page.");
      return undefined;
    }
  }

  connection(lost) {
    document.body.classList.toggle("lost", lost);
    if (this.lostBox) this.lostBox.remove();
    this.lostBox = null;
    if (lost) {
      this.lostBox = h("div", { class: "notice bad", role: "alert" }, h("span", { class: "spinner" }), "The connection to ludus is lost. This page goes on when it is there again.");
      this.notice.append(this.lostBox);
    } else {
      this.say("The connection is there again.");
      this.tell();
    }
  }
}

const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);

function logo() {
  return h("span", { class: "logo", "aria-hidden": "true" }, h("i", {}), h("i", {}), h("i", {}), h("i", {}));
}

// The page: takes the token, asks what there is, and shows the room that the address names.
import { h, put } from "./dom.js";
import * as address from "./address.js";
import { get, hasToken, takeToken } from "./api.js";
import { Shell } from "./shell.js";
import { play } from "./rooms/play.js";
import { think } from "./rooms/think.js";
import { why } from "./rooms/why.js";
import { review } from "./rooms/review.js";
import { rank } from "./rooms/rank.js";

const ROOMS = { play, think, why, review, rank };

class Page {
  constructor() {
    takeToken();
    this.shell = new Shell(document.getElementById("ludus"));
    this.room = null;
    this.catalogue = null;
    this.shell.onchange((here) => this.show(here));
    this.show(address.read());
    addEventListener("hashchange", () => {
      if (location.hash.includes("token=")) { takeToken(); this.catalogue = null; this.shell.tell(); }
    });
    addEventListener("pagehide", () => this.room && this.room.leave && this.room.leave());
  }

  async show(here) {
    this.wanted = here;
    this.shell.navigation(here);
    if (!hasToken()) return this.keyless();
    if (!this.catalogue && !(await this.load())) return undefined;
    if (this.wanted !== here) return undefined;
    const key = `${here.room} ${here.game ?? ""}`;
    if (!this.room || this.room.key !== key) {
      this.shell.quiet();
      if (this.room && this.room.leave) this.room.leave();
      put(this.shell.main);
      this.room = { key, ...ROOMS[here.room](this.shell, this.catalogue, here) };
    }
    return this.room.show(here);
  }

  async load() {
    const found = await this.shell.attempt(() => get("/api/games"));
    if (found) this.catalogue = found;
    else put(this.shell.main, h("p", { class: "loading" }, "Waiting for ludus…"));
    return Boolean(found);
  }

  keyless() {
    const input = h("input", { type: "text", "aria-label": "the address that ludus web printed", placeholder: "http://127.0.0.1:8425/#token=…", autocomplete: "off" });
    const open = (event) => {
      event.preventDefault();
      const token = input.value.trim().replace(/^.*token=/, "");
      if (token) location.hash = `token=${token}`;
    };
    put(this.shell.main, h("section", { class: "card narrow" }, h("h1", {}, "This page needs its key"),
      h("p", {}, "Open the address that ", h("code", {}, "ludus web"), " printed in the terminal, or paste it here."),
      h("form", { class: "row", onsubmit: open }, input, h("button", { class: "primary" }, "Open"))));
  }
}

new Page();

// A search on the server: started, watched through its events, ended.
import { events, get, post, remove, removeAtOnce } from "./api.js";
import { where } from "./address.js";

export class Thought {
  /** `take(event, data)` sees every event. */
  constructor(object, take = () => {}) {
    this.id = object.id;
    this.now = object;
    this.stop = new AbortController();
    this.ended = this.follow(take);
    this.ended.catch(() => {});
  }

  static async start(address, player, { budget, watch = false, paused = false, take, seed } = {}) {
    const asked = { ...where(address), player, ...(budget ? { budget } : {}), ...(watch ? { watch } : {}), ...(paused ? { paused } : {}), ...(seed !== undefined ? { seed } : {}) };
    return new Thought(await post("/api/thoughts", asked), take);
  }

  get path() { return `/api/thoughts/${encodeURIComponent(this.id)}`; }

  /** Resolves to the finished object; fails with the sentence if the search failed, or with AbortError if it was left. */
  async follow(take) {
    let over = null;
    if (this.now.done || this.now.status === "failed") over = this.now;
    else {
      await events(`${this.path}/events`, (name, data) => {
        if (name === "status") Object.assign(this.now, data);
        if (name === "failed") over = { ...this.now, status: "failed", error: data.error };
        if (name === "done") over = data;
        if (over) this.now = over;
        take(name, data);
        return over ? "end" : undefined;
      }, this.stop.signal);
    }
    if (this.stop.signal.aborted) throw new DOMException("left", "AbortError");
    if (!over) over = this.now = await get(this.path, this.stop.signal);
    if (over.status === "failed") throw Object.assign(new Error(over.error || "The search failed."), { status: 500 });
    return over;
  }

  async command(what, more = {}) {
    const object = await post(this.path, { do: what, ...more });
    if (!this.now.done && object) this.now = object;
    return object;
  }

  /** Ends it on the server too; nothing is heard of it any more. */
  leave() {
    if (this.stop.signal.aborted) return;
    this.stop.abort();
    if (this.now.done) remove(this.path).catch(() => {});
    else removeAtOnce(this.path);
  }
}

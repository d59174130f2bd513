// The server's JSON API: requests with the token, events that survive a lost connection, and who is told of it.

const KEY = "ludus-token";
let token = null;
let lost = false;
const listeners = new Set();

/** Takes the token out of the address's fragment, where only this page can see it. */
export function takeToken() {
  const found = /(?:^#|&)token=([^&]+)/.exec(location.hash);
  try {
    if (found) sessionStorage.setItem(KEY, decodeURIComponent(found[1]));
    token = found ? decodeURIComponent(found[1]) : sessionStorage.getItem(KEY);
  } catch {
    token = found ? decodeURIComponent(found[1]) : token;
  }
  if (found) history.replaceState(history.state, "", location.pathname + location.search);
  return token;
}

export const hasToken = () => Boolean(token);
export const tokenFragment = () => (token ? `#token=${encodeURIComponent(token)}` : "");

/** Calls back with true when the connection is lost, and with false when it is there again. */
export function onConnection(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(isLost) {
  if (isLost === lost) return;
  lost = isLost;
  for (const listener of listeners) listener(lost);
  if (lost) watch();
}

let watching = false;

async function watch() {
  if (watching) return;
  watching = true;
  for (let wait = 500; lost; wait = Math.min(4000, wait * 1.5)) {
    await sleep(wait);
    try {
      await fetch("/api/ping", { headers: headers(), cache: "no-store" });
      tell(false);
    } catch { /* still away */ }
  }
  watching = false;
}

export const sleep = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const headers = () => (token ? { Authorization: `Bearer ${token}` } : {});

/** A refusal of the server: its message is a sentence to show. `lost` tells a lost connection apart. */
export class ApiError extends Error {
  constructor(message, status = 0) {
    super(message);
    this.status = status;
    this.lost = status === 0;
  }
}

async function request(method, path, body, signal) {
  let response;
  const options = { method, headers: headers(), signal, cache: "no-store" };
  if (body !== undefined) {
    options.body = JSON.stringify(body);
    options.headers["Content-Type"] = "application/json";
  }
  try {
    response = await fetch(path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    tell(true);
    throw new ApiError("The connection to ludus is lost.");
  }
  tell(false);
  if (!response.ok) throw new ApiError(await sentence(response), response.status);
  return response;
}

async function sentence(response) {
  const text = await response.text().catch(() => "");
  try {
    const found = JSON.parse(text);
    const words = found.error ?? found.message ?? found.detail;
    if (typeof words === "string" && words) return words;
    if (words && typeof words.message === "string") return words.message;
  } catch { /* not JSON */ }
  if (response.status === 401 || response.status === 403) return "This page has no valid key: open the address that `ludus web` printed.";
  return text && text.length < 300 && !text.includes("<") ? text : `The server refused (${response.status}).`;
}

const parsed = async (promise) => {
  const response = await promise;
  return response.status === 204 ? null : response.json();
};

export const get = (path, signal) => parsed(request("GET", path, undefined, signal));
export const post = (path, body = {}, signal) => parsed(request("POST", path, body, signal));
export const remove = (path) => parsed(request("DELETE", path));

/** Ends something of ours when the page goes, which a usual request would not survive. */
export const removeAtOnce = (path) => {
  try { fetch(path, { method: "DELETE", headers: headers(), keepalive: true }).catch(() => {}); } catch { /* gone */ }
};

/**
 * Server-sent events from `path`, each given to `take(event, data)`; returns when the stream has ended for good.
 * After a broken connection it asks again for the events after the last one that it has.
 */
export async function events(path, take, signal) {
  let last = 0;
  for (let wait = 300; !signal.aborted; wait = Math.min(4000, wait * 1.6)) {
    try {
      const joint = path.includes("?") ? "&" : "?";
      const response = await request("GET", last ? `${path}${joint}after=${last}` : path, undefined, signal);
      for await (const event of messages(response.body)) {
        wait = 300;
        if (event.id) last = Number(event.id);
        const data = event.data ? JSON.parse(event.data) : null;
        if (take(event.name, data) === "end") return;
      }
      return;
    } catch (error) {
      if (signal.aborted || error.name === "AbortError") return;
      if (error instanceof ApiError && !error.lost) throw error;
      if (!(error instanceof ApiError) && !(error instanceof TypeError)) throw error;
      await sleep(wait);
    }
  }
}

async function* messages(stream) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      text += value.replaceAll("\r", "");
      for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
        const event = parse(text.slice(0, end));
        text = text.slice(end + 2);
        if (event) yield event;
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

function parse(block) {
  const event = { name: "message", data: "", id: "" };
  let any = false;
  for (const line of block.split("\n")) {
    if (line.startsWith(":") || !line) continue;
    any = true;
    const place = line.indexOf(":");
    const name = place < 0 ? line : line.slice(0, place);
    const value = place < 0 ? "" : line.slice(place + 1).replace(/^ /, "");
    if (name === "data") event.data += (event.data ? "\n" : "") + value;
    else if (name === "event") event.name = value;
    else if (name === "id") event.id = value;
  }
  return any ? event : null;
}

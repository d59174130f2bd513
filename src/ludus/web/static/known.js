// What a search knows of moves, in words and tables.
import { h } from "./dom.js";
import { number, percent, short } from "./format.js";
import * as words from "./words.js";

export const stoppedWords = (stopped) => ({ nodes: "its nodes are spent", seconds: "its time is spent", units: "its units are spent", depth: "its depth is reached", memory: "its memory is full", sure: "it is sure", solved: "it is solved", exhausted: "nothing is left to search", interrupted: "it was stopped" }[stopped] || stopped || "done");

const known = (value) => value !== null && value !== undefined;

/** Evaluators' numbers from here on mean that the game is decided. */
export const DECIDED = 1e5;

/** Whether a value is a result of the game, which evaluators write as a number beyond all others: "win by 12" says it. */
export const isDecided = (what) => /^[a-z]/i.test(what.said ?? "");

/** A value in words: what is proven as the game says it; a bound as a bound. */
export function valueText(what) {
  const { value, low, high } = what;
  if (what.said && (what.proven || isDecided(what))) return what.said.replace(/^-/, "\u2212");
  if (known(low) && known(high) && (!known(value) || value < low || value > high)) return low === high ? number(low) : `${number(low)} … ${number(high)}`;
  if (known(high) && !known(low) && (!known(value) || value === high)) return `≤ ${number(high)}`;
  if (known(low) && !known(high) && (!known(value) || value === low)) return `≥ ${number(low)}`;
  return number(value);
}

/** The root's moves: the best first, each with what this search knows of it. */
export function childrenTable(children, { player, turn, scale, best, left = 0, of, onrow }) {
  if (!children.length) return h("p", { class: "note empty" }, "It has said nothing of the moves yet.");
  const sorted = [...children].sort((a, b) => (b.move === best) - (a.move === best) || (b.value ?? b.high ?? -Infinity) - (a.value ?? a.high ?? -Infinity) || (b.share ?? 0) - (a.share ?? 0));
  const facts = [...new Set(sorted.flatMap((child) => words.ownFacts(child).map(([name]) => name)))].filter((name) => sorted.some((child) => child[name] !== null && child[name] !== undefined));
  const bounds = sorted.some((child) => isBound(child));
  const shares = sorted.some((child) => child.share !== null && child.share !== undefined);
  const title = words.whose("value", { player, turn, scale });
  const head = h("tr", {}, h("th", { scope: "col" }, "move"), h("th", { scope: "col", title }, "value"), bounds ? h("th", { scope: "col", title: `between which bounds it lies; ${title}` }, "bounds") : null,
    shares ? h("th", { scope: "col", title: `share of the ${of || "effort"}` }, "effort") : null, facts.map((name) => h("th", { scope: "col", title: `${words.factTitle(name)}; ${player}` }, name)));
  const row = (child) => h("tr", { class: child.move === best ? "best" : "", "data-row": onrow ? child.move : null, onclick: onrow ? () => onrow(child) : null },
    h("td", { class: "mono" }, child.move), h("td", { title }, valueText(child), child.proven ? h("span", { title: "proven", class: "note" }, " ✓") : null),
    bounds ? h("td", { title: `bounds; ${title}` }, isBound(child) ? `${number(child.low)} … ${number(child.high)}` : "") : null,
    shares ? h("td", { title: `share of the ${of || "effort"}, ${player}` }, shareBar(child.share), " ", percent(child.share)) : null,
    facts.map((name) => h("td", { title: `${words.factTitle(name)}; ${player}` }, number(child[name]))));
  return [h("table", {}, h("thead", {}, head), h("tbody", {}, sorted.map(row))), left ? h("p", { class: "note" }, `and ${short(left)} more`) : null];
}

const isBound = (child) => child.low !== null && child.low !== undefined && child.high !== null && child.high !== undefined && child.low !== child.high;

export function shareBar(share) {
  const bar = h("span", { class: "share", "aria-hidden": "true" }, h("i", {}));
  bar.firstChild.style.setProperty("--share", `${(100 * (share ?? 0)).toFixed(1)}%`);
  return bar;
}

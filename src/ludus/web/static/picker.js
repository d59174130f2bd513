// Choosing who plays: a person, a search with a budget, or any spec as text.
import { button, h, put, select } from "./dom.js";
import { PERSON } from "./words.js";

const FAMILIES = [["best-first", "Best-first"], ["full-width", "Full-width"], ["sampling", "Sampling"], ["", "Other"]];
const BUDGETS = [["nodes=200", "200 nodes"], ["nodes=2000", "2,000 nodes"], ["nodes=20000", "20,000 nodes"], ["nodes=200000", "200,000 nodes"], ["seconds=1", "1 second"], ["seconds=5", "5 seconds"]];

/** "lcf(nodes=2000)" is a search and a budget; a spec with more in it is only text. */
export function parts(spec) {
  const found = /^([\w-]+)(?:\(((?:nodes|seconds|units|depth)=[\d.]+)?\))?$/.exec(spec.trim());
  return found ? { name: found[1], budget: found[2] ?? "" } : null;
}

/**
 * A control for one player. `onchange(spec)` is called with the new one; `person` says whether it may be a person,
 * `budget` whether the budget is chosen here as well.
 */
export function playerPicker(catalogue, spec, onchange, { person = false, budget = true, watch = false, none = null, label = "player" } = {}) {
  const box = h("span", { class: "picker" });
  let current = spec, asText = false;
  const change = (next) => { current = next; draw(); onchange(next); };
  const listed = catalogue.players.filter((each) => !watch || each.watch !== "none");
  const draw = () => {
    const found = current === PERSON || current === "" ? { name: current, budget: "" } : parts(current);
    const inList = found && (found.name === PERSON || found.name === "" || listed.some((each) => each.player === found.name));
    const own = listed.some((each) => each.player === current && each.own);
    if (asText || (!inList && !own)) return put(box, text());
    const chosen = own ? current : found.name;
    const who = h("select", { "aria-label": label, onchange: () => choose(who.value) },
      none ? h("option", { value: "" }, none) : null,
      person ? h("option", { value: PERSON }, "A person (you)") : null,
      groups(listed).map(([title, players]) => h("optgroup", { label: title }, players.map((each) => h("option", { value: each.player, title: each.about }, each.player)))));
    who.value = chosen;
    const isSearch = chosen && chosen !== PERSON;
    put(box, who, isSearch && budget && !own ? budgets(found.budget) : null,
      isSearch ? button("edit", () => { asText = true; draw(); }, { class: "quiet small", title: "Write the player as a spec, with its parameters", "aria-label": `write the ${label} as text` }) : null);
    return undefined;
  };
  const choose = (name) => {
    const own = listed.some((each) => each.player === name && each.own);
    if (!name || name === PERSON || own || !budget) return change(name);
    const before = current && current !== PERSON && parts(current);
    return change(`${name}(${(before && before.budget) || defaultBudget(catalogue)})`);
  };
  const budgets = (now) => {
    const value = now || defaultBudget(catalogue);
    const options = BUDGETS.some(([key]) => key === value) ? BUDGETS : [[value, value.replace("=", " = ")], ...BUDGETS];
    return select(options, value, (next) => change(`${parts(current).name}(${next})`), { "aria-label": `budget of the ${label}`, title: "How much effort one move may cost" });
  };
  const text = () => {
    const input = h("input", { type: "text", value: current === PERSON ? "" : current, "aria-label": `${label} as a spec`, spellcheck: "false", placeholder: "lcf(nodes=2000)", maxlength: 300 });
    const done = () => { if (input.value.trim()) { asText = false; change(input.value.trim()); } };
    input.addEventListener("keydown", (event) => { if (event.key === "Enter") { event.preventDefault(); done(); } });
    return [input, button("set", done, { class: "small" }), button("list", () => { asText = false; change(person ? PERSON : catalogue.opponent); }, { class: "quiet small" })];
  };
  draw();
  return box;
}

const defaultBudget = (catalogue) => catalogue.budget || "nodes=2000";

function groups(players) {
  const own = players.filter((each) => each.own);
  const rest = FAMILIES.map(([family, title]) => [title, players.filter((each) => !each.own && (each.family || "") === family)]);
  return [["Yours", own], ...rest].filter(([, some]) => some.length);
}

/** A control for the game; `onchange(game)`. */
export function gamePicker(catalogue, game, onchange) {
  const names = catalogue.games.map((each) => each.game);
  const options = catalogue.games.map((each) => [each.game, each.title || each.game]);
  if (game && !names.includes(game)) options.unshift([game, game]);
  const own = new Set(catalogue.games.filter((each) => each.own).map((each) => each.game));
  const mine = options.filter(([name]) => own.has(name)), others = options.filter(([name]) => !own.has(name));
  const node = h("select", { "aria-label": "game", class: "game-select", onchange: () => onchange(node.value) },
    game ? null : h("option", { value: "" }, "Choose a game…"),
    mine.length ? h("optgroup", { label: "Yours" }, mine.map(([name, title]) => h("option", { value: name }, title))) : null,
    others.map(([name, title]) => h("option", { value: name }, title)));
  node.value = game || "";
  return node;
}

export const budgetPicker = (value, onchange) => {
  const options = BUDGETS.some(([key]) => key === value) ? BUDGETS : [[value, value.replace("=", " = ")], ...BUDGETS];
  return select(options, value, onchange, { "aria-label": "budget", title: "How much effort each search may spend" });
};

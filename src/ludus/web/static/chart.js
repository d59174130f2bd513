// Charts as SVG: lines over expansions, bars move by move, intervals of ratings.
import { h, put, s } from "./dom.js";
import { number, short } from "./format.js";

/** About `count` round numbers that cover low to high. */
export function ticks(low, high, count = 5) {
  if (!(high > low)) { const pad = Math.abs(low) > 1 ? Math.abs(low) / 2 : 1; [low, high] = [low - pad, high + pad]; }
  const rough = (high - low) / count, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((m) => m >= rough) || 10 * power;
  const found = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++) found.push(Number((i * step).toPrecision(12)));
  return found;
}

const frame = (width, height, label) => s("svg", { viewBox: `0 0 ${width} ${height}`, class: "chart", role: "img", "aria-label": label, width, height });
const text = (x, y, words, kind = "", more = {}) => s("text", { x: x.toFixed(1), y: y.toFixed(1), class: `axis ${kind}`, ...more }, words);

/**
 * Lines: `series` is a list of {name, points: [[x, y]], tone, title}; a gap stands where y is null.
 * `x` and `y` are the words below and beside; `at` draws an upright line there; `range` fixes the y axis.
 */
export function lines(box, { series, x, y, at = null, width: fixed, height = 220, range = null, format = number, xmax = null }) {
  const width = fixed || Math.max(280, Math.round(box.clientWidth || 480));
  const all = series.flatMap((one) => one.points.filter((p) => p[1] !== null && Number.isFinite(p[1])));
  if (!all.length) return put(box, h("p", { class: "note empty" }, "Nothing to draw yet."));
  const top = 10, bottom = 38, left = 52, right = 74;
  const xs = all.map((p) => p[0]), ys = all.map((p) => p[1]);
  const ax = [Math.min(...xs), Math.max(xmax ?? -Infinity, ...xs)];
  let [low, high] = range || [Math.min(...ys), Math.max(...ys)];
  if (!range) { const pad = (high - low || Math.abs(high) || 1) * 0.08; low -= pad; high += pad; }
  const px = (v) => left + (width - left - right) * (ax[1] > ax[0] ? (v - ax[0]) / (ax[1] - ax[0]) : 0.5);
  const py = (v) => top + (height - top - bottom) * (1 - (Math.min(high, Math.max(low, v)) - low) / (high - low));
  const root = frame(width, height, `${y} over ${x}: ${series.map((one) => one.name).join(", ")}`);
  for (const v of ticks(low, high, 4)) if (v >= low && v <= high) root.append(s("path", { d: `M${left} ${py(v).toFixed(1)}H${width - right}`, class: v === 0 ? "zero" : "gridline" }), text(left - 6, py(v) + 4, format(v), "end"));
  for (const v of ticks(ax[0], ax[1], Math.max(2, Math.round(width / 130)))) if (v >= ax[0] && v <= ax[1]) root.append(text(px(v), height - bottom + 16, short(v), "mid"));
  root.append(text((left + width - right) / 2, height - 4, x, "mid name"), s("text", { class: "axis mid name", transform: `translate(12 ${(height - bottom + top) / 2}) rotate(-90)` }, y));
  const ends = [];
  for (const one of series) {
    let d = "", pen = "M";
    for (const [a, b] of one.points) {
      if (b === null || !Number.isFinite(b)) { pen = "M"; continue; }
      d += pen === "M" ? `M${px(a).toFixed(1)} ${py(b).toFixed(1)}` : `H${px(a).toFixed(1)}V${py(b).toFixed(1)}`;
      pen = "L";
    }
    root.append(s("path", { d, class: `line tone-${one.tone}` }, s("title", {}, one.title || one.name)));
    const last = one.points.filter((p) => p[1] !== null && Number.isFinite(p[1])).pop();
    if (last) {
      root.append(s("circle", { cx: px(last[0]).toFixed(1), cy: py(last[1]).toFixed(1), r: 2.6, class: `end-dot tone-${one.tone}` }));
      if (one.tone !== "rest") ends.push({ y: py(last[1]), name: one.name, tone: one.tone });
    }
  }
  for (const end of apart(ends, 13, top + 6, height - bottom)) root.append(text(width - right + 8, end.y + 4, end.name.slice(0, 9), `label tone-${end.tone}`));
  if (at !== null) root.append(s("path", { d: `M${px(at).toFixed(1)} ${top}V${height - bottom}`, class: "now" }));
  return put(box, root);
}

/** Labels that would overlap are moved apart, in their order. */
function apart(labels, gap, top, bottom) {
  const sorted = labels.sort((a, b) => a.y - b.y);
  for (let i = 0; i < sorted.length; i++) sorted[i].y = Math.max(sorted[i].y, i ? sorted[i - 1].y + gap : top);
  for (let i = sorted.length - 1, limit = bottom; i >= 0; i--, limit -= gap) sorted[i].y = Math.min(sorted[i].y, limit);
  return sorted;
}

/** Who was ahead, move by move: bars up for the first player and down for the second; a click goes there. */
export function advantage(box, { rows, at, worst = [], onclick, title, span }) {
  const width = Math.max(300, Math.round(box.clientWidth || 600)), height = 190;
  const left = 48, right = 8, top = 12, bottom = 30, middle = (top + height - bottom) / 2;
  const values = rows.map((row) => row.first).filter((v) => v !== null && Number.isFinite(v));
  const most = span || Math.max(1e-9, ...values.map(Math.abs));
  const step = (width - left - right) / Math.max(1, rows.length);
  const root = frame(width, height, "who was ahead, move by move");
  const py = (v) => middle - Math.max(-1, Math.min(1, v / most)) * (middle - top);
  root.append(s("path", { d: `M${left} ${middle}H${width - right}`, class: "zero" }),
    text(left - 6, top + 8, "First", "end"), text(left - 6, height - bottom, "Second", "end"), text(left - 6, middle + 4, "even", "end"));
  rows.forEach((row, i) => {
    const x = left + i * step, bad = worst.indexOf(row.ply);
    const group = s("g", { class: `bar ${row.ply === at ? "here" : ""}`, tabindex: 0, role: "button", "aria-label": title(row), onclick: () => onclick(row),
      onkeydown: (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); onclick(row); } } },
    s("title", {}, title(row)), s("rect", { x, y: top, width: step, height: height - top - bottom, class: "hit" }));
    if (row.first !== null && Number.isFinite(row.first)) {
      const y = py(row.first);
      group.append(s("rect", { x: x + step * 0.1, y: Math.min(y, middle) - (y === middle ? 1 : 0), width: Math.max(1, step * 0.8), height: Math.max(2, Math.abs(y - middle)), rx: Math.min(2, step / 4), class: row.first >= 0 ? "up" : "down" }));
    }
    if (bad >= 0) group.append(s("path", { d: `M${x + step / 2} ${height - bottom + 3}l5 8h-10Z`, class: "worst" }));
    root.append(group);
  });
  for (const v of ticks(0, rows.length - 1, Math.round(width / 90))) if (Number.isInteger(v) && rows[v]) root.append(text(left + (v + 0.5) * step, height - 4, String(rows[v].ply), "mid"));
  return put(box, root);
}

/** Ratings with their intervals: `rows` are {name, value, low, high, title}, the best first. */
export function intervals(box, { rows, x }) {
  const width = Math.max(300, Math.round(box.clientWidth || 600)), line = 26, top = 6;
  const left = Math.min(220, width * 0.4), right = 16, height = top + rows.length * line + 40;
  const numbers = rows.flatMap((row) => [row.value, row.low, row.high]).filter((v) => v !== null && Number.isFinite(v));
  if (!numbers.length) return put(box, h("p", { class: "note empty" }, "Nothing to draw yet."));
  const values = rows.map((row) => row.value).filter(Number.isFinite);
  const reach = Math.max(50, Math.max(...values) - Math.min(...values));
  // An interval of a player with hardly any games would ruin the scale: it is cut, with an arrow.
  const low = Math.max(Math.min(...numbers), Math.min(...values) - reach), high = Math.min(Math.max(...numbers), Math.max(...values) + reach);
  const px = (v) => left + (width - left - right) * (high > low ? (Math.min(high, Math.max(low, v)) - low) / (high - low) : 0.5);
  const root = frame(width, height, `${x}: ${rows.map((row) => `${row.name} ${number(row.value, 0)}`).join(", ")}`);
  for (const v of ticks(low, high, Math.max(4, Math.round(width / 140)))) if (v >= low && v <= high) root.append(s("path", { d: `M${px(v).toFixed(1)} ${top}V${height - 36}`, class: v === 0 ? "zero" : "gridline" }), text(px(v), height - 20, number(v, 0), "mid"));
  root.append(text((left + width - right) / 2, height - 3, x, "mid name"));
  rows.forEach((row, i) => {
    const y = top + (i + 0.5) * line;
    const name = row.name.length * 6.8 > left - 12 ? `${row.name.slice(0, Math.floor((left - 20) / 6.8))}…` : row.name;
    const group = s("g", { class: "interval" }, s("title", {}, row.title || row.name), s("rect", { x: 0, y: y - line / 2, width, height: line, class: "hit" }), text(left - 10, y + 4, name, "end strong"));
    if (Number.isFinite(row.value) && row.value !== null) {
      const a = px(row.low ?? low), b = px(row.high ?? high);
      group.append(s("path", { d: `M${a.toFixed(1)} ${y}H${b.toFixed(1)}`, class: "span" }), s("circle", { cx: px(row.value).toFixed(1), cy: y, r: 5, class: "point" }));
    }
    root.append(group);
  });
  return put(box, root);
}

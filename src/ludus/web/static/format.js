// Numbers as people read them, and the titles that say whose they are.

const MINUS = "\u2212";

/** A value: up to three digits after the point, none where they are zeros; unknown is a dash. */
export function number(value, digits = 2) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : `${MINUS}∞`;
  const size = Math.abs(value);
  const text = size >= 1e6 ? short(size) : size >= 1000 ? Math.round(size).toLocaleString("en") : trim(size.toFixed(digits));
  return value < 0 && text !== "0" ? MINUS + text : text;
}

/** With its sign, for a value that is somebody's advantage. */
export const signed = (value, digits = 2) =>
  typeof value === "number" && value > 0 && number(value, digits) !== "0" ? `+${number(value, digits)}` : number(value, digits);

const trim = (text) => (text.includes(".") ? text.replace(/0+$/, "").replace(/\.$/, "") : text);

/** A count, shortened from ten thousand on: 12.3 k, 4.5 M. */
export function short(count) {
  if (count === null || count === undefined) return "–";
  if (count < 10000) return Math.round(count).toLocaleString("en");
  for (const [size, unit] of [[1e9, "G"], [1e6, "M"], [1e3, "k"]]) {
    if (count >= size) return `${trim((count / size).toFixed(count / size < 100 ? 1 : 0))} ${unit}`;
  }
  return String(count);
}

export const percent = (share) => (share === null || share === undefined ? "–" : `${trim((100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0))} %`);

export function seconds(value) {
  if (value === null || value === undefined) return "–";
  if (value < 1) return `${Math.max(1, Math.round(value * 1000))} ms`;
  return value < 90 ? `${trim(value.toFixed(1))} s` : `${Math.floor(value / 60)} min ${Math.round(value % 60)} s`;
}

export const plural = (count, one, many = `${one}s`) => `${short(count)} ${count === 1 ? one : many}`;

/** "lcf(eval=mobility, nodes=2000)" to "lcf". */
export const shortSpec = (spec) => String(spec ?? "").replace(/\(.*$/s, "");

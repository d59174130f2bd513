// Elements made in one call. Text is always text: nothing here parses markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "style") for (const [key, text] of Object.entries(value)) node.style.setProperty(key, text);
    else if (name in node && (name === "value" || name === "checked" || name === "disabled")) node[name] = value;
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  add(node, children);
  return node;
}

function add(node, children) {
  for (const child of children.flat(9)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

export const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
export const s = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

/** Replaces what is in `node`. */
export function put(node, ...children) {
  node.textContent = "";
  add(node, children);
  return node;
}

export const button = (label, onclick, attributes = {}) =>
  h("button", { type: "button", onclick, ...attributes }, label);

/** A labelled control: the label stands above it, and belongs to it for screen readers. */
export const field = (label, control, more = null) =>
  h("label", { class: "field" }, h("span", { class: "field-name" }, label), control, more);

export const select = (options, value, onchange, attributes = {}) => {
  const node = h("select", { onchange: () => onchange(node.value), ...attributes },
    options.map(([key, words]) => h("option", { value: key }, words)));
  node.value = value;
  return node;
};

/** Calls `work` at most once in a frame, with the last arguments. */
export function framed(work) {
  let waiting = null;
  return (...values) => {
    const first = waiting === null;
    waiting = values;
    if (first) requestAnimationFrame(() => { const last = waiting; waiting = null; work(...last); });
  };
}

/** Calls `work` at once, and then at most every so many milliseconds: what shows a running search must leave room for frames. */
export function throttled(work, every) {
  let last = -Infinity, waiting = false;
  const run = () => { waiting = false; last = performance.now(); work(); };
  return () => {
    if (waiting) return;
    waiting = true;
    const wait = last + every - performance.now();
    if (wait <= 0) requestAnimationFrame(run);
    else setTimeout(() => requestAnimationFrame(run), wait);
  };
}

export async function copy(text, said) {
  try {
    await navigator.clipboard.writeText(text);
    said("Copied.");
  } catch {
    said("The browser did not allow copying; select the text instead.");
  }
}

// SPDX-License-Identifier: Apache-2.0
// What all pages are made of: elements, figures as people read them, and questions to the daemon.

const MOST_RETRIES = 60;

/** An element with attributes and children; text is never taken for markup. */
export function el(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

export function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function fill(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== undefined && child !== null && child !== false));
  return node;
}

/** The daemon's answer, which may be long in coming; an error in its words. */
export async function ask(path, parameters = {}) {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== "");
  const address = `api/v1/${path}${given.length ? `?${new URLSearchParams(given)}` : ""}`;
  let response = await fetch(address, { credentials: "same-origin" });
  for (let times = 0; response.headers.has("retry-after") && times < MOST_RETRIES; times++) {
    const seconds = Number(response.headers.get("retry-after"));
    await new Promise((done) => setTimeout(done, seconds * 1000));
    response = await fetch(address, { credentials: "same-origin" });
  }
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

/** Has the daemon do something, and gives its answer; an error in its words. The header is one that pages of other sites may not set. */
export async function act(path, body = {}) {
  const response = await fetch(`api/v1/${path}`, { method: "POST", credentials: "same-origin", body: JSON.stringify(body),
    headers: { "content-type": "application/json", "x-shredder-action": "1" } });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

let rights = [];

/** What whoever looks may do. */
export function setRights(words) {
  rights = words;
}

export function may(...words) {
  return words.some((word) => rights.includes(word));
}

const UNITS = ["B", "kB", "MB", "GB", "TB", "PB"];

export function size(bytes) {
  let unit = 0;
  let value = bytes;
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit && value < 100 ? value.toFixed(1) : Math.round(value)} ${UNITS[unit]}`;
}

export function duration(seconds) {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172800) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86400)} days`;
}

let ahead = 0;

/** Ages are by the daemon's clock, whatever this machine's says. */
export function setClock(now) {
  ahead = Date.parse(now) - Date.now();
}

/** A time, and how long ago that is. */
export function when(time) {
  if (!time) return el("span", { class: "quiet" }, "none yet");
  const seconds = (Date.now() + ahead - Date.parse(time)) / 1000;
  const distance = seconds >= 0 ? `${duration(seconds)} ago` : `in ${duration(-seconds)}`;
  return el("time", { datetime: time, title: new Date(time).toLocaleString() }, distance);
}

export function clock(time) {
  return el("time", { datetime: time }, time.slice(0, 19).replace("T", " "));
}

export function state(word) {
  return el("span", { class: `state ${word}` }, word);
}

/** A table whose rows become blocks on a phone. A cell is text, a node, or {number: text}; the first heads its row. */
export function table(caption, heads, rows) {
  const numeric = rows.length ? rows[0].map((cell) => cell?.number !== undefined) : [];
  return el("table", { class: "rows" },
    el("caption", {}, caption),
    el("thead", {}, el("tr", {}, heads.map((head, i) =>
      el("th", { scope: "col", class: numeric[i] && "number" }, head)))),
    el("tbody", {}, rows.map((row) => el("tr", {}, row.map((cell, i) => {
      const content = cell?.number ?? cell;
      return i === 0
        ? el("th", { scope: "row" }, content)
        : el("td", { "data-head": heads[i], class: numeric[i] && "number" }, content);
    })))));
}

export function figures(...pairs) {
  return el("dl", { class: "figures" }, pairs.map(([name, value]) =>
    el("div", {}, el("dt", {}, name), el("dd", {}, value))));
}

export function link(page, ...children) {
  return el("a", { href: `#/${page}` }, children);
}

/** A button that adds a list's next page behind what is there. */
export function more(next, load) {
  if (!next) return undefined;
  const button = el("button", { type: "button" }, "Show more");
  button.addEventListener("click", async () => {
    button.disabled = true;
    const added = await load(next);
    button.replaceWith(...added.filter(Boolean));
    added[0].querySelector?.("a, button")?.focus();
  });
  return button;
}

export function field(name, control) {
  control.id = `field-${control.name}`;
  return el("div", {}, el("label", { for: control.id }, name), control);
}

export function choice(name, words, chosen) {
  return el("select", { name }, Object.entries(words).map(([value, text]) =>
    el("option", { value, selected: value === chosen }, text)));
}

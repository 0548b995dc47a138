// SPDX-License-Identifier: Apache-2.0
// Which page is shown. Pages are named behind '#', so that links, back and reload do what they should.
import { el } from "./page.js";

const REFRESH_MS = 10_000;
const main = document.getElementById("main");
const status = document.getElementById("status");
let shown = 0;
let timer;
let views;
let first;
let told;
let parents;

/**
 * Shows pages from now on.
 *
 * views: by name, a function that gives the function of its page; first: the name of the one that is shown first;
 * about: a promise of what all pages need; above: by the name of a page that the navigation has not, that of one it has
 */
export function run(all, begin, about, above = {}) {
  parents = above;
  views = all;
  first = begin;
  told = about;
  told.catch(() => {}); // The page says so.
  addEventListener("hashchange", () => show(true));
  addEventListener("acted", async (event) => {
    await show(false);
    main.focus();
    status.textContent = event.detail;
  });
  document.getElementById("skip").addEventListener("click", (event) => {
    event.preventDefault(); // The part behind '#' names a page.
    main.focus();
  });
  show(false);
}

async function show(focus) {
  const turn = ++shown;
  clearTimeout(timer);
  const [path, query] = (location.hash.slice(2) || first).split("?");
  const [name, ...rest] = path.split("/");
  const parameters = Object.fromEntries(new URLSearchParams(query));
  mark(parents[name] ?? name);
  let page;
  try {
    await told;
    const view = Object.hasOwn(views, name) && await views[name]();
    if (!view) throw new Error("There is no such page.");
    page = await view(parameters, decodeURIComponent(rest.join("/")));
  } catch (error) {
    page = { title: "Not shown", nodes: [el("p", { class: "failed", role: "alert" }, String(error.message))] };
  }
  if (turn !== shown) return;
  main.replaceChildren(el("h1", {}, page.title), ...page.nodes.filter(Boolean));
  main.dataset.page = location.hash;
  performance.mark("shown");
  document.title = `${page.title} - Shredder backup`;
  if (focus) {
    main.focus();
    scrollTo(0, 0);
    status.textContent = page.title;
  }
  if (page.refresh) timer = setTimeout(refresh, REFRESH_MS);
}

/** Again, unless nobody looks, or somebody is in the middle of it. */
function refresh() {
  const busy = document.hidden || (main.contains(document.activeElement) && document.activeElement !== main);
  if (busy) timer = setTimeout(refresh, REFRESH_MS);
  else show(false);
}

/** A page of one thing is marked as that of all: 'image' as 'images'. */
function mark(name) {
  for (const each of document.querySelectorAll("nav a")) {
    if (each.hash === `#/${name}` || each.hash === `#/${name}s`) each.setAttribute("aria-current", "page");
    else each.removeAttribute("aria-current");
  }
}

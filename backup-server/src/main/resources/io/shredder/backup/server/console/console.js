// SPDX-License-Identifier: Apache-2.0
// START HERE: which page is shown. Pages are named behind '#', so that links, back and reload do what they should.
import { ask, el, setClock, setRights } from "./page.js";
import { images } from "./images.js";

const LATER = {
  image: () => import("./image.js"), jobs: () => import("./jobs.js"), care: () => import("./care.js"),
  recovery: () => import("./recovery.js"), listing: () => import("./listing.js"),
  runs: () => import("./journals.js"), events: () => import("./journals.js"),
};
const REFRESH_MS = 10_000;
const main = document.getElementById("main");
const status = document.getElementById("status");
let shown = 0;
let timer;

async function show(focus) {
  const turn = ++shown;
  clearTimeout(timer);
  const [path, query] = (location.hash.slice(2) || "images").split("?");
  const [name, ...rest] = path.split("/");
  const parameters = Object.fromEntries(new URLSearchParams(query));
  mark(["image", "listing"].includes(name) ? "images" : name);
  let page;
  try {
    await told;
    const view = name === "images" ? images : (await LATER[name]?.())?.[name];
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

function mark(name) {
  for (const each of document.querySelectorAll("nav a")) {
    if (each.hash === `#/${name}`) each.setAttribute("aria-current", "page");
    else each.removeAttribute("aria-current");
  }
}

async function about() {
  const answer = await ask("about");
  setClock(answer.now);
  setRights(answer.you?.may ?? []);
  document.getElementById("site").textContent = answer.site && `on ${answer.site}`;
  document.getElementById("about").textContent =
    `${answer.program}, agent ${answer.agent}, running since ${answer.started.slice(0, 16).replace("T", " ")} UTC`;
  for (const line of answer.historyDamage) {
    document.querySelector("footer").append(el("p", { class: "failed" }, line));
  }
}

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
const told = about();
told.catch(() => {}); // The page says so.
show(false);

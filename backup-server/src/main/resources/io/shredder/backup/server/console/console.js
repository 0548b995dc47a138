// SPDX-License-Identifier: Apache-2.0
// START HERE: the daemon's pages.
import { ask, el, setClock, setRights } from "./page.js";
import { run } from "./pages.js";
import { images } from "./images.js";

const VIEWS = {
  images: () => images,
  image: async () => (await import("./image.js")).image,
  jobs: async () => (await import("./jobs.js")).jobs,
  recovery: async () => (await import("./recovery.js")).recovery,
  listing: async () => (await import("./listing.js")).listing,
  care: async () => (await import("./care.js")).care,
  runs: async () => (await import("./journals.js")).runs,
  events: async () => (await import("./journals.js")).events,
};

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

run(VIEWS, "images", about(), { listing: "images" });

// SPDX-License-Identifier: Apache-2.0
import { ask, choice, el, field, link, more, size, state, table, when } from "./page.js";

const STATES = { any: "all", failed: "failed", never: "never backed up", late: "late", ok: "ok" };
const ORDERS = { attention: "what needs you first", name: "name", age: "age of backup", size: "size" };

export async function images(parameters) {
  const asked = { q: parameters.q, state: parameters.state, sort: parameters.sort, limit: 100 };
  const answer = await ask("images", asked);
  const counts = answer.states;
  return {
    title: "Images",
    nodes: [
      el("p", {}, Object.entries(counts).filter(([, count]) => count)
        .map(([word, count], i) => [i ? ", " : "", String(count), " ", state(word)])),
      search(parameters),
      ...part(answer, asked, true),
    ],
  };
}

function part(answer, asked, first) {
  if (first && !answer.images.length) return [el("p", {}, "No image matches.")];
  const rows = answer.images.map((image) => [
    link(`image/${encodeURIComponent(image.name)}`, image.name),
    state(image.running ? "running" : image.state),
    when(image.lastSuccess),
    image.nextStart ? when(image.nextStart) : "by command",
    image.job,
    { number: size(image.imageBytes) },
    { number: size(image.storedBytes) },
  ]);
  return [
    table(`${answer.total} images${first ? "" : ", continued"}`,
      ["Image", "State", "Last success", "Next run", "Job", "Size", "Stored"], rows),
    more(answer.next, async (cursor) => part(await ask("images", { ...asked, cursor }), asked, false)),
  ];
}

function search(parameters) {
  const form = el("form", { role: "search" },
    field("Search names", el("input", { name: "q", type: "search", value: parameters.q ?? "", maxlength: 100 })),
    field("State", choice("state", STATES, parameters.state)),
    field("Order", choice("sort", ORDERS, parameters.sort)),
    el("button", {}, "Show"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    location.hash = `#/images?${new URLSearchParams(new FormData(form))}`;
  });
  return form;
}

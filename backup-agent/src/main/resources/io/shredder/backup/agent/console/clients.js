// SPDX-License-Identifier: Apache-2.0
import { ask, choice, el, field, link, more, size, table, when } from "./page.js";

const ORDERS = { name: "name", age: "longest without a snapshot", size: "size" };

export async function clients(parameters) {
  const asked = { q: parameters.q, sort: parameters.sort, limit: 100 };
  const [about, answer] = await Promise.all([ask("about"), ask("clients", asked)]);
  return {
    title: "Clients",
    nodes: [
      about.wrong.length > 0 && el("ul", { "aria-label": "Wrong now" }, about.wrong.map((line) => el("li", { class: "failed" }, line))),
      el("p", {}, `${about.clients} clients, ${about.snapshots} snapshots, ${about.sessions} connected now`),
      search(parameters),
      ...part(answer, asked, true),
    ],
  };
}

function part(answer, asked, first) {
  if (first && !answer.clients.length) return [el("p", {}, asked.q ? "No client matches." : "No client has a snapshot yet.")];
  const rows = answer.clients.map((client) => [
    link(`client/${encodeURIComponent(client.name)}`, client.name),
    when(client.lastSnapshot),
    { number: String(client.series) },
    { number: String(client.snapshots) },
    { number: size(client.imageBytes) },
    { number: client.quotaBytes === undefined ? "none" : size(client.quotaBytes) },
    client.quotaBytes === undefined ? "-" : use(client),
    { number: String(client.sessions) },
  ]);
  return [
    table(`${answer.total} clients${first ? "" : ", continued"}`,
      ["Client", "Last snapshot", "Series", "Snapshots", "Images", "Quota", "Used", "Connected"], rows),
    more(answer.next, async (cursor) => part(await ask("clients", { ...asked, cursor }), asked, false)),
  ];
}

function use(client) {
  return el("span", {}, el("progress", { max: Math.max(1, client.quotaBytes), value: client.quotaUsedBytes,
    "aria-label": `${client.name}, quota used` }), ` ${size(client.quotaUsedBytes)}`);
}

function search(parameters) {
  const form = el("form", { role: "search" },
    field("Search names", el("input", { name: "q", type: "search", value: parameters.q ?? "", maxlength: 100 })),
    field("Order", choice("sort", ORDERS, parameters.sort)),
    el("button", {}, "Show"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    location.hash = `#/clients?${new URLSearchParams(new FormData(form))}`;
  });
  return form;
}

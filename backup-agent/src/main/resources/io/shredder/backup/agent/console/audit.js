// SPDX-License-Identifier: Apache-2.0
import { ask, clock, el, field, more, table } from "./page.js";

export async function audit(parameters) {
  const asked = { q: parameters.q };
  const form = el("form", { role: "search" },
    field("Search", el("input", { name: "q", type: "search", value: asked.q ?? "", maxlength: 100 })),
    el("button", {}, "Show"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    location.hash = `#/audit?${new URLSearchParams(new FormData(form))}`;
  });
  return { title: "Audit log", nodes: [form, ...part(await ask("audit", asked), asked)] };
}

function part(answer, asked) {
  return [
    answer.lines.length ? table("Newest first, times in UTC", ["When", "Event", "Details"], answer.lines.map((line) => [
      line.time ? clock(line.time) : "unknown", line.event ?? "-", line.details ? details(line.details) : line.text]))
      : el("p", {}, answer.next ? "None among these." : "None."),
    more(answer.next, async (cursor) => part(await ask("audit", { ...asked, cursor }), asked)),
  ];
}

function details(fields) {
  return Object.entries(fields).map(([key, value]) => `${key}: ${typeof value === "string" ? value : JSON.stringify(value)}`).join(", ");
}

// SPDX-License-Identifier: Apache-2.0
import { ask, choice, clock, duration, el, field, link, more, size, state, table } from "./page.js";

export async function runs(parameters) {
  const asked = { image: parameters.image, job: parameters.job, result: parameters.result };
  const form = el("form", { role: "search" },
    field("Image", el("input", { name: "image", value: asked.image ?? "", maxlength: 100 })),
    field("Result", choice("result", { any: "all", failed: "only what went wrong" }, asked.result)),
    el("button", {}, "Show"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    location.hash = `#/runs?${new URLSearchParams([...new FormData(form)].filter(([, value]) => value))}`;
  });
  return { title: "Runs", nodes: [form, ...runsPart(await ask("runs", asked), asked)] };
}

function runsPart(answer, asked) {
  return [
    answer.runs.length ? table("Newest first, times in UTC", ["When", "What", "Result", "Details"], answer.runs.map((run) => [
      clock(run.at), what(run), result(run), details(run)])) : el("p", {}, answer.next ? "None among these." : "None."),
    more(answer.next, async (cursor) => runsPart(await ask("runs", { ...asked, cursor }), asked)),
  ];
}

function what(run) {
  if (run.what === "backup") {
    return el("span", {}, link(`image/${encodeURIComponent(run.image)}`, run.image), ` (${run.job})`);
  }
  if (run.what === "action") return `${run.person}: ${run.action} ${run.job ? `job ${run.job}` : `of ${run.image}`}`;
  if (run.what === "restore") return el("span", {}, "restore of ", link(`image/${encodeURIComponent(run.image)}`, run.image));
  return run.what === "care" ? `${run.job}: ${run.kind}${run.image ? ` of ${run.image}` : ""}` : `job ${run.job}`;
}

function result(run) {
  if (run.what === "action") return "asked for";
  return state(run.what === "job" ? run.result : run.ok ? "ok" : "failed");
}

function details(run) {
  if (run.error) return run.error;
  if (run.what === "care") return run.problems.join("; ");
  if (run.what === "job" || run.what === "action") return "";
  if (run.what === "restore") {
    return `snapshot ${run.snapshotId} to ${run.to}, ${size(run.writtenBytes)} in ${duration(run.milliseconds / 1000)}`;
  }
  return `${size(run.imageBytes)}, ${size(run.newBytes)} new, ${size(run.sentBytes)} sent, in ${duration(run.milliseconds / 1000)}`;
}

export async function events() {
  const answer = await ask("events");
  return {
    title: "Events",
    nodes: [
      el("h2", {}, "Wrong now"),
      answer.wrong.length ? table(`${answer.wrongNow} matters`, ["Since", "Kind", "What, and what to do"],
        answer.wrong.map((each) => [clock(each.since), each.kind, each.text])) : el("p", {}, "Nothing."),
      el("h2", {}, "What people were told"),
      ...eventsPart(answer),
    ],
  };
}

function eventsPart(answer) {
  return [
    answer.events.length ? table("Newest first, times in UTC", ["When", "State", "Kind", "What"], answer.events.map((each) => [
      clock(each.at), state(each.state), each.kind, each.text])) : el("p", {}, "Nothing yet."),
    more(answer.next, async (cursor) => eventsPart(await ask("events", { cursor }))),
  ];
}

// SPDX-License-Identifier: Apache-2.0
import { action } from "./actions.js";
import { ask, clock, duration, el, link, may, more, size, state, table, when } from "./page.js";

const WAITS = { quiet: "waits for the end of quiet times", place: "waits until others have ended" };

export async function jobs() {
  const answer = await ask("jobs");
  return { title: "Jobs", nodes: part(answer, true), refresh: true };
}

function part(answer, first) {
  const running = answer.jobs.filter((job) => job.running);
  return [
    ...(running.length ? [el("h2", {}, "Running now"), ...running.map(progress)] : first ? [el("p", {}, "Nothing runs now.")] : []),
    el("h2", {}, first ? "All jobs and care" : "More"),
    table(`${answer.total} jobs`, heads(), answer.jobs.map((job) => [
      job.kind === "backup" ? link(`images?q=${encodeURIComponent(job.name)}`, job.name) : job.name,
      job.kind === "backup" ? `${job.images} images` : job.kind,
      when(job.last?.at),
      job.waitsFor ? WAITS[job.waitsFor] : job.running ? state("running") : job.last ? state(job.last.result) : "-",
      job.pausedUntil ? el("span", {}, state("paused"), " until ", clock(job.pausedUntil), " UTC")
        : job.nextStart ? when(job.nextStart) : "by command",
      job.schedule ?? "-",
      ...(may("run", "stop", "pause") ? [el("span", { class: "actions" }, actions(job))] : []),
    ])),
    more(answer.next, async (cursor) => part(await ask("jobs", { cursor }), false)),
  ];
}

function heads() {
  return ["Job", "Kind", "Last run", "Result", "Next run", "Schedule", ...(may("run", "stop", "pause") ? ["Actions"] : [])];
}

function actions(job) {
  const path = `jobs/${encodeURIComponent(job.name)}`;
  return [
    may("run") && !job.running && action(job.name, "Run now", `${path}/run`),
    may("stop") && job.running
      && action(job.name, "Stop", `${path}/stop`, {}, `Stop ${job.name}? What has arrived is not sent again.`),
    may("pause") && job.schedule && !job.pausedUntil && action(job.name, "Pause 24 h", `${path}/pause`, { hours: 24 }),
    may("pause") && job.pausedUntil && action(job.name, "Resume", `${path}/resume`),
  ];
}

function progress(job) {
  const far = job.progress;
  return el("div", {},
    el("h3", {}, job.name),
    job.stalledSeconds !== undefined
      && el("p", { class: "failed" }, `Stalled: nothing has advanced for ${duration(job.stalledSeconds)}.`),
    far ? el("p", {}, `${far.done} of ${far.images} images have ended.`) : el("p", {}, "It does not say how far it is."),
    far?.underWay.length > 0 && table("Backups under way", ["Image", "Read", "Rate", "Remaining"],
      far.underWay.map((each) => [
        link(`image/${encodeURIComponent(each.image)}`, each.image),
        el("span", {}, el("progress", { max: Math.max(1, each.imageBytes), value: each.readBytes,
          "aria-label": `${each.image}, read` }), ` ${size(each.readBytes)} of ${size(each.imageBytes)}`),
        { number: `${size(each.bytesPerSecond)}/s` },
        { number: each.remainingSeconds === undefined ? "unknown" : duration(each.remainingSeconds) },
      ])));
}

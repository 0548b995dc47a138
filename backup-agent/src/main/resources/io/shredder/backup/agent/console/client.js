// SPDX-License-Identifier: Apache-2.0
// A client with its series, or one series with its snapshots: client/NAME, client/NAME/SERIES.
import { ask, clock, duration, el, figures, link, more, size, table, when } from "./page.js";

export async function client(parameters, name) {
  const [namespace, series] = name.split("/");
  return series ? snapshots(namespace, series) : one(namespace);
}

async function one(name) {
  const path = `clients/${encodeURIComponent(name)}`;
  const answer = await ask(path);
  const its = answer.client;
  return {
    title: name,
    nodes: [
      figures(["Last snapshot", when(its.lastSnapshot)], ["Snapshots", String(its.snapshots)], ["Images", size(its.imageBytes)],
        ["Quota", its.quotaBytes === undefined ? "none" : `${size(its.quotaUsedBytes)} of ${size(its.quotaBytes)}`],
        ["Connected now", String(its.sessions)]),
      answer.waiting.length > 0 && el("h2", {}, "Deletions that wait for a second client"),
      answer.waiting.length > 0 && table("Nothing of these is deleted yet", ["Asked by", "Snapshots", "Asked", "Until"],
        answer.waiting.map((each) => [each.client, { number: String(each.snapshots) }, when(each.asked), when(each.until)])),
      el("h2", {}, "Series"),
      ...part(answer, path, name, true),
      answer.access.length > 0 && el("h2", {}, "Who may do what"),
      answer.access.length > 0 && table("By the agent's file of rights", ["Certificate", "Rights", "Quota", "Least age to delete", "Confirmed within"],
        answer.access.map((each) => [each.client, each.may.join(", "),
          { number: each.quotaBytes === undefined ? "none" : size(each.quotaBytes) },
          { number: each.minAgeSeconds ? duration(each.minAgeSeconds) : "none" },
          each.confirmWithinSeconds === undefined ? "-" : duration(each.confirmWithinSeconds)])),
    ],
  };
}

function part(answer, path, name, first) {
  if (first && !answer.series.length) return [el("p", {}, "None yet.")];
  return [
    table(`${answer.total} series${first ? "" : ", continued"}`, ["Series", "Last snapshot", "Number", "Snapshots", "Its image"],
      answer.series.map((each) => [
        link(`client/${encodeURIComponent(name)}/${encodeURIComponent(each.name)}`, each.name), when(each.lastSnapshot),
        { number: String(each.lastId) }, { number: String(each.snapshots) }, { number: size(each.imageBytes) }])),
    more(answer.next, async (cursor) => part(await ask(path, { cursor }), path, name, false)),
  ];
}

async function snapshots(name, series) {
  const path = `clients/${encodeURIComponent(name)}/${encodeURIComponent(series)}`;
  return { title: series, nodes: [
    el("p", {}, "Series of ", link(`client/${encodeURIComponent(name)}`, name)),
    ...snapshotsPart(await ask(path), path),
  ] };
}

function snapshotsPart(answer, path) {
  return [
    table("Newest first, times in UTC", ["Number", "Received", "Image", "State"], answer.snapshots.map((each) => [
      String(each.id), each.received ? clock(each.received) : "unknown", { number: size(each.imageBytes) },
      each.problem ? el("span", { class: "failed" }, each.problem) : "kept"])),
    more(answer.next, async (cursor) => snapshotsPart(await ask(path, { cursor }), path)),
  ];
}

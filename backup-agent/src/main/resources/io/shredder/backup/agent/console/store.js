// SPDX-License-Identifier: Apache-2.0
import { ask, clock, el, figures, size, state, table, when } from "./page.js";

export async function store() {
  const answer = await ask("store");
  const counted = answer.counted;
  return {
    title: "Store",
    nodes: [
      answer.failure && el("p", { class: "failed", role: "alert" }, answer.failure),
      counted ? figures(["Containers", `${counted.containers}, ${size(counted.containerBytes)}`], ["Room left", counted.usableBytes === undefined ? "no limit" : size(counted.usableBytes)],
        ["Chunks", String(answer.chunks)], ["Damaged chunks", String(answer.damagedChunks)]) : el("p", {}, "It is being counted."),
      answer.room && trend(answer.room),
      counted && el("p", { class: "quiet" }, "Counted ", when(counted.at)),
      answer.damagedChunks > 0 && el("p", { class: "failed" },
        "Chunks are damaged: the next backup that has them sends them again, or 'shredder-backup repair' does."),
      answer.damagedPlaces.length > 0 && table("Where some of these are", ["File", "Offset", "Length"], answer.damagedPlaces.map((place) => [
        place.file, { number: String(place.offset) }, { number: size(place.bytes) }])),
      counted?.problemCount > 0 && el("h2", {}, "Problems of the catalogue"),
      counted?.problemCount > 0 && el("ul", {}, counted.problems.map((line) => el("li", { class: "failed" }, line))),
      counted?.keepers && keepers(counted.keepers),
      answer.requests && requests(answer.requests),
    ],
    refresh: !counted,
  };
}

function trend(room) {
  const change = room.bytesPerDay < 0 ? `${size(-room.bytesPerDay)} a day less` : `${size(room.bytesPerDay)} a day more`;
  return el("p", {}, `Room changes by ${change}, by what was seen since `, clock(room.since), " UTC",
    room.fullAt ? [". If it goes on so, it is used up ", when(room.fullAt), "."] : ".");
}

function keepers(answer) {
  return el("section", {}, el("h2", {}, "Keepers"),
    el("p", {}, answer.writable ? `It takes backups, and would with ${answer.spareToWrite} keepers less.`
      : "It takes no backups: too few keepers answer."),
    table("Keepers", ["Keeper", "Condition", "Since", "Files it lacks", "Damaged places", "Why"], answer.all.map((keeper) => [
      keeper.home, keeper.condition === "whole" ? keeper.condition : state(keeper.condition), keeper.since ? clock(keeper.since) : "-",
      { number: String(keeper.lackingFiles) }, { number: String(keeper.damagedPlaces) }, keeper.why ?? "-"])));
}

function requests(answer) {
  return el("section", {}, el("h2", {}, "Requests to the object store"),
    el("p", {}, `Since the start ${size(answer.sentBytes)} were sent and ${size(answer.receivedBytes)} received.`),
    table("Requests", ["Kind", "Sent", "Refused"], answer.kinds.map((each) => [
      each.kind, { number: String(each.requests) }, { number: String(each.refused) }])));
}

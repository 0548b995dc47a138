// SPDX-License-Identifier: Apache-2.0
import { ask, el, figures, size, state, table, when } from "./page.js";

const NAMES = { gc: "gives space back", verify: "reads what is kept" };

export async function care() {
  const answer = await ask("care");
  return {
    title: "Care",
    nodes: answer.care.length ? [table("The agent's own care", ["Care", "What", "Last run", "Result", "Next run", "Schedule", "Found"],
      answer.care.map((row) => [row.name, NAMES[row.name], when(row.lastEnd ?? row.turn?.lastRun), result(row),
        row.nextStart ? when(row.nextStart) : "-", row.schedule, found(row)])), ...damage(answer), ...last(answer)]
      : [el("p", {}, "This agent takes no care by itself (serve --care): space is given back and what is kept is read when clients ask."),
        ...last(answer)],
    refresh: answer.care.some((row) => row.running) || answer.collection?.running,
  };
}

function result(row) {
  if (row.running) return state("running");
  if (row.waitsFor) return "waits for the end of quiet times";
  return row.lastOk === undefined ? "none since the start" : state(row.lastOk ? "ok" : "failed");
}

function found(row) {
  const its = row.figures;
  if (row.name === "gc") {
    return its["freed.bytes"] === undefined ? "-"
      : `${size(its["freed.bytes"])} freed, ${size(its["garbage.bytes"])} of garbage found`;
  }
  const read = its["verified.bytes"] === undefined ? "" : `${size(its["verified.bytes"])} read`;
  return row.turn ? el("span", {}, read, read ? "; " : "", "this pass began ", when(row.turn.passBegan)) : read || "-";
}

/** Whoever has asked for it. */
function last(answer) {
  const { collection, verification } = answer;
  return [
    collection && el("h2", {}, "Last collection"),
    collection && figures(["When", when(collection.at)], ["State", state(collection.running ? "running" : collection.done ? "ok" : "interrupted")],
      ["Garbage found", size(Math.max(0, collection.garbageBytes))], ["Freed", size(Math.max(0, collection.freedBytes))],
      ["Containers left", String(collection.leftContainers)], ["Problems", String(collection.problems)]),
    verification && el("h2", {}, "Verification since the agent's start"),
    verification && figures(["Last part", when(verification.at)], ["Read", size(verification.bytes)], ["Problems", String(verification.problems)]),
  ];
}

function damage(answer) {
  return answer.care.filter((row) => row.turn?.damagedParts).flatMap((row) => [
    el("h2", {}, `What '${row.name}' found damaged`),
    el("ul", {}, row.turn.problems.map((line) => el("li", { class: "failed" }, line))),
  ]);
}

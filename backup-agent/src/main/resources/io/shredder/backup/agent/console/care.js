// SPDX-License-Identifier: Apache-2.0
import { ask, el, size, state, table, when } from "./page.js";

const NAMES = { gc: "gives space back", verify: "reads what is kept" };

export async function care() {
  const answer = await ask("care");
  return {
    title: "Care",
    nodes: answer.care.length ? [table("The agent's own care", ["Care", "What", "Last run", "Result", "Next run", "Schedule", "Found"],
      answer.care.map((row) => [row.name, NAMES[row.name], when(row.lastEnd ?? row.turn?.lastRun), result(row),
        row.nextStart ? when(row.nextStart) : "-", row.schedule, found(row)])), ...damage(answer)]
      : [el("p", {}, "This agent takes no care by itself (serve --care): space is given back and what is kept is read when clients ask.")],
    refresh: answer.care.some((row) => row.running),
  };
}

function result(row) {
  if (row.running) return state("running");
  if (row.waits) return "waits for the end of quiet times";
  return row.lastOk === undefined ? "none since the start" : state(row.lastOk ? "ok" : "failed");
}

function found(row) {
  const figures = row.figures;
  if (row.name === "gc") {
    return figures["freed.bytes"] === undefined ? "-"
      : `${size(figures["freed.bytes"])} freed, ${size(figures["garbage.bytes"])} of garbage found`;
  }
  const read = figures["verified.bytes"] === undefined ? "" : `${size(figures["verified.bytes"])} read`;
  const pass = row.turn ? el("span", {}, read, read ? "; " : "", "this pass began ", when(row.turn.passBegan)) : read || "-";
  return pass;
}

function damage(answer) {
  return answer.care.filter((row) => row.turn?.damagedParts).flatMap((row) => [
    el("h2", {}, `What '${row.name}' found damaged`),
    el("ul", {}, row.turn.problems.map((line) => el("li", { class: "failed" }, line))),
  ]);
}

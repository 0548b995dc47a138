// SPDX-License-Identifier: Apache-2.0
import { action } from "./actions.js";
import { ask, duration, el, link, may, more, size, state, table } from "./page.js";

export async function restores() {
  const answer = await ask("restores");
  return {
    title: "Restores",
    nodes: [
      answer.total ? undefined : el("p", {}, "Nobody has restored anything here since the daemon began."),
      ...(answer.total ? part(answer) : []),
    ],
    refresh: answer.restores.some((each) => each.state === "running"),
  };
}

function part(answer) {
  return [
    table(`${answer.total} restores since the daemon began`,
      ["File", "Snapshot", "Who", "State", "Written", "Rate", "Remaining", ...(may("restore") ? ["Actions"] : [])],
      answer.restores.map((each) => [
        each.to,
        el("span", {}, link(`image/${encodeURIComponent(each.image)}`, each.image), `@${each.snapshot}`),
        each.person,
        el("span", {}, state(each.state), each.error && `: ${each.error}`),
        written(each),
        { number: `${size(each.bytesPerSecond)}/s` },
        { number: each.state === "running" ? (each.remainingSeconds === undefined ? "unknown" : duration(each.remainingSeconds)) : "-" },
        ...(may("restore") ? [el("span", { class: "actions" }, each.state === "running"
          && action(each.to, "Stop", `restores/${each.number}/stop`, {}, `Stop the restore to ${each.to}? What is written is removed.`))] : []),
      ])),
    more(answer.next, async (cursor) => part(await ask("restores", { cursor }))),
  ];
}

function written(each) {
  return el("span", {}, each.state === "running" && el("progress", { max: Math.max(1, each.imageBytes), value: each.writtenBytes,
    "aria-label": `${each.to}, written` }), ` ${size(each.writtenBytes)} of ${each.imageBytes ? size(each.imageBytes) : "what is not known yet"}`);
}

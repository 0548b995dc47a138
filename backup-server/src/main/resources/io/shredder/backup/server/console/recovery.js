// SPDX-License-Identifier: Apache-2.0
import { action } from "./actions.js";
import { ask, clock, duration, el, link, may, more, size, state, table } from "./page.js";

export async function recovery() {
  const [restores, exports] = await Promise.all([ask("restores"), ask("exports")]);
  return {
    title: "Recovery",
    nodes: [
      el("p", { class: "quiet" }, "What people have had restored and opened here since the daemon began."),
      el("h2", {}, "Restores"),
      ...(restores.total ? part(restores) : [el("p", {}, "None.")]),
      el("h2", {}, "Opened over NBD"),
      ...(exports.total ? opened(exports) : [el("p", {}, "None.")]),
    ],
    refresh: true,
  };
}

function opened(answer) {
  return [
    table(`${answer.total} snapshots`, ["Snapshot", "Who", "State", "Until (UTC)", ...(may("open") ? ["Where", "Actions"] : [])],
      answer.exports.map((each) => [
        el("span", {}, link(`image/${encodeURIComponent(each.image)}`, each.image), `@${each.snapshot}`),
        each.person,
        el("span", {}, state(each.state), each.reason && `: ${each.reason}`),
        clock(each.until),
        ...(may("open") ? [each.uri ? el("code", {}, each.uri) : "-", el("span", { class: "actions" }, !each.reason
          && action(`${each.image}@${each.snapshot}`, "Close", `exports/${each.number}/close`, {},
            `Close ${each.image}@${each.snapshot}? Who reads it is cut off.`))] : []),
      ])),
    more(answer.next, async (cursor) => opened(await ask("exports", { cursor }))),
  ];
}

function part(answer) {
  return [
    table(`${answer.total} restores`,
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

// SPDX-License-Identifier: Apache-2.0
// File systems of a snapshot, or files of one. Names are as the image has them, so they stand by themselves (bdi).
import { go } from "./actions.js";
import { ask, el, link, more, size, table } from "./page.js";

export async function listing(parameters, number) {
  const answer = await ask(`listings/${encodeURIComponent(number)}`);
  return {
    title: `${answer.path ? "Files" : "File systems"} of ${answer.image}@${answer.snapshot}`,
    nodes: [
      el("p", {}, link(`image/${encodeURIComponent(answer.image)}`, answer.image), answer.path && [": ", el("bdi", {}, answer.path)]),
      answer.error && el("p", { class: "failed", role: "alert" }, answer.error),
      ...answer.problems.map((line) => el("p", { class: "late" }, line)),
      ...(answer.files ? files(number, answer) : volumes(answer)),
    ],
  };
}

function into(answer, text, path) {
  return go(text, "list", `images/${encodeURIComponent(answer.image)}/files`, { snapshot: answer.snapshot, path },
    (asked) => `#/listing/${asked.listing}`);
}

function volumes(answer) {
  return [table(`${answer.total} file systems`, ["File system", "Type", "Size", "Label", "Mounted at", "Remarks"],
    answer.volumes.map((each) => [
      each.readable ? into(answer, each.volume, `${each.volume}:/`) : el("bdi", {}, each.volume),
      each.type || "unknown", { number: size(each.size) }, el("bdi", {}, each.label || "-"), el("bdi", {}, each.mount ?? "-"),
      each.error ?? (each.unclean ? "not unmounted cleanly: its journal is not replayed" : "-"),
    ]))];
}

function files(number, answer) {
  const volume = answer.path.startsWith("/") ? "" : answer.path.slice(0, answer.path.indexOf(":") + 1);
  return [
    table(`${answer.total} files`, ["Name", "Kind", "Mode", "Owner", "Size", "Modified (UTC)"], answer.files.map((each) => [
      each.type === "folder" ? into(answer, each.path, volume + each.path)
        : el("bdi", {}, each.target ? `${each.path} -> ${each.target}` : each.path),
      each.type, each.mode, `${each.uid}:${each.gid}`, { number: size(each.size) }, each.modified.slice(0, 19).replace("T", " "),
    ])),
    more(answer.next, async (cursor) => files(number, await ask(`listings/${encodeURIComponent(number)}`, { cursor }))),
  ];
}

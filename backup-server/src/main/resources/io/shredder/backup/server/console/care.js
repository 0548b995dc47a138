// SPDX-License-Identifier: Apache-2.0
import { ask, el, more, size, state, table, when } from "./page.js";

export async function care() {
  const answer = await ask("care");
  return { title: "Care", nodes: [...part(answer), answer.store && store(answer.store)] };
}

function part(answer) {
  const whole = answer.care.filter((row) => row.kind !== "boot");
  const boots = answer.care.filter((row) => row.kind === "boot");
  return [
    !answer.care.length && el("p", {}, "The configuration has no care: nothing is verified, copied or started."),
    whole.length > 0 && el("h2", {}, "Verification, copies and pruning"),
    whole.length > 0 && table("Care of all that is kept", ["Care", "What", "Last", "Result", "Found"],
      whole.map((row) => [row.name, what(row), when(row.last?.at), result(row), found(row)])),
    boots.length > 0 && el("h2", {}, "Boot tests"),
    boots.length > 0 && el("ul", { class: "pictures" }, boots.map(boot)),
    more(answer.next, async (cursor) => part(await ask("care", { cursor }))),
  ];
}

function what(row) {
  if (row.kind === "copy") return `copies to ${row.to}`;
  if (row.kind === "prune") return `deletes what no rule keeps${row.image ? ` of ${row.image}` : ""}`;
  const pass = row.passBegan ? [", this pass began ", when(row.passBegan)] : "";
  return el("span", {}, `verifies all in ${row.allInDays} days`, pass);
}

function result(row) {
  if (!row.last) return "-";
  return state(row.last.ok ? "ok" : "failed");
}

function found(row) {
  const lines = [...(row.last?.error ? [row.last.error] : []), ...(row.last?.problems ?? [])];
  if (row.damagedParts) lines.unshift(`${row.damagedParts} parts are damaged`);
  if (lines.length) return el("span", {}, lines.map((line) => [line, el("br")]));
  const figures = row.last?.figures ?? {};
  if (row.kind === "prune") {
    if (!row.image) return "-";
    if (figures.held) return "held: nothing is deleted";
    return `${figures["deleted.snapshots"] ?? 0} deleted, ${figures["kept.snapshots"] ?? 0} kept`;
  }
  if (row.kind === "copy") return `${figures["copied.snapshots"] ?? 0} snapshots copied, ${size(figures["copied.bytes"] ?? 0)}`;
  return `${size(figures["verified.bytes"] ?? 0)} read`;
}

function boot(row) {
  return el("li", {},
    row.picture && el("img", { src: `api/v1/${row.picture}`, alt: `Screen of ${row.image} at the end of its boot test`,
      width: 720, height: 400, loading: "lazy" }),
    el("p", {}, el("strong", {}, row.image), " ", result(row), " ", when(row.last?.at),
      row.last?.ok ? `, after ${Math.round(row.last.figures["boot.seconds"] ?? 0)} s` : ""),
    !row.last?.ok && [...(row.last?.error ? [row.last.error] : []), ...(row.last?.problems ?? [])].map((line) => el("p", {}, line)));
}

function store(answer) {
  return el("section", {}, el("h2", {}, "The agent's store"),
    el("p", {}, answer.writable ? `It takes backups, and would with ${answer.spareToWrite} keepers less.`
      : "It takes no backups: too few keepers answer."),
    table("Keepers", ["Keeper", "Condition", "Files it lacks", "Damaged places"], answer.keepers.map((keeper, i) =>
      [String(i), keeper.condition, { number: String(keeper.lackingFiles) }, { number: String(keeper.damagedPlaces) }])));
}

// SPDX-License-Identifier: Apache-2.0
import { ask, el, figures, link, size, state, svg, table, when } from "./page.js";
import { atTheAgent } from "./snapshots.js";

const DAY_MS = 86_400_000;
const CELL = 9;
const WIDTH = 640;
const HEIGHT = 160;

export async function image(parameters, name) {
  const answer = await ask(`images/${encodeURIComponent(name)}`);
  const now = answer.image;
  const days = answer.days;
  const last = days.day.length - 1;
  return {
    title: name,
    nodes: [
      now ? figures(["State", state(now.state)], ["Last success", when(now.lastSuccess)], ["Job", now.job],
        ["Next run", now.nextStart ? when(now.nextStart) : "by command"], ["Size", size(now.imageBytes)],
        ["Stored since its history began", size(now.storedBytes)])
        : el("p", {}, "The configuration has this image no more; this is its history."),
      answer.lastFailure && el("p", {}, "Its last failure was ", when(answer.lastFailure.at), ": ",
        answer.lastFailure.error),
      el("p", {}, link(`runs?image=${encodeURIComponent(name)}`, "Its runs")),
      last >= 0 && el("h2", {}, "Calendar"),
      last >= 0 && calendar(days),
      last > 0 && el("h2", {}, "Growth"),
      last > 0 && growth(days),
      ...atTheAgent(name),
      last >= 0 && el("h2", {}, "Years"),
      last >= 0 && years(days),
    ],
  };
}

function dateOf(days, i) {
  return new Date(Date.parse(days.from) + days.day[i] * DAY_MS);
}

function resultOf(days, i) {
  if (!days.failed[i]) return "ok";
  return days.succeeded[i] ? "mixed" : "failed";
}

/**
 * A strip for each year, newest first, with a path for each kind of day: an element for each day would take a second.
 * What failed has a mark, not a colour alone.
 */
function calendar(days) {
  const byYear = new Map();
  days.day.forEach((_, i) => {
    const year = dateOf(days, i).getUTCFullYear();
    byYear.set(year, [...(byYear.get(year) ?? []), i]);
  });
  return el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Calendar of backups" },
    [...byYear].reverse().map(([year, list]) => yearStrip(days, year, list)),
    el("p", { class: "quiet" }, "A square is a day (UTC), a column a week. Plain: all backups succeeded; a cross: all failed;"
      + " a stroke: some failed; empty: none."));
}

function yearStrip(days, year, list) {
  const first = Date.UTC(year, 0, 1);
  const offset = (new Date(first).getUTCDay() + 6) % 7;
  const failed = list.filter((i) => days.failed[i]).length;
  const strip = svg("svg", { viewBox: `0 0 ${53 * CELL + 40} ${7 * CELL + 4}`, width: 53 * CELL + 40,
    role: "img", "aria-label": `${year}: ${list.length} days with backups, on ${failed} of them some failed` },
    svg("text", { x: 0, y: 10 }, String(year)));
  const paths = {};
  const add = (name, d) => { paths[name] = (paths[name] ?? "") + d; };
  for (const i of list) {
    const place = Math.round((dateOf(days, i) - first) / DAY_MS) + offset;
    const x = 36 + Math.floor(place / 7) * CELL;
    const y = (place % 7) * CELL;
    const result = resultOf(days, i);
    add(`cell cell-${result}`, `M${x} ${y}h${CELL - 1}v${CELL - 1}h${1 - CELL}z`);
    if (result !== "ok") add("mark", `M${x + 2} ${y + 2}l4 4`);
    if (result === "failed") add("mark", `M${x + 6} ${y + 2}l-4 4`);
  }
  for (const name of Object.keys(paths).sort()) strip.append(svg("path", { class: name, d: paths[name] }));
  return strip;
}

/** From the first snapshot on. */
function growth(all) {
  const first = all.imageBytes.findIndex((bytes) => bytes > 0);
  if (first < 0) return el("p", {}, "There is no snapshot yet.");
  const days = { from: all.from, day: all.day.slice(first), imageBytes: all.imageBytes.slice(first),
    storedBytes: all.storedBytes.slice(first) };
  const last = days.day.length - 1;
  const span = Math.max(1, days.day[last] - days.day[0]);
  const top = Math.max(1, ...days.imageBytes, ...days.storedBytes);
  const path = (column) => days.day.map((day, i) => `${i ? "L" : "M"}${((day - days.day[0]) / span * WIDTH).toFixed(1)} `
    + `${(HEIGHT - column[i] / top * HEIGHT).toFixed(1)}`).join("");
  const text = `From ${dateOf(days, 0).toISOString().slice(0, 10)} to ${dateOf(days, last).toISOString().slice(0, 10)} the `
    + `image grew from ${size(days.imageBytes[0])} to ${size(days.imageBytes[last])} (unbroken line), what has been stored`
    + ` for it from ${size(days.storedBytes[0])} to ${size(days.storedBytes[last])} (dashed line).`;
  return el("figure", {},
    svg("svg", { viewBox: `0 -4 ${WIDTH} ${HEIGHT + 8}`, width: WIDTH, role: "img", "aria-label": text },
      svg("path", { class: "axis", d: `M0 0V${HEIGHT}H${WIDTH}` }),
      svg("path", { class: "line", d: path(days.imageBytes) }),
      svg("path", { class: "line-two", d: path(days.storedBytes) }),
      svg("text", { x: 4, y: 8 }, size(top))),
    el("figcaption", {}, text));
}

/** The same in words, for who doesn't see the pictures. */
function years(days) {
  const all = new Map();
  days.day.forEach((_, i) => {
    const year = dateOf(days, i).getUTCFullYear();
    const sum = all.get(year) ?? { ok: 0, failed: 0, fresh: 0, size: 0 };
    all.set(year, { ok: sum.ok + days.succeeded[i], failed: sum.failed + days.failed[i],
      fresh: sum.fresh + days.newBytes[i], size: days.imageBytes[i] });
  });
  return table("Backups of each year", ["Year", "Succeeded", "Failed", "New data", "Size at its end"],
    [...all].reverse().map(([year, sum]) => [String(year), { number: String(sum.ok) }, { number: String(sum.failed) },
      { number: size(sum.fresh) }, { number: size(sum.size) }]));
}

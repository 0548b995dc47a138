// SPDX-License-Identifier: Apache-2.0
// An image's snapshots as the agent has them, and what its job's rules would delete. Both come when the agent answers.
import { go, order } from "./actions.js";
import { ask, clock, el, field, may, more, size, svg, table, when } from "./page.js";

const WIDTH = 640;
const MARK = 9;
const LANES = { keep: 14, delete: 40 };
const MOST_DRAWN = 2000;

export function atTheAgent(name) {
  return [
    el("h2", {}, "Snapshots at the agent"),
    later("snapshots", () => snapshots(name)),
    el("h2", {}, "What the rules delete"),
    later("prune", () => pruning(name)),
  ];
}

/** A place that is filled once the agent has answered; other parts of the page don't wait. */
function later(id, load) {
  const place = el("div", { id, "aria-busy": "true" }, el("p", { class: "quiet" }, "The agent is being asked."));
  load()
    .then((nodes) => place.replaceChildren(...nodes.filter(Boolean)))
    .catch((error) => place.replaceChildren(el("p", {}, String(error.message))))
    .finally(() => place.setAttribute("aria-busy", "false"));
  return place;
}

async function snapshots(name) {
  const path = `images/${encodeURIComponent(name)}/snapshots`;
  const answer = await ask(path, { limit: 20 });
  return [
    ...answer.alarms.map((line) => el("p", { class: "failed", role: "alert" }, `ALARM: ${line}`)),
    ...answer.damaged.map((line) => el("p", { class: "failed" }, line)),
    ...part(name, path, answer),
  ];
}

function part(name, path, answer) {
  if (!answer.total) return [el("p", {}, "The agent has no snapshot of it.")];
  return [
    table(`${answer.total} snapshots, newest first`, ["Snapshot", "Taken (UTC)", "Received", "Size", "Remarks", ...(may("restore", "open", "files") ? ["Actions"] : [])],
      answer.snapshots.map((each) => [String(each.id), each.taken ? clock(each.taken) : "unknown", when(each.received),
        { number: size(each.imageBytes) }, remarks(each), ...(may("restore", "open", "files") ? [actions(name, each)] : [])])),
    more(answer.next, async (cursor) => part(name, path, await ask(path, { cursor }))),
  ];
}

function remarks(each) {
  const all = [each.tags?.join(", "), each.note && `"${each.note}"`,
    each.skippedBytes && `${size(each.skippedBytes)} could not be read`, each.changed && "changed while it was read",
    !each.proved && `not proved by the key: ${each.reason}`].filter(Boolean);
  return all.length ? all.join("; ") : "-";
}

function actions(name, each) {
  if (!each.proved || each.skippedBytes) return "by command only";
  const path = `images/${encodeURIComponent(name)}`;
  const file = el("input", { name: `to-${each.id}`, value: `${name}-${each.id}.img`, required: true, maxlength: 128,
    pattern: "[A-Za-z0-9][A-Za-z0-9._+@\\-]*", title: "letters, digits and . _ + @ -" });
  const hours = el("input", { name: `hours-${each.id}`, type: "number", value: 4, min: 1, max: 24, required: true });
  return el("div", {},
    may("restore") && order("Restore", `snapshot ${each.id}`, field("To a new file", file), `${path}/restore`,
      () => ({ snapshot: each.id, to: file.value }), () => "#/recovery"),
    may("open") && order("Open over NBD", `snapshot ${each.id}`, field("For hours", hours), `${path}/open`,
      () => ({ snapshot: each.id, hours: hours.valueAsNumber }), () => "#/recovery"),
    may("files") && go("File systems", `snapshot ${each.id}`, `${path}/files`, { snapshot: each.id }, (answer) => `#/listing/${answer.listing}`));
}

async function pruning(name) {
  const path = `images/${encodeURIComponent(name)}/prune`;
  const first = await ask(path, { limit: 500 });
  if (first.noRules) return [el("p", {}, `Nothing is judged: ${first.noRules}.`)];
  const drawn = [...first.snapshots];
  for (let next = first.next; next && drawn.length < MOST_DRAWN;) {
    const page = await ask(path, { limit: 500, cursor: next });
    drawn.push(...page.snapshots);
    next = page.next;
  }
  return [
    el("p", {}, `Rules: ${first.keep}. Of ${first.total} snapshots they keep ${first.kept} and delete ${first.deleted}.`,
      first.apart > 0 && ` ${first.apart} more stay, since the key does not prove them.`),
    el("p", {}, first.care ? `Care ${first.care} does so when it runs.` : "No care prunes by them: nothing is deleted."),
    ...first.held.map((reason) => el("p", { class: "late" }, `Held, nothing of it is deleted now: ${reason}`)),
    line(drawn, first.total),
    el("details", {}, el("summary", {}, "The same in words"),
      table(drawn.length < first.total ? `The newest ${drawn.length}` : "All, newest first",
        ["Snapshot", "Received (UTC)", "Size", "Becomes of it"], drawn.map((each) => [String(each.id), clock(each.received),
          { number: size(each.imageBytes) }, each.keptBy.length ? `kept: ${each.keptBy.join(", ")}` : "deleted"]))),
  ];
}

/** A mark for each snapshot at its time: a full square above is kept, a cross below is deleted. */
function line(all, total) {
  const first = Date.parse(all[all.length - 1].received);
  const span = Math.max(1, Date.parse(all[0].received) - first);
  let kept = "";
  let deleted = "";
  for (const each of all) {
    const x = ((Date.parse(each.received) - first) / span * (WIDTH - MARK)).toFixed(1);
    if (each.keptBy.length) kept += `M${x} ${LANES.keep}h${MARK}v${MARK}h-${MARK}z`;
    else deleted += `M${x} ${LANES.delete}l${MARK} ${MARK}m0 -${MARK}l-${MARK} ${MARK}`;
  }
  const count = all.filter((each) => each.keptBy.length).length;
  const text = `From ${all[all.length - 1].received.slice(0, 10)} (left) to ${all[0].received.slice(0, 10)} (right): squares are`
    + ` the ${count} snapshots that stay, crosses below them the ${all.length - count} that go.`
    + (all.length < total ? ` Only the newest ${all.length} of ${total} are drawn.` : "");
  return el("figure", {},
    svg("svg", { viewBox: `0 0 ${WIDTH} 66`, width: WIDTH, role: "img", "aria-label": text },
      svg("text", { x: 0, y: 9 }, "kept"), svg("path", { class: "cell-ok", d: kept }),
      svg("path", { class: "axis", d: `M0 31H${WIDTH}` }),
      svg("path", { class: "gone", d: deleted }), svg("text", { x: 0, y: 62 }, "deleted")),
    el("figcaption", {}, text));
}

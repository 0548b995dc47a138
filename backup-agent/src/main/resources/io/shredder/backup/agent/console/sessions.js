// SPDX-License-Identifier: Apache-2.0
import { ask, el, link, more, size, table, when } from "./page.js";

const TASKS = { backup: "backs up", read: "reads", verify: "verifies", collect: "collects", delete: "deletes", list: "lists" };

export async function sessions() {
  const answer = await ask("sessions");
  return { title: "Sessions", nodes: part(answer, true), refresh: true };
}

function part(answer, first) {
  if (first && !answer.sessions.length) return [el("p", {}, "No client is connected.")];
  return [
    table(`${answer.total} connections`, ["Client", "From", "Since", "Task", "Last request", "Received", "Answered"],
      answer.sessions.map((session) => [
        link(`client/${encodeURIComponent(session.namespace)}`, session.client),
        session.from,
        when(session.since),
        session.task ? `${TASKS[session.task]}${session.series ? ` ${session.series}` : ""}` : "nothing yet",
        when(session.lastRequest),
        { number: size(session.receivedBytes) },
        { number: size(session.answeredBytes) },
      ])),
    more(answer.next, async (cursor) => part(await ask("sessions", { cursor }), false)),
  ];
}

// SPDX-License-Identifier: Apache-2.0
// START HERE: the agent's pages.
import { ask, setClock } from "./page.js";
import { run } from "./pages.js";
import { clients } from "./clients.js";

const VIEWS = {
  clients: () => clients,
  client: async () => (await import("./client.js")).client,
  sessions: async () => (await import("./sessions.js")).sessions,
  store: async () => (await import("./store.js")).store,
  care: async () => (await import("./care.js")).care,
  audit: async () => (await import("./audit.js")).audit,
};

async function about() {
  const answer = await ask("about");
  setClock(answer.now);
  document.getElementById("about").textContent = `${answer.program}, repository ${answer.repository}, running since `
    + `${answer.started.slice(0, 16).replace("T", " ")} UTC, certificate until ${answer.certificateEnds.slice(0, 10)}`;
}

run(VIEWS, "clients", about());

// SPDX-License-Identifier: Apache-2.0
import { act, el } from "./page.js";

/** A button that has the daemon do something with what has this name; what could not be done stands behind it. */
export function action(name, text, path, body, question) {
  const said = el("span", { class: "failed", role: "alert" });
  const button = el("button", { type: "button", "aria-label": `${text}: ${name}` }, text);
  button.addEventListener("click", async () => {
    if (question && !confirm(question)) return;
    button.disabled = true;
    try {
      await act(path, body);
      dispatchEvent(new CustomEvent("acted", { detail: `${text}: ${name}, asked for` }));
    } catch (error) {
      said.textContent = ` ${error.message}`;
      button.disabled = false;
      button.focus();
    }
  });
  return [button, said];
}

/** A button that has the daemon do something and then goes to the page that shows it. */
export function go(text, name, path, body, page) {
  const said = el("span", { class: "failed", role: "alert" });
  const button = el("button", { type: "button", "aria-label": `${text}: ${name}` }, text);
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      location.hash = page(await act(path, body));
    } catch (error) {
      said.textContent = ` ${error.message}`;
      button.disabled = false;
      button.focus();
    }
  });
  return el("span", {}, button, said);
}

/** A form in a place that opens, which has the daemon do something and then goes to the page that shows how it goes. */
export function order(text, name, control, path, body, page) {
  const said = el("p", { class: "failed", role: "alert" });
  const button = el("button", { "aria-label": `${text}: ${name}` }, text);
  const form = el("form", {}, control, button, said);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    said.textContent = "";
    try {
      location.hash = page(await act(path, body()));
    } catch (error) {
      said.textContent = error.message;
      button.disabled = false;
      button.focus();
    }
  });
  return el("details", {}, el("summary", { "aria-label": `${text}, ${name}` }, text), form);
}

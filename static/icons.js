// @ts-check
/** Icons of designed pieces: a choice is saved at once. Without a script, a button saves it. */

import { near, say } from "./dom.js";

/** Saves every choice in a form of icons. @param {string} forms selector of the forms @param {() => void} shown shows the designer again */
export function chosen(forms, shown) {
  document.addEventListener("change", async (event) => {
    const form = near(event.target, forms);
    if (!(form instanceof HTMLFormElement)) return;
    const body = new URLSearchParams();
    new FormData(form).forEach((value, name) => body.append(name, String(value)));
    try {
      await fetch(form.action, { method: "POST", body, redirect: "manual" });
      shown();
      say("The icon is saved.");
    } catch {
      say("No connection. The icon is not saved.");
    }
  });
}

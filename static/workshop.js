// @ts-check
/**
 * Live piece designer: every text and click is sent to the server at once, and the rendered page replaces the old one. This module must
 * not know the notation or any price, and the page must work without it, as plain forms.
 */

import { say } from "./dom.js";
import { chosen } from "./icons.js";
import { REST, inPlace, said } from "./inplace.js";
import { handing } from "./share.js";

/** @type {ReturnType<typeof setTimeout> | undefined} */
let resting;

const workshop = inPlace("workshop", {
  swapped: (fresh) => {
    handing();
    const words = fresh.querySelector("#wrong") ?? fresh.querySelector("#price ~ .lead");
    say([fresh.querySelector("#price")?.textContent, words?.textContent].filter(Boolean).join(" "));
  },
});

/** Requests the page for a form. @param {HTMLFormElement} form @param {HTMLElement | null} [button] */
function show(form, button) {
  clearTimeout(resting);
  void workshop.show(said(form, button), "replace");
}

document.addEventListener("input", (event) => {
  const field = event.target;
  if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement) || field.form?.method !== "get" || !workshop.here().contains(field)) return;
  if (field.type === "radio") return;
  const form = field.form;
  clearTimeout(resting);
  resting = setTimeout(() => show(form), REST);
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  // Forms that begin a game or answer a puzzle leave this page.
  if (!(form instanceof HTMLFormElement) || form.method !== "get" || !workshop.here().contains(form)) return;
  event.preventDefault();
  show(form, event.submitter);
});

chosen("#workshop .icons form", () => {
  const form = document.getElementById("designer");
  if (form instanceof HTMLFormElement) show(form);
});

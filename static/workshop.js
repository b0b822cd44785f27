// @ts-check
/**
 * The workshop, live: what is typed or pressed is asked of the server at once, and its drawing of the page takes the place of the
 * old one. It must not know the notation or a price, and nothing it does may be needed: without it the page is a page of forms.
 */

import { say } from "./dom.js";
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

/** Asks what a form says. @param {HTMLFormElement} form @param {HTMLElement | null} [button] */
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
  // What begins a game goes away from here.
  if (!(form instanceof HTMLFormElement) || form.method !== "get" || !workshop.here().contains(form)) return;
  event.preventDefault();
  show(form, event.submitter);
});

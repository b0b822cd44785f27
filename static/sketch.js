// @ts-check
/** Piece designer on a game's page. Every click and text is sent to the server at once, and the rendered page replaces the old one.
 * This module must not know the notation or any price. */

import { address, fields, find, near } from "./dom.js";
import { contents } from "./draft.js";
import { chosen } from "./icons.js";
import { told } from "./keep.js";
import { visit } from "./server.js";
import { state } from "./state.js";

/** Milliseconds without typing after which the text is sent. */
const REST = 250;

/** @type {ReturnType<typeof setTimeout> | undefined} */
let resting;

/** Shows the piece in a form of the designer. @param {HTMLFormElement} form @param {HTMLElement | null} button */
async function sketch(form, button) {
  clearTimeout(resting);
  if (state.busy) return;
  told(fields(form));
  await visit(`${address()}?${contents(form, button)}`, false, form);
  const fresh = find("form[data-sketch]");
  // The address holds the piece, not the steps that led to it.
  if (fresh instanceof HTMLFormElement) history.replaceState(null, "", `${address()}?${contents(fresh, null)}`);
}

document.addEventListener("submit", (event) => {
  const form = near(event.target, "#game form[data-sketch]");
  if (!(form instanceof HTMLFormElement)) return;
  event.preventDefault();
  void sketch(form, event.submitter);
});

document.addEventListener("input", (event) => {
  if (!near(event.target, "#game form[data-sketch] :is(input[name=piece], #known)")) return;
  clearTimeout(resting);
  // An update may have replaced the form in the meantime and kept the text.
  resting = setTimeout(() => {
    const form = find("form[data-sketch]");
    if (form instanceof HTMLFormElement) void sketch(form, null);
  }, REST);
});

chosen("#game .icons form", () => {
  const form = find("form[data-sketch]");
  if (form instanceof HTMLFormElement) void sketch(form, null);
});

// @ts-check
/** A piece that is designed beside a game: what is pressed or written of it is asked of the server at once, and its drawing of the
 * page takes the place of the old one. It must not know the notation or a price. */

import { address, fields, find, near } from "./dom.js";
import { contents } from "./draft.js";
import { told } from "./keep.js";
import { visit } from "./server.js";
import { state } from "./state.js";

/** Milliseconds of rest after which what was written is shown. */
const REST = 250;

/** @type {ReturnType<typeof setTimeout> | undefined} */
let resting;

/** Shows the piece that a form of the designer is about. @param {HTMLFormElement} form @param {HTMLElement | null} button */
async function sketch(form, button) {
  clearTimeout(resting);
  if (state.busy) return;
  told(fields(form));
  await visit(`${address()}?${contents(form, button)}`, false, form);
  const fresh = find("form[data-sketch]");
  // The address holds the piece, and not how it came about.
  if (fresh instanceof HTMLFormElement) history.replaceState(null, "", `${address()}?${contents(fresh, null)}`);
}

document.addEventListener("submit", (event) => {
  const form = near(event.target, "#game form[data-sketch]");
  if (!(form instanceof HTMLFormElement)) return;
  event.preventDefault();
  void sketch(form, event.submitter);
});

document.addEventListener("input", (event) => {
  if (!near(event.target, "#game form[data-sketch] input[name=piece]")) return;
  clearTimeout(resting);
  // The page may have come anew meanwhile, with what is written in a newer field.
  resting = setTimeout(() => {
    const form = find("form[data-sketch]");
    if (form instanceof HTMLFormElement) void sketch(form, null);
  }, REST);
});

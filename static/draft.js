// @ts-check
/** Turns that are built from parts before they are submitted. The form around the board holds the parts. */

import { address, all, fields } from "./dom.js";
import { draft } from "./choices.js";
import { told } from "./keep.js";
import { visit } from "./server.js";
/** @import {Field} from "./dom.js" */

/** Adds parts to the turn and shows the result. @param {string[]} added */
export function add(...added) {
  const form = draft();
  if (!form) return;
  const places = fields(form).filter((field) => field.name === "draft");
  for (const part of added) {
    const parts = all("[name=draft]", form);
    const place = places.find((field) => !field.value.trim());
    if (place) place.value = part;
    else {
      const more = /** @type {HTMLInputElement} */ (parts[0]?.cloneNode());
      more.value = part;
      parts.at(-1)?.after(more);
    }
  }
  // Leaves out the part that is still being typed.
  gather(contents(form, null, "next"), form, places);
}

/** Fields that a form sends when a button is clicked. @param {HTMLFormElement} form @param {HTMLElement | null} button @param {string} [but] name to leave out */
export function contents(form, button, but) {
  const found = new URLSearchParams();
  new FormData(form, button).forEach((value, name) => typeof value === "string" && name !== but && found.append(name, value));
  return found;
}

/** Shows the turn built so far. @param {URLSearchParams} query @param {HTMLFormElement} form @param {Field[]} sent fields whose contents are sent */
export function gather(query, form, sent) {
  told(sent);
  visit(`${address()}?${query}`, true, form);
}

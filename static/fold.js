// @ts-check
/** The field of typed moves: folded up until somebody wants it, and from then on open in this browser. The key / leads there. */

import { FIELDS, find, near } from "./dom.js";
/** @import {Keeper} from "./page.js" */

const KEY = "typing";

/** @returns {HTMLDetailsElement | null} */
const fold = () => /** @type {HTMLDetailsElement | null} */ (find("#typing"));

/** What is remembered; a browser may refuse to remember anything. @returns {boolean} */
function wanted() {
  try {
    return localStorage.getItem(KEY) === "open";
  } catch {
    return false;
  }
}

/** @param {boolean} open */
function remember(open) {
  try {
    if (open) localStorage.setItem(KEY, "open");
    else localStorage.removeItem(KEY);
  } catch {
    // The field still opens, here and now.
  }
}

/** Opens the field where it was open before. */
export function unfold() {
  if (wanted()) fold()?.setAttribute("open", "");
}

/** It stays open across changes. @type {Keeper} */
export const unfolding = () => unfold;

// Toggling does not bubble.
document.addEventListener("toggle", (event) => event.target === fold() && remember(fold()?.open ?? false), true);

document.addEventListener("keydown", (event) => {
  const field = find("#action");
  if (event.key !== "/" || !field || event.ctrlKey || event.metaKey || event.altKey || near(event.target, FIELDS)) return;
  event.preventDefault();
  fold()?.setAttribute("open", "");
  field.focus();
});

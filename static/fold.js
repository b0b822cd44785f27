// @ts-check
/** The field of typed moves: folded up until somebody wants it, and from then on open in this browser. The key / leads there. */

import { FIELDS, find, near } from "./dom.js";
import { remember, remembered } from "./memory.js";
/** @import {Keeper} from "./page.js" */

const KEY = "typing";

/** @returns {HTMLDetailsElement | null} */
const fold = () => /** @type {HTMLDetailsElement | null} */ (find("#typing"));

/** Opens the field where it was open before. */
export function unfold() {
  if (remembered(KEY) === "open") fold()?.setAttribute("open", "");
}

/** It stays open across changes. @type {Keeper} */
export const unfolding = () => unfold;

// Toggling does not bubble.
document.addEventListener("toggle", (event) => event.target === fold() && remember(KEY, fold()?.open ? "open" : "folded"), true);

document.addEventListener("keydown", (event) => {
  const field = find("#action");
  if (event.key !== "/" || !field || event.ctrlKey || event.metaKey || event.altKey || near(event.target, FIELDS)) return;
  event.preventDefault();
  fold()?.setAttribute("open", "");
  field.focus();
});

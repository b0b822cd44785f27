// @ts-check
/** Field for typed moves. It is folded until first opened, and this browser then keeps it open. The key / focuses it. */

import { FIELDS, find, near } from "./dom.js";
import { remember, remembered } from "./memory.js";
import { single } from "./shortcuts.js";
/** @import {Keeper} from "./page.js" */

const KEY = "typing";

/** @returns {HTMLDetailsElement | null} */
const fold = () => /** @type {HTMLDetailsElement | null} */ (find("#typing"));

/** Opens the field if it was open before. */
export function unfold() {
  if (remembered(KEY) === "open") fold()?.setAttribute("open", "");
}

/** Keeps the field open across updates. @type {Keeper} */
export const unfolding = () => unfold;

// Toggling does not bubble.
document.addEventListener("toggle", (event) => event.target === fold() && remember(KEY, fold()?.open ? "open" : "folded"), true);

document.addEventListener("keydown", (event) => {
  const field = find("#action");
  if (event.key !== "/" || !field || !single() || event.ctrlKey || event.metaKey || event.altKey || near(event.target, FIELDS)) return;
  event.preventDefault();
  fold()?.setAttribute("open", "");
  field.focus();
});

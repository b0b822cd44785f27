// @ts-check
/** Protection against slips of the finger: a button that has just changed its meaning ignores presses, and links to another part of the
 * page do not change its address, which names the step on the board. */

import { all, line, near } from "./dom.js";
import { focusSquare } from "./squares.js";
import { state } from "./state.js";
/** @import {Keeper} from "./page.js" */

/** Milliseconds for which a changed button ignores presses. */
const PAUSE = 700;
/** Slots of the line and of the row of buttons. */
const SLOTS = [".say > :not(.line)", ".acts > :not(form), .acts > form > *"];

/** Whether a slot is not a field that no one sees. @param {Element} slot */
const visible = (slot) => !slot.matches("[type=hidden]");

/** Time of each slot's change. @type {WeakMap<Element, number>} */
const changes = new WeakMap();

/** Notes which slots have changed. @type {Keeper} */
export function steadying({ old, fresh }) {
  for (const slots of SLOTS) {
    const before = all(slots, old).filter(visible);
    for (const [index, slot] of all(slots, fresh).filter(visible).entries()) {
      const same = before[index];
      const changed = same && line(same) === line(slot) ? changes.get(same) : performance.now();
      if (changed !== undefined) changes.set(slot, changed);
    }
  }
}

document.addEventListener("click", (event) => {
  const button = near(event.target, `#game :is(${SLOTS.join()})`);
  // Keys and scripts have no position to slip from.
  if (!button || event.detail === 0 || performance.now() - (changes.get(button) ?? -PAUSE) >= PAUSE) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);

document.addEventListener("click", (event) => {
  const link = near(event.target, "#game a[href^='#'], a.skip");
  const part = link && document.getElementById(link.getAttribute("href")?.slice(1) ?? "");
  if (!part) return;
  event.preventDefault();
  part.scrollIntoView();
  if (link?.matches(".skip") && !(part.id === "position" && focusSquare(state.stop))) part.focus();
});

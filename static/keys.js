// @ts-check
/** Keys: arrows walk over the board, Escape lets go of what has been begun. */

import { all, find, near } from "./dom.js";
import { release } from "./pointer.js";
import { now } from "./replay.js";
import { focusSquare } from "./squares.js";
import { state } from "./state.js";

/** How many columns and rows each key goes. @type {Record<string, [number, number]>} */
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1], Home: [-8, 0], End: [8, 0], PageUp: [0, -8], PageDown: [0, 8] };

/** Leaves what is put together, where that is no more than was pressed. @returns {boolean} whether there was anything */
function leave() {
  const link = find("#board a[data-leave]");
  link?.click();
  return !!link;
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Tab") state.walking = true;
  if (event.key === "Escape" && (release() || now() || leave())) return event.preventDefault();
  const step = STEPS[event.key];
  const cell = near(event.target, "#game .board td[data-square]");
  if (!step || !cell || event.ctrlKey || event.metaKey || event.altKey) return;
  // Whoever has pressed a square steps through the game with the other two arrows, until he walks.
  if (!state.walking && STEPS[event.key]?.[0]) return;
  state.walking = true;
  event.preventDefault();
  const rows = all(".board tbody tr").map((row) => all("td[data-square]", row));
  const y = rows.findIndex((row) => row.includes(cell));
  const x = rows[y]?.indexOf(cell) ?? 0;
  const row = rows[Math.min(Math.max(y + step[1], 0), rows.length - 1)] ?? [];
  focusSquare(row[Math.min(Math.max(x + step[0], 0), row.length - 1)]?.dataset.square ?? "");
});

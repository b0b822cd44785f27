// @ts-check
/** Keys: arrows walk over the board, Escape lets go of what has been begun. */

import { find, near } from "./dom.js";
import { release } from "./pointer.js";
import { now } from "./replay.js";
import { focusSquare } from "./squares.js";
import { state } from "./state.js";

/** How many columns and rows each key goes. @type {Record<string, [number, number]>} */
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1], Home: [-8, 0], End: [8, 0], PageUp: [0, -8], PageDown: [0, 8] };

/** The same square a level higher or lower. @param {string} name @param {string} key */
const climbed = (name, key) => String.fromCharCode(name.charCodeAt(0) + (key === "PageUp" ? 1 : -1)) + name.slice(1);

/** The square so many columns and rows away, as the squares are seen, or the last before. @param {HTMLElement} cell @param {[number, number]} step */
function walked(cell, [x, y]) {
  const from = cell.getBoundingClientRect();
  const ahead = [...state.squares].flatMap(([name, other]) => {
    const box = other.getBoundingClientRect();
    const [right, down] = [box.x - from.x, box.y - from.y];
    // Beside it in the other direction is less than half a square.
    const aside = Math.abs(x ? down : right) > from.width / 2;
    const far = x ? right * Math.sign(x) : down * Math.sign(y);
    return aside || far <= 1 ? [] : [{ name, far }];
  });
  ahead.sort((one, other) => one.far - other.far);
  return ahead[Math.min(Math.abs(x + y), ahead.length) - 1]?.name ?? "";
}

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
  const name = cell.dataset.square ?? "";
  // On a board of several levels one comes from each to the next.
  const level = /^[A-Z]/.test(name) && /^Page/.test(event.key);
  focusSquare(level ? climbed(name, event.key) : walked(cell, step));
});

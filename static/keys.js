// @ts-check
/** Keyboard: arrow keys, letters of pieces and digits move the focus over the board, Escape cancels. */

import { withdraw } from "./confirm.js";
import { find, near } from "./dom.js";
import { release } from "./pointer.js";
import { LETTERS } from "./questions.js";
import { now } from "./replay.js";
import { single } from "./shortcuts.js";
import { focusSquare } from "./squares.js";
import { state } from "./state.js";

/** Columns and rows that each key moves. @type {Record<string, [number, number]>} */
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1], Home: [-8, 0], End: [8, 0], PageUp: [0, -8], PageDown: [0, 8] };

/** The same square one level up or down. @param {string} name @param {string} key */
const climbed = (name, key) => String.fromCharCode(name.charCodeAt(0) + (key === "PageUp" ? 1 : -1)) + name.slice(1);

/** Square at a distance in columns and rows as displayed, or the last one before the edge. @param {HTMLElement} cell @param {[number, number]} step */
function walked(cell, [x, y]) {
  const from = cell.getBoundingClientRect();
  const ahead = [...state.squares].flatMap(([name, other]) => {
    const box = other.getBoundingClientRect();
    const [right, down] = [box.x - from.x, box.y - from.y];
    // A square in the same row or column is off by less than half a square, whatever its shape.
    const aside = x ? Math.abs(down) > from.height / 2 : Math.abs(right) > from.width / 2;
    const far = x ? right * Math.sign(x) : down * Math.sign(y);
    return aside || far <= 1 ? [] : [{ name, far }];
  });
  ahead.sort((one, other) => one.far - other.far);
  return ahead[Math.min(Math.abs(x + y), ahead.length) - 1]?.name ?? "";
}

/** Next square in reading order with a piece of a type, or the previous one. @param {HTMLElement} cell @param {string} kind @param {boolean} back */
function jumped(cell, kind, back) {
  const found = [...state.squares.values()].filter((other) => other === cell || other.dataset.piece === kind);
  return found.at((found.indexOf(cell) + (back ? -1 : 1)) % found.length)?.dataset.square ?? "";
}

/** Square that a single character leads to: a letter to a piece, a digit to a rank, and a digit with Shift to a file.
 * @param {HTMLElement} cell @param {KeyboardEvent} event */
function led(cell, { key, code, shiftKey }) {
  const kind = LETTERS[key.toLowerCase()];
  if (kind) return jumped(cell, kind, shiftKey);
  const digit = Number(/^Digit([1-8])$/.exec(code)?.[1]);
  if (!digit) return "";
  const name = cell.dataset.square ?? "";
  return shiftKey ? name.replace(/[a-z]/, String.fromCharCode(96 + digit)) : name.replace(/\d+$/, String(digit));
}

/** Discards the turn being built, if it only holds a selection. @returns {boolean} whether there was one */
function leave() {
  const link = find("#board a[data-leave]");
  link?.click();
  return !!link;
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Tab") state.walking = true;
  if (event.key === "Escape" && !near(event.target, "dialog") && (withdraw() || release() || now() || leave())) return event.preventDefault();
  const step = STEPS[event.key];
  const cell = near(event.target, "#game .board td[data-square]");
  if (!cell || event.ctrlKey || event.metaKey || event.altKey) return;
  const to = single() ? led(cell, event) : "";
  if (to && focusSquare(to)) {
    state.walking = true;
    return event.preventDefault();
  }
  if (!step) return;
  // After a click on a square, left and right step through the game until an up or down key moves the focus.
  if (!state.walking && STEPS[event.key]?.[0]) return;
  state.walking = true;
  event.preventDefault();
  const name = cell.dataset.square ?? "";
  // Page Up and Page Down change the level of a three-dimensional board.
  const level = /^[A-Z]/.test(name) && /^Page/.test(event.key);
  focusSquare(level ? climbed(name, event.key) : walked(cell, step));
});

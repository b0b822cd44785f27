// @ts-check
/** Clicking, dragging and drawing with a pointer. */

import { clear, toggle } from "./arrows.js";
import { given, movable } from "./choices.js";
import { dismiss } from "./choose.js";
import { all, find, near } from "./dom.js";
import { SLACK, follow, ghost, pressNothing } from "./ghost.js";
import { go, hold, press } from "./moves.js";
import { catchUp } from "./page.js";
import { clearQueue } from "./queue.js";
import { drawing, focusSquare, paint, square } from "./squares.js";
import { state } from "./state.js";

/** Square where a drawn arrow begins. */
let tail = "";

/** @param {number} x @param {number} y */
const under = (x, y) => square(document.elementFromPoint(x, y));

/** Value of the button of a piece off the board. @param {EventTarget | null} target */
const hand = (target) => near(target, "#board .actions button[name=from]")?.getAttribute("value") ?? "";

/** Cancels selection, premoves, drag and column. @returns {boolean} whether there was anything to cancel */
export function release() {
  if (dismiss()) return true;
  const anything = !!(state.picked !== given() || state.held?.ghost);
  drop(null);
  deselect();
  return clearQueue() || anything;
}

function deselect() {
  state.picked = given();
  paint();
}

/** Drops the dragged piece on a square, or returns it. @param {string | null} name */
function drop(name) {
  const was = state.held;
  if (!was?.ghost) {
    state.held = null;
    return;
  }
  was.ghost.remove();
  state.squares.get(was.key)?.classList.remove("lifted");
  const gone = name !== null && name !== was.key && go(was.key, name);
  state.held = null;
  if (!gone) deselect();
  catchUp();
}

/** Creates the image of a dragged piece. @param {string} key */
function lift(key) {
  const cell = state.squares.get(key);
  const size = [...state.squares.values()][0]?.getBoundingClientRect().width ?? 48;
  const held = () => all("#board button[name=from]").find((button) => button.getAttribute("value") === key);
  const shown = (cell && drawing(cell)) ?? held()?.querySelector("svg");
  cell?.classList.add("lifted");
  return ghost(shown, size, key);
}

document.addEventListener("pointerdown", (event) => {
  state.walking = false;
  if (!near(event.target, "#choose")) dismiss();
  const name = square(event.target);
  if (event.button === 2 && name) {
    if (!clearQueue()) tail = name;
    return;
  }
  if (event.button !== 0 || state.held) return;
  if (name) clear();
  const key = name || hand(event.target);
  if (key && movable(key)) state.held = { id: event.pointerId, key, x: event.clientX, y: event.clientY, ghost: null };
  else if (state.picked && !near(event.target, "#board")) deselect();
});

document.addEventListener("pointermove", (event) => {
  const { held } = state;
  if (!held || event.pointerId !== held.id) return;
  if (!held.ghost) {
    if (Math.hypot(event.clientX - held.x, event.clientY - held.y) < SLACK) return;
    held.ghost = lift(held.key);
    state.picked = held.key;
    paint();
  }
  follow(held.ghost, event);
  const over = under(event.clientX, event.clientY);
  for (const [name, cell] of state.squares) cell.classList.toggle("over", name === over && name !== held.key);
});

document.addEventListener("pointerup", (event) => {
  if (event.button === 2 && tail) {
    const head = under(event.clientX, event.clientY);
    if (head) toggle(tail, head);
    tail = "";
    return;
  }
  const { held } = state;
  if (!held || event.pointerId !== held.id) return;
  if (held.ghost) {
    pressNothing();
    for (const cell of state.squares.values()) cell.classList.remove("over");
  }
  drop(under(event.clientX, event.clientY));
});

document.addEventListener("pointercancel", (event) => {
  if (state.held && event.pointerId === state.held.id) drop(null);
});

document.addEventListener("contextmenu", (event) => {
  if (square(event.target)) event.preventDefault();
});

document.addEventListener("click", (event) => {
  const name = square(event.target);
  const held = hand(event.target);
  if (name) {
    event.preventDefault();
    focusSquare(name);
    press(name);
  } else if (held && movable(held)) {
    event.preventDefault();
    find(".position")?.scrollIntoView({ block: "nearest" });
    hold(held);
  }
});

// @ts-check
/** Clicking, dragging and drawing with a pointer. */

import { clear, toggle } from "./arrows.js";
import { brushes, given, movable } from "./choices.js";
import { dismiss } from "./choose.js";
import { all, find, near } from "./dom.js";
import { SLACK, follow, ghost, pressNothing } from "./ghost.js";
import { fill, go, hold, press } from "./moves.js";
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
  const gone = name !== null && (was.filled ? fill(was.key, was.filled) : name !== was.key && go(was.key, name));
  state.held = null;
  if (!gone) deselect();
  catchUp();
}

/** Squares of a rank from the first one to the file of another, on which the piece in hand can be placed. @param {string} first @param {string} over */
function stroke(first, over) {
  const [cell, other] = [state.squares.get(first), state.squares.get(over)];
  const rank = all("td[data-square]", cell?.parentElement ?? undefined).map(square);
  const [from, to] = [rank.indexOf(first), all("td[data-square]", other?.parentElement ?? undefined).map(square).indexOf(over)];
  const between = rank.slice(Math.min(from, to), Math.max(from, to) + 1).filter(brushes);
  return from > to ? between.reverse() : between;
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
  const filled = brushes(name) ? [name] : undefined;
  const key = filled ? state.picked : name || hand(event.target);
  if (key && movable(key)) state.held = { id: event.pointerId, key, x: event.clientX, y: event.clientY, ghost: null, filled };
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
  if (held.filled && over) held.filled = stroke(held.filled[0] ?? over, over);
  for (const [name, cell] of state.squares) cell.classList.toggle("over", held.filled?.includes(name) ?? (name === over && name !== held.key));
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
  // A press on the description of a piece means the square below it.
  const below = near(event.target, "#asked") ? document.elementsFromPoint(event.clientX, event.clientY) : [event.target];
  const name = below.map(square).find(Boolean);
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

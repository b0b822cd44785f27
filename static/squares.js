// @ts-check
/** Makes the board interactive: a button on every square, one tab stop, and marks for the selected piece. */

import { deeds, given, movable, targets } from "./choices.js";
import { all, find, line, near, unit } from "./dom.js";
import { state } from "./state.js";
/** @import {Choice, Drop, Move} from "./state.js" */

const SPACE = "http://www.w3.org/2000/svg";
const SPRITE = new URL("pieces.svg", import.meta.url).href;
/** Pieces in the sprite. */
const DRAWN = ["king", "queen", "rook", "bishop", "knight", "pawn", "unicorn"];

/** Name of the square that holds an element. @param {EventTarget | null} target */
export const square = (target) => near(target, "#game .board td[data-square]")?.dataset.square ?? "";

/** @param {HTMLElement} cell @returns {SVGElement | null} */
export const drawing = (cell) => cell.querySelector("svg.piece");

/** Prepares the board after an update. */
export function ready() {
  // No actions while an earlier position is shown, or while one waits for its confirmation.
  state.choices = state.back === null && !state.pending ? JSON.parse(document.getElementById("choices")?.textContent || "[]") : [];
  state.squares = new Map();
  const board = find(".board");
  if (board) {
    // The layout for screen readers keeps a table, which has commands of its own there.
    if (!board.closest(".spoken")) board.setAttribute("role", "grid");
    for (const cell of all("td[data-square]", board)) state.squares.set(dress(cell), cell);
    if (!state.squares.has(state.stop)) {
      const names = [...state.squares.keys()];
      state.stop = board.querySelector("td.last-to")?.getAttribute("data-square") ?? names.find(movable) ?? names[0] ?? "";
    }
  }
  state.picked ||= given();
  // Only pages without a script need these steps of a choice.
  document.getElementById("choose")?.remove();
  paint();
}

/** Gives a square its button, and notes its spoken text. @param {HTMLElement} cell @returns {string} name of the square */
function dress(cell) {
  const name = cell.dataset.square ?? "";
  let button = cell.querySelector("button");
  if (!button) {
    button = document.createElement("button");
    button.append(...Array.from(cell.childNodes).filter((node) => !near(node, "svg.foretold")));
    cell.prepend(button);
  }
  let words = button.querySelector(".visually-hidden");
  if (!words) {
    words = document.createElement("span");
    words.className = "visually-hidden";
    words.textContent = name;
    button.append(words);
  }
  button.type = "button";
  words.querySelector("[data-hint]")?.remove();
  cell.dataset.said ??= words.textContent ?? "";
  return name;
}

/** Tag with the cost or gain of a choice. @param {Choice} choice */
export function price(choice) {
  const made = document.createElement("span");
  made.className = choice.dear ? "price dear" : "price";
  made.ariaHidden = "true";
  made.textContent = String(choice.amount);
  return made;
}

/** Shows the smallest cost or gain on a square. The spoken text names the choice, or only the amount after a word.
 * @param {HTMLElement} cell @param {Choice[]} found @param {string} word @returns {string} spoken text */
function tag(cell, found, word) {
  cell.querySelector(".price")?.remove();
  const may = found.filter((choice) => !choice.dear);
  const [least] = (may.length ? may : found).sort((one, other) => (one.amount ?? 0) - (other.amount ?? 0));
  if (!least?.amount) return "";
  cell.querySelector("button")?.append(price(least));
  return word && !least.dear ? `${word} ${least.amount}` : least.label;
}

/** Shows the selection, its targets and prices, and the premoves. */
export function paint() {
  if (state.picked && !movable(state.picked)) state.picked = "";
  const { picked, premoves, stop } = state;
  const reached = picked ? targets(picked) : new Set();
  for (const [name, cell] of state.squares) {
    const hit = reached.has(name);
    const taken = !!unit(cell);
    const advance = premoves.some((premove) => premove.from === name || premove.to === name);
    const turns = premoves.flatMap((premove, index) => (premoves.length > 1 && premove.to === name ? [index + 1] : [])).join(" ");
    cell.classList.toggle("selected", name === picked);
    cell.classList.toggle("target", hit && !taken);
    cell.classList.toggle("capture", hit && taken);
    cell.classList.toggle("premove", advance);
    turns ? (cell.dataset.turns = turns) : delete cell.dataset.turns;
    cell.classList.toggle("movable", movable(name));
    const amount = picked ? tag(cell, deeds(picked, name), "") : tag(cell, deeds(name), "from");
    const reach = hit && name !== picked && (taken ? "can be captured" : "can be reached");
    const said = [cell.dataset.said, name === picked && "selected", reach, amount, advance && `premove ${turns}`.trim()];
    const words = cell.querySelector(".visually-hidden");
    if (words) words.textContent = said.filter(Boolean).join(", ");
    const button = cell.querySelector("button");
    if (button) button.tabIndex = name === stop ? 0 : -1;
  }
  const prompt = find(".prompt[data-picked]");
  if (prompt) {
    prompt.dataset.first ??= line(prompt);
    prompt.textContent = (picked && prompt.dataset.picked) || prompt.dataset.first;
  }
  for (const hand of all("#board .actions button[name=from]")) {
    hand.setAttribute("aria-pressed", String(hand.getAttribute("value") === picked));
  }
}

/** Picture of a piece from the sprite. A designed piece is copied from the board, if it is there. @param {string} color @param {string} piece */
export function picture(color, piece) {
  if (!DRAWN.includes(piece)) {
    const cells = Array.from(state.squares.values());
    return cells.find((cell) => cell.dataset.color === color && cell.dataset.piece === piece)?.querySelector("svg.piece")?.cloneNode(true) ?? "";
  }
  const svg = document.createElementNS(SPACE, "svg");
  svg.setAttribute("class", "piece");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SPACE, "use");
  use.setAttribute("href", `${SPRITE}#${color}-${piece}`);
  svg.append(use);
  return svg;
}

/** Shows a choice on the board before the server knows it. @param {Move | Drop} choice */
export function enact(choice) {
  const [from, to] = [choice.kind === "move" ? state.squares.get(choice.from) : undefined, state.squares.get(choice.to)];
  if (!to || from === to) return;
  const { color, name: piece = "" } = choice.kind === "drop" ? choice.piece : { color: from?.dataset.color, name: choice.promotion ?? from?.dataset.piece };
  const kept = from && drawing(from);
  const shown = (choice.kind === "drop" || choice.promotion) && color ? picture(color, piece) || kept : kept;
  if (!shown) return;
  kept?.remove();
  drawing(to)?.remove();
  to.querySelector("button")?.prepend(shown);
  if (from) {
    delete from.dataset.piece;
    delete from.dataset.color;
    from.dataset.said = from.dataset.square;
  }
  to.dataset.piece = piece;
  if (color) to.dataset.color = color;
  to.dataset.said = `${choice.to}, ${unit(to)}`;
}

/** @param {string} name @returns {boolean} whether the board has the square */
export function focusSquare(name) {
  const cell = state.squares.get(name);
  if (!cell) return false;
  state.stop = name;
  for (const [other, each] of state.squares) {
    const button = each.querySelector("button");
    if (button) button.tabIndex = other === name ? 0 : -1;
  }
  cell.querySelector("button")?.focus({ preventScroll: true });
  return true;
}

// @ts-check
/** Several choices on one square, such as promotions: a column of squares over the board, from that square towards the middle. */

import { given } from "./choices.js";
import { find, say } from "./dom.js";
import { focusSquare, paint, picture, price } from "./squares.js";
import { state } from "./state.js";
/** @import {Choice, Drop, Move} from "./state.js" */

/** Squares in a column, unless more are needed to stay on the board. */
const COLUMN = 4;

/** Piece of a promotion; empty for other choices. @param {Choice} choice */
const promoted = (choice) => (choice.kind === "move" && choice.promotion) || "";

/** Key that chooses a promotion: the letter of the piece in notation. For a designed piece, the last letter of the action.
 * @param {string} piece @param {string} action */
const letter = (piece, action) => (piece === "knight" ? "n" : /^(king|queen|rook|bishop|pawn|unicorn)$/.test(piece) ? piece.charAt(0) : action.slice(-1));

/** Closes the column and returns to the piece. @returns {boolean} whether it was open */
export function dismiss() {
  const panel = document.getElementById("choose");
  if (!panel) return false;
  panel.remove();
  state.picked = given();
  paint();
  focusSquare(state.stop);
  return true;
}

/** Button of one choice. A digit also presses it, and so does the letter of a promotion. @param {Choice} choice @param {number} index */
function option(choice, index) {
  const button = document.createElement("button");
  button.type = "button";
  const piece = promoted(choice);
  const drawn = choice.kind === "move" && piece && picture(state.squares.get(choice.from)?.dataset.color ?? "", piece);
  const words = document.createElement("span");
  words.textContent = choice.label;
  if (drawn) words.className = "visually-hidden";
  button.append(drawn || "", words);
  if (choice.amount) button.append(price(choice));
  button.setAttribute("aria-keyshortcuts", [index + 1, piece && letter(piece, choice.action)].filter(Boolean).join(" "));
  return button;
}

/** Asks which of several choices on a square is meant. @param {string} to @param {(Choice & (Move | Drop))[]} found @param {(choice: Choice & (Move | Drop)) => void} chosen */
export function choose(to, found, chosen) {
  const [board, first] = [find(".position"), found[0]];
  const cell = state.squares.get(to);
  const [row, rows] = [cell?.closest("tr"), cell?.closest("tbody")?.querySelectorAll("tr:has([data-square])")];
  if (!board || !first || !cell || !row || !rows) return;
  const files = Array.from(row.querySelectorAll("[data-square]"));
  const [x, y] = [files.indexOf(cell), Array.from(rows).indexOf(row)];
  const [right, down] = [x < files.length / 2 ? 1 : -1, y < rows.length / 2 ? 1 : -1];
  const high = Math.min(rows.length, Math.max(COLUMN, Math.ceil((2 * found.length) / files.length)));
  // The column begins at the square, or as near to it as there is room.
  const start = down > 0 ? Math.min(y, rows.length - high) : Math.max(y, high - 1);
  const [frame, box] = [board.getBoundingClientRect(), cell.getBoundingClientRect()];
  const panel = document.createElement("div");
  panel.className = "column";
  panel.id = "choose";
  panel.setAttribute("role", "dialog");
  panel.setAttribute("aria-label", promoted(first) ? "Promote to" : "Choose a move");
  panel.setAttribute("aria-modal", "true");
  const buttons = found.map((choice, index) => {
    const button = option(choice, index);
    const [across, along] = [Math.floor(index / high) * right, start - y + (index % high) * down];
    button.style.left = `${((box.x - frame.x + across * box.width) / frame.width) * 100}%`;
    button.style.top = `${((box.y - frame.y + along * box.height) / frame.height) * 100}%`;
    button.style.width = `${(box.width / frame.width) * 100}%`;
    button.style.height = `${(box.height / frame.height) * 100}%`;
    button.addEventListener("click", () => {
      panel.remove();
      focusSquare(choice.to);
      chosen(choice);
    });
    return button;
  });
  panel.append(...buttons);
  panel.addEventListener("click", (event) => event.target === panel && dismiss());
  /** Distance of each key in the list of buttons. @type {Record<string, number>} */
  const steps = { ArrowDown: down, ArrowUp: -down, ArrowRight: right * high, ArrowLeft: -right * high };
  panel.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = buttons.findIndex((button) => button === document.activeElement);
    const tab = event.key === "Tab" && buttons.at((at + (event.shiftKey ? -1 : 1)) % buttons.length);
    const next = tab || (event.key in steps && (buttons[at + (steps[event.key] ?? 0)] ?? buttons[at]));
    const meant = buttons.find((button) => button.getAttribute("aria-keyshortcuts")?.split(" ").includes(event.key));
    if (next || meant) event.preventDefault();
    if (next) next.focus({ preventScroll: true });
    meant?.click();
  });
  if (first.kind === "move") state.stop = first.from;
  document.getElementById("choose")?.remove();
  board.append(panel);
  buttons[0]?.focus({ preventScroll: true });
  say(`Choose: ${found.map((choice) => choice.label).join(", ")}`);
}

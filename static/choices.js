// @ts-check
/** Available actions, and which of them a selected piece can take. */

import { current, find, game } from "./dom.js";
import { state } from "./state.js";
/** @import {Choice, Move, Drop} from "./state.js" */

/** Choices that end on a square. @returns {(Choice & (Move | Drop))[]} */
const placed = () => state.choices.flatMap((choice) => (choice.kind === "word" ? [] : [choice]));

/** What must be selected for a choice: a square, or the notation of a piece off the board. @param {Move | Drop} choice */
const start = (choice) => (choice.kind === "move" ? choice.from : choice.piece.said);

/** Squares that a selected piece can go to. @param {string} key @returns {Set<string>} */
export const targets = (key) => new Set(placed().flatMap((choice) => (start(choice) === key ? [choice.to] : [])));

/** Whether a choice ends on a square, or the square is another way to choose it. @param {Move | Drop} choice @param {string} to */
const ends = (choice, to) => choice.to === to || (choice.kind === "move" && choice.also === to);

/** Distinct actions that lead from one place to another. @param {string} from @param {string} to */
export function ways(from, to) {
  const found = placed().filter((choice) => ends(choice, to) && start(choice) === from);
  return found.filter((choice, index) => found.findIndex((other) => other.action === choice.action) === index);
}

/** Choices for a selected piece, on one square or on any. @param {string} key @param {string} [to] */
export const deeds = (key, to) => placed().filter((choice) => start(choice) === key && (!to || choice.to === to));

/** Action of a piece off the board that does not depend on its square. @param {string} key */
export const alone = (key) => deeds(key).map((choice) => (choice.kind === "drop" ? choice.piece.alone : ""))[0];

/** Piece selected by the page itself, because only its square is left to choose. */
export const given = () => find("#board")?.dataset.given ?? "";

/** Whether the viewer can act on the board. */
export const asked = () => placed().length > 0;

/** Form of a turn that is built from parts. Choices are added to it. */
export const draft = () => /** @type {HTMLFormElement | null} */ (find("#board[data-draft]"));

/** Whether a piece from off the board stays in hand after it is placed, so that it can be placed again. */
export const keeps = () => !!find("#board[data-keeps]");

/** Whether a piece in hand can be placed on a square again and again. @param {string} to */
export const brushes = (to) => keeps() && !state.squares.has(state.picked) && targets(state.picked).has(to);

/** Whether the viewer can premove: they have a side, and it is the opponent's turn. */
export function ahead() {
  const { side, over } = game().dataset;
  return !asked() && !state.pending && !over && state.back === null && current() && !!side && !draft();
}

/** Whether a piece can be selected here. @param {string} key */
export function movable(key) {
  if (placed().some((choice) => start(choice) === key)) return true;
  const color = state.squares.get(key)?.dataset.color;
  return !!color && ahead() && color === game().dataset.side;
}

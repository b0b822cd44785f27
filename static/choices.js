// @ts-check
/** What may be done now, and with what in hand. */

import { current, find, game } from "./dom.js";
import { state } from "./state.js";
/** @import {Choice, Move, Drop} from "./state.js" */

/** Those that have a place on the board. @returns {(Choice & (Move | Drop))[]} */
const placed = () => state.choices.flatMap((choice) => (choice.kind === "word" ? [] : [choice]));

/** What has to be in hand: a square, or what is said of a piece from elsewhere. @param {Move | Drop} choice */
const start = (choice) => (choice.kind === "move" ? choice.from : choice.piece.said);

/** Where something in hand may go. @param {string} key @returns {Set<string>} */
export const targets = (key) => new Set(placed().flatMap((choice) => (start(choice) === key ? [choice.to] : [])));

/** Whether something ends on a square, or is also meant by it. @param {Move | Drop} choice @param {string} to */
const ends = (choice, to) => choice.to === to || (choice.kind === "move" && choice.also === to);

/** The different things that can be done by going from one place to another. @param {string} from @param {string} to @returns {Choice[]} */
export function ways(from, to) {
  const found = placed().filter((choice) => ends(choice, to) && start(choice) === from);
  return found.filter((choice, index) => found.findIndex((other) => other.action === choice.action) === index);
}

/** What is done with something in hand: on a square, or anywhere. @param {string} key @param {string} [to] */
export const deeds = (key, to) => placed().filter((choice) => start(choice) === key && (!to || choice.to === to));

/** What a piece from elsewhere means wherever it comes. @param {string} key */
export const alone = (key) => deeds(key).map((choice) => (choice.kind === "drop" ? choice.piece.alone : ""))[0];

/** What is in hand without being pressed, because all that is left is to say where it goes. */
export const given = () => find("#board")?.dataset.given ?? "";

/** Whether anything may be done on the board. */
export const asked = () => placed().length > 0;

/** The form that holds what is put together from parts; the choices are added to it. */
export const draft = () => /** @type {HTMLFormElement | null} */ (find("#board[data-draft]"));

/** Whether one's own units may be moved in advance: it is a game of turns, and the turn is not ours. */
export function ahead() {
  const { side, over } = game().dataset;
  return !asked() && !over && state.back === null && current() && !!side && !draft();
}

/** Whether something can be taken in hand here. @param {string} key */
export function movable(key) {
  if (placed().some((choice) => start(choice) === key)) return true;
  const color = state.squares.get(key)?.dataset.color;
  return !!color && ahead() && color === game().dataset.side;
}

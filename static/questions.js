// @ts-check
/** Answers to questions in the field for typed moves. They come from the page alone. */

import { LIST, all, find, game, line, unit } from "./dom.js";
/** @import {Choice} from "./state.js" */

/** Letters of the pieces in notation. @type {Record<string, string>} */
export const LETTERS = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };

const ROW = "a[data-spoken]";

/** Lines of the move list, each with its step, its words and whether it is a move. @param {HTMLElement} [root] */
export const rows = (root) => all(`${LIST} ${ROW}`, root).map((row) => ({ ply: Number(/ply\/(\d+)/.exec(row.getAttribute("href") ?? "")?.[1]), words: row.dataset.spoken ?? "", move: row.matches("td:not([colspan]) *") }));

/** Actions of some buttons, each with what the button's text adds. @param {string} selector */
export function deeds(selector) {
  return all(selector).map((button) => {
    const [action, label] = [button.getAttribute("value") ?? "", line(button)];
    const added = label.toLowerCase().startsWith(action) ? label.slice(action.length).replace(/^[\s,:]+/, "") : label.replace(/^Force/, "force");
    return !added || label.toLowerCase().replace(/\s/g, "") === action ? action : `${action} (${added})`;
  });
}

/** Actions that the player can choose with a button. At most five. */
export function buttons() {
  const found = deeds(".ask form:not(.quick) button[name=action]");
  return found.length > 0 && found.length < 6 ? `You can send: ${found.join(", ")}` : "";
}

/** Whether the board shows an earlier step. */
export const past = () => !!find("#board.past");

/** Choices of the side to move. @returns {Choice[]} */
export const choices = () => (past() ? [] : JSON.parse(find("#choices")?.textContent || "[]"));

/** Actions that the player can send in the field of the layout for screen readers, or a move as an example. */
export function ways() {
  const [bid, field] = [find("#bid"), find(".spoken #action")];
  if (!(field instanceof HTMLInputElement)) return buttons();
  if (bid instanceof HTMLInputElement) return `You can send: bid and a number from ${bid.min} to ${bid.max}`;
  const [guess, sheet] = [find("#guesses option")?.getAttribute("value"), all("input[id^=guess-]").length];
  if (guess) return `You can send: guess and up to ${sheet} guesses, such as guess ${guess}`;
  const move = choices().find(({ kind }) => kind === "move")?.label;
  return buttons() || (move ? `You can send: a move, such as ${move}` : field.placeholder && `Example of an action: ${field.placeholder}`);
}

/** Line of the move list for the step on the board, in words. At the end of the game that is the last line. */
export const latest = () => all(`${LIST} td[aria-current] ${ROW}`).at(-1)?.dataset.spoken ?? (past() ? "" : rows().at(-1)?.words ?? "");

/** Squares of the board. */
export const squares = () => all(".position .board td[data-square]");

/** Name of a square. @param {HTMLElement} cell */
export const named = (cell) => cell.dataset.square ?? "";

/** Lists the pieces on some squares. @param {string} head @param {HTMLElement[]} cells */
function list(head, cells) {
  const units = cells.filter(unit).map((cell) => `${named(cell)} ${unit(cell)}`);
  return `${head}: ${units.join(", ") || "empty"}.`;
}

/** Name of a player, with the colour. @param {HTMLElement} seat */
export function player(seat) {
  const name = seat.querySelector(".name")?.textContent ?? "";
  const color = ["White", "Black"].find((each) => seat.classList.contains(each.toLowerCase()) && each !== name);
  return [name, color].filter(Boolean).join(", ");
}

/** Lists a value of both seats. @param {string} part */
export function seats(part) {
  return all(".seat:not([hidden])", game()).map((seat) => `${player(seat)}: ${seat.querySelector(part)?.textContent ?? "none"}`).join("; ");
}

/** Answer to a question in the field for typed moves; empty if the text is no question. @param {string} text */
export function answer(text) {
  const cells = squares();
  const level = /^level ?([a-e])$/.exec(text)?.[1]?.toUpperCase();
  if (level) return list(`Level ${level}`, cells.filter((cell) => named(cell).startsWith(level)));
  const row = /^(?:rank|file) ?([a-h1-8])$/.exec(text)?.[1];
  if (row) return list(/\d/.test(row) ? `Rank ${row}` : `File ${row}`, cells.filter((cell) => named(cell).includes(row)));
  const kind = /^(?:all )?((?:white |black )?[a-z ]+?)s?$/.exec(text)?.[1] ?? "";
  const kinds = cells.filter((cell) => kind && (unit(cell) === kind || cell.dataset.piece === kind));
  if (kinds.length) return list(text, kinds);
  if (/^last( move)?$/.test(text)) return latest() || "No moves yet.";
  if (/^clocks?$/.test(text)) return `Clocks. ${seats(".clock")}.`;
  if (/^purses?$/.test(text)) return `Purses. ${seats(".purse")}.`;
  if (/^(help|\?)$/.test(text)) return "Type a move, or: rank 4, file e, knights, last, clocks, purses.";
  return "";
}

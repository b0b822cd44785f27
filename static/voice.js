// @ts-check
/** Screen reader support: announces events, and answers questions in the field for typed moves. */

import { LIST, all, arrival, game, line, say } from "./dom.js";
import { unit } from "./squares.js";
import { state } from "./state.js";
/** @import {Keeper} from "./page.js" */

const ROW = "a[data-spoken]";

/** Lines of the move list, each with its step and its words. @param {HTMLElement} [root] */
const rows = (root) => all(`${LIST} ${ROW}`, root).map((row) => ({ ply: Number(/ply\/(\d+)/.exec(row.getAttribute("href") ?? "")?.[1]), words: row.dataset.spoken ?? "" }));

/** Line of the move list for the step on the board, in words. At the end of the game that is the last line. */
export const latest = () => all(`${LIST} td[aria-current] ${ROW}`).at(-1)?.dataset.spoken ?? (state.back === null ? rows().at(-1)?.words ?? "" : "");

/** Lines of the move list that an update adds, or completes. @param {HTMLElement} old @param {HTMLElement} fresh */
function added(old, fresh) {
  const [before, now] = [rows(old), rows(fresh)];
  const since = Math.min(before.at(-1)?.ply ?? 0, now.at(-1)?.ply ?? 0);
  return now.filter(({ ply, words }) => ply >= since && !before.some((row) => row.ply === ply && row.words === words)).map(({ words }) => words);
}

/** Text of an element without its buttons and its signs for the eye. @param {HTMLElement} element */
function heard(element) {
  const copy = /** @type {HTMLElement} */ (element.cloneNode(true));
  for (const part of all("button, [aria-hidden=true]", copy)) part.remove();
  return line(copy);
}

/** A text without its countdowns. @param {string} words */
const timeless = (words) => words.replace(/\d+:[\d:.]+/g, "");

/** Texts of elements that are new in an update. @param {HTMLElement} old @param {HTMLElement} fresh @param {string} when place among the other texts */
function fresher(old, fresh, when) {
  const [before, now] = [old, fresh].map((root) => all(`[data-aloud=${when}]`, root).map(heard));
  return now?.filter((words) => !before?.some((other) => timeless(other) === timeless(words))) ?? [];
}

/** Announces an update. @type {Keeper} */
export const telling = ({ old, fresh, step, asked }) => () => {
  const headline = line(fresh.querySelector("h1"));
  const came = arrival(old, fresh);
  if (!asked) document.title = fresh.dataset.title ?? "";
  // The parts of a turn that the player builds.
  const parts = asked && !step ? fresher(old, fresh, "draft") : [];
  const news = added(old, fresh);
  const [before, { over, retracted }] = [old.dataset, fresh.dataset];
  const taken = before.retracted !== retracted && "Move taken back";
  const withdrawn = !asked && !step && !!old.querySelector("[data-offer]") && !fresh.querySelector("[data-offer]") && "Offer withdrawn";
  const turn = (step || line(old.querySelector("h1")) !== headline) && headline;
  const check = step && !over && !fresh.querySelector("[data-mates]") && !/check/.test(news.join()) && !!fresh.querySelector("td.check") && "Check";
  const words = [...news, taken, ...fresher(old, fresh, "first"), ...parts, withdrawn, turn, ...fresher(old, fresh, "after"), check].flatMap((each) => each || []);
  if (came) say(`${line(came)} ${headline}`);
  // An alert is spoken by itself.
  else if (words.length && (step || !fresh.querySelector("[role=alert]"))) say(`${words.map((each) => each.replace(/\.$/, "")).join(". ")}.`);
};

/** Lists the pieces on some squares. @param {string} head @param {[string, HTMLElement][]} cells */
function list(head, cells) {
  const units = cells.filter(([, cell]) => unit(cell)).map(([name, cell]) => `${name} ${unit(cell)}`);
  return `${head}: ${units.join(", ") || "empty"}.`;
}

/** Lists a value of both seats. @param {string} part */
function seats(part) {
  return all(".seat:not([hidden])", game()).map((seat) => `${seat.querySelector(".name")?.textContent}: ${seat.querySelector(part)?.textContent ?? "none"}`).join("; ");
}

/** Answer to a question in the field for typed moves; empty if the text is no question. @param {string} text */
export function answer(text) {
  const cells = [...state.squares];
  const level = /^level ?([a-e])$/.exec(text)?.[1]?.toUpperCase();
  if (level) return list(`Level ${level}`, cells.filter(([name]) => name.startsWith(level)));
  const row = /^(?:rank|file) ?([a-h1-8])$/.exec(text)?.[1];
  if (row) return list(/\d/.test(row) ? `Rank ${row}` : `File ${row}`, cells.filter(([name]) => name.includes(row)));
  const kind = /^(?:all )?((?:white |black )?[a-z ]+?)s?$/.exec(text)?.[1] ?? "";
  const kinds = cells.filter(([, cell]) => kind && (unit(cell) === kind || cell.dataset.piece === kind));
  if (kinds.length) return list(text, kinds);
  if (/^last( move)?$/.test(text)) return latest() || "No moves yet.";
  if (/^clocks?$/.test(text)) return `Clocks. ${seats(".clock")}.`;
  if (/^purses?$/.test(text)) return `Purses. ${seats(".purse")}.`;
  if (/^(help|\?)$/.test(text)) return "Type a move, or: rank 4, file e, knights, last, clocks, purses.";
  return "";
}

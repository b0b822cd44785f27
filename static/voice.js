// @ts-check
/** Screen reader support: announces events, and answers questions in the field for typed moves. */

import { LIST, all, arrival, current, game, line, say } from "./dom.js";
import { unit } from "./squares.js";
import { state } from "./state.js";
/** @import {Keeper} from "./page.js" */

/** Last line of the move list. */
const last = () => line(all(`${LIST} td[aria-current]`).at(-1) ?? (current() ? all(`${LIST} td:has(a)`).at(-1) : null));

/** Texts of matching elements that are new in an update. @param {HTMLElement} old @param {HTMLElement} fresh @param {string} selector */
function fresher(old, fresh, selector) {
  const before = new Set(all(selector, old).map(line));
  return all(selector, fresh).map(line).filter((words) => !before.has(words));
}

/** Announces an update. @type {Keeper} */
export const telling = ({ old, fresh, step, asked }) => () => {
  const headline = line(fresh.querySelector("h1"));
  const came = arrival(old, fresh);
  if (!asked) document.title = fresh.dataset.title ?? "";
  const [first, after] = ["first", "after"].map((when) => fresher(old, fresh, `[data-aloud=${when}]`));
  const check = !fresh.matches("[data-over], :has([data-mates])") && fresh.querySelector("td.check") && "Check";
  const words = [...(first.length ? first : [last()]), headline, ...after, check];
  if (came) say(`${line(came)} ${headline}`);
  else if (step) say(words.filter(Boolean).map((each) => String(each).replace(/\.$/, "")).join(". "));
  else if (fresh.querySelector("[role=alert]") === null && headline) say([...after, headline].join(" "));
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
  if (/^last( move)?$/.test(text)) return last() || "No moves yet.";
  if (/^clocks?$/.test(text)) return `Clocks. ${seats(".clock")}.`;
  if (/^purses?$/.test(text)) return `Purses. ${seats(".purse")}.`;
  if (/^(help|\?)$/.test(text)) return "Type a move, or: rank 4, file e, knights, last, clocks, purses.";
  return "";
}

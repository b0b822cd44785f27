// @ts-check
/** Screen reader support: announces events. */

import { all, arrival, find, line, say } from "./dom.js";
import { remember, remembered } from "./memory.js";
import { rows } from "./questions.js";
/** @import {Keeper} from "./page.js" */

/** Lines of the move list that the page has shown, as a JSON text each. An update after a visit to an earlier step does not repeat them. */
const known = new Set();
/** Last step in them. */
let latest = 0;

/** Lines of the move list that an update adds, or completes, and lines that a takeback removes.
 * @param {HTMLElement} old @param {HTMLElement} fresh @param {boolean} taken whether moves were taken back */
function changes(old, fresh, taken) {
  const [before, now] = [rows(old), rows(fresh)];
  /** @param {{ply: number, words: string}[]} lines */
  const note = (lines) => {
    for (const row of lines) known.add(JSON.stringify(row));
    latest = Math.max(latest, lines.at(-1)?.ply ?? 0);
  };
  note(before);
  const end = now.at(-1)?.ply ?? 0;
  const since = Math.min(latest, end);
  const added = now.filter((row) => row.ply >= since && !known.has(JSON.stringify(row)));
  if (taken) {
    known.clear();
    latest = 0;
  }
  note(now);
  return { added: added.map(({ words }) => words), removed: before.filter(({ ply }) => taken && ply > end).map(({ words }) => words) };
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
  const { over, retracted } = fresh.dataset;
  const back = old.dataset.retracted !== retracted;
  const { added: news, removed } = changes(old, fresh, back);
  const taken = back && ["Move taken back", removed.join(", ")].filter(Boolean).join(": ");
  const withdrawn = !asked && !step && !!old.querySelector("[data-offer]") && !fresh.querySelector("[data-offer]") && "Offer withdrawn";
  const turn = (step || line(old.querySelector("h1")) !== headline) && headline;
  const check = step && !over && !fresh.querySelector("[data-mates]") && !/check/.test(news.join()) && !!fresh.querySelector("td.check") && "Check";
  const words = [taken, ...news, ...fresher(old, fresh, "first"), ...parts, withdrawn, turn, ...fresher(old, fresh, "after"), check].flatMap((each) => each || []);
  if (came) say(`${line(came)} ${headline}`);
  // An alert is spoken by itself.
  else if (words.length && (step || !fresh.querySelector("[role=alert]"))) say(`${words.map((each) => each.replace(/\.$/, "")).join(". ")}.`);
};

/** Announces that the layout of the page has changed, once the page is ready for it. */
export function arranged() {
  const layout = find(".spoken") ? "Layout for screen readers" : "Layout with the board first";
  const before = remembered("layout");
  remember("layout", layout);
  if (before && before !== layout) setTimeout(() => say(`${layout} is on.`), 500);
}

// @ts-check
/** Screen reader support: announces events. */

import { all, arrival, line, say } from "./dom.js";
import { rows } from "./questions.js";
/** @import {Keeper} from "./page.js" */

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

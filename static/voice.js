// @ts-check
/** Screen reader support: announces events. */

import { all, arrival, find, game, line, say } from "./dom.js";
import { remember, remembered } from "./memory.js";
import { buttons, latest, past, rows, ways } from "./questions.js";
/** @import {Keeper} from "./page.js" */

/** Lines of the move list that the page has shown, each as a text. An update after a visit to an earlier step does not repeat them. */
const known = new Set();
/** Text of a line in them. @param {ReturnType<typeof rows>[number]} row */
const text = ({ ply, words }) => JSON.stringify([ply, words]);
/** Last step in them. */
let end = 0;

/** Lines of the move list that an update adds, or completes, and lines that a takeback removes.
 * @param {HTMLElement} old @param {HTMLElement} fresh @param {boolean} taken whether moves were taken back */
function changes(old, fresh, taken) {
  const [before, now] = [rows(old), rows(fresh)];
  /** @param {ReturnType<typeof rows>} lines */
  const note = (lines) => {
    for (const row of lines) known.add(text(row));
    end = Math.max(end, lines.at(-1)?.ply ?? 0);
  };
  note(before);
  const last = now.at(-1)?.ply ?? 0;
  const since = Math.min(end, last);
  const added = now.filter((row) => row.ply >= since && !known.has(text(row)));
  if (taken) {
    known.clear();
    end = 0;
  }
  note(now);
  /** New words of a line. Words that only replace others, as at the end in the fog, are not new. @param {ReturnType<typeof rows>[number]} row */
  const news = ({ ply, words }) => {
    const begun = before.find((row) => row.ply === ply && words.startsWith(`${row.words}. `));
    if (begun) return words.slice(begun.words.length + 2);
    // A takeback leaves such a line without its notes.
    if (taken && before.some((row) => row.ply === ply && row.words.startsWith(words))) return [];
    return taken || ply > since ? words : [];
  };
  return { added: added.flatMap(news), removed: before.filter(({ ply }) => taken && ply > last) };
}

/** What was taken back, and the last move that is left. @param {ReturnType<typeof rows>} removed @param {HTMLElement} fresh */
function takeback(removed, fresh) {
  const moves = removed.filter(({ move }) => move).length;
  const bid = !moves && removed.some(({ words }) => /: bids?\s/.test(words));
  const left = rows(fresh).filter(({ move }) => move).at(-1)?.words.split(". ")[0];
  const what = moves ? `Taken back: ${moves} move${moves > 1 ? "s" : ""}` : `${bid ? "Bid" : "Move"} taken back`;
  return [what, left ? `Last move: ${left}` : moves ? "No moves are left" : ""];
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
  const taken = back && takeback(removed, fresh);
  const withdrawn = !asked && !step && !!old.querySelector("[data-offer]") && !fresh.querySelector("[data-offer]") && "Offer withdrawn";
  const after = fresher(old, fresh, "after");
  // A last move such as checkmate or the capture of the king names the reason by itself, and so does the result of a match.
  const why = over && !old.dataset.over ? line(fresh.querySelector(".say .reason")) : "";
  const reason = !after.some((words) => words.endsWith(`: ${why}.`)) && !news.some((words) => words.endsWith(`, ${why}`) || (/king was captured$/.test(why) && / takes king\b/.test(words))) && why;
  const turn = (step || line(old.querySelector("h1")) !== headline) && [headline, reason].filter(Boolean).join(": ");
  const answers = turn && /^Your turn/.test(turn) && buttons();
  const check = step && !over && !fresh.querySelector("[data-mates]") && !/check/.test(news.join()) && !!fresh.querySelector("td.check") && "Check";
  const words = [...(taken || []), ...news, ...fresher(old, fresh, "first"), ...parts, withdrawn, turn, answers, ...after, check].flatMap((each) => each || []);
  if (came) say(`${line(came)} ${headline}`);
  // An alert is spoken by itself.
  else if (words.length && (step || !fresh.querySelector("[role=alert]"))) say(`${words.map((each) => each.replace(/\.$/, "")).join(". ")}.`);
};

/** The colour of a player who has not acted yet, as a sentence. */
function color() {
  const { side } = game().dataset;
  const acted = rows().some(({ words }) => words.toLowerCase().startsWith(`${side}:`));
  return side && !acted ? `You are ${side.replace(/^./, (letter) => letter.toUpperCase())}` : "";
}

/** What a page says when it opens. In the layout with the board first, that is what came before the player's turn. The curtain of a shared screen
 * asks for the other player, who then hears the turn. */
function opening() {
  const [headline, spoken] = [line(find("h1")), find(".spoken")];
  if (past()) return [];
  if (find(".curtain")) return [headline, line(find(".curtain p"))];
  if (/^Your turn/.test(headline) && (spoken || latest() || game().dataset.seat)) return [color(), latest(), headline, ways()];
  return spoken && (color() || find("#typed[method=get]")) ? [color(), latest(), headline] : [];
}

/** Focuses the field of the layout for screen readers in a page of a game or of a seat that is new to the player. */
function enter() {
  const fresh = color() || (game().dataset.seat && /^Your turn/.test(line(find("h1"))));
  if (fresh && document.activeElement === document.body && !location.hash) find(".spoken #action")?.focus({ preventScroll: true });
}

/** Announces that the layout of the page has changed, and the state of the game, once the page is ready for it. */
export function arranged() {
  const live = document.getElementById("live");
  const layout = live?.matches(".answer") ? "Layout for screen readers" : "Layout with the board first";
  const before = remembered("layout");
  remember("layout", layout);
  const changed = before && before !== layout && `${layout} is on`;
  enter();
  setTimeout(() => {
    // An update has announced the turn by itself.
    const words = [changed, ...(line(live) ? [] : opening())].filter(Boolean);
    if (words.length) say(`${words.join(". ").replace(/\.$/, "")}.`);
  }, 500);
}

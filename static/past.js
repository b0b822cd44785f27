// @ts-check
/** Earlier moments of the game, as this viewer may see them: fetched together, and only those that are not known yet. */

import { address, aspect, game } from "./dom.js";

/** The parts of the page at a step, each as its lines. @typedef {Record<string, string[]>} Moment */
/** A part as it is sent: all its lines, or those that differ from the step before. @typedef {string[] | Record<string, string>} Sent */

/** @type {Moment[]} */
let moments = [];
/** For which eyes and which course of the game they are. */
let made = "";

/** For which eyes, and which course: what was taken back may have happened otherwise, and what the engine thinks comes later. */
function course() {
  const { seat, over, judged, retracted } = game().dataset;
  return [aspect(), seat, over, judged, retracted].join(" ");
}

/** What is known of a step. @param {number} ply @returns {Moment | undefined} */
export function moment(ply) {
  if (made !== course()) [made, moments] = [course(), []];
  return moments[ply];
}

/** Fetches what is not known up to a step. @param {number} ply @returns {Promise<boolean>} whether it is known then */
export async function fetched(ply) {
  while (!moment(ply)) {
    const [mine, since] = [moments, moments.length];
    const answer = await fetch(`${address()}/moments${aspect() || "?"}&since=${since}`);
    /** @type {{moments: Record<string, Sent>[]}} */
    const sent = await answer.json();
    if (!answer.ok || !sent.moments?.length) return false;
    // Another answer, or another course of the game, may have come meanwhile.
    moment(0);
    if (mine !== moments || since !== moments.length) continue;
    /** @type {Moment} */
    let before = {};
    for (const each of sent.moments) moments.push((before = after(before, each)));
  }
  return true;
}

/** A moment, from the one before and what differs. @param {Moment} before @param {Record<string, Sent>} sent @returns {Moment} */
function after(before, sent) {
  const parts = { ...before };
  for (const [name, lines] of Object.entries(sent)) {
    parts[name] = Array.isArray(lines) ? lines : (before[name] ?? []).map((line, at) => lines[at] ?? line);
  }
  return parts;
}

// @ts-check
/** Earlier steps of the game as this viewer may see them. Missing steps are fetched together. */

import { address, aspect, game } from "./dom.js";

/** Parts of the page at a step, each a list of lines. @typedef {Record<string, string[]>} Moment */
/** A part as the server sends it: all its lines, or only those that differ from the previous step. @typedef {string[] | Record<string, string>} Sent */

/** @type {Moment[]} */
let moments = [];
/** Viewer and course of the game that the moments belong to. */
let made = "";

/** Viewer and course of the game. A takeback changes earlier steps, and a review adds the engine's evaluation. */
function course() {
  const { seat, over, judged, retracted } = game().dataset;
  return [aspect(), seat, over, judged, retracted].join(" ");
}

/** A step, if it has been fetched. @param {number} ply @returns {Moment | undefined} */
export function moment(ply) {
  if (made !== course()) [made, moments] = [course(), []];
  return moments[ply];
}

/** Fetches missing steps up to a given one. @param {number} ply @returns {Promise<boolean>} whether the step is available now */
export async function fetched(ply) {
  while (!moment(ply)) {
    const [mine, since] = [moments, moments.length];
    const answer = await fetch(`${address()}/moments${aspect() || "?"}&since=${since}`);
    /** @type {{moments: Record<string, Sent>[]}} */
    const sent = await answer.json();
    if (!answer.ok || !sent.moments?.length) return false;
    // Another answer or a takeback may have arrived in the meantime.
    moment(0);
    if (mine !== moments || since !== moments.length) continue;
    /** @type {Moment} */
    let before = {};
    for (const each of sent.moments) moments.push((before = after(before, each)));
  }
  return true;
}

/** Builds a step from the previous one and the differences. @param {Moment} before @param {Record<string, Sent>} sent @returns {Moment} */
function after(before, sent) {
  const parts = { ...before };
  for (const [name, lines] of Object.entries(sent)) {
    parts[name] = Array.isArray(lines) ? lines : (before[name] ?? []).map((line, at) => lines[at] ?? line);
  }
  return parts;
}

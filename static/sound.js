// @ts-check
/** Optional sounds for events of the game, synthesized in the browser. The browser stores whether they are on. */

import { all, find, game, near, unit } from "./dom.js";
import { remember, remembered } from "./memory.js";
import { ring } from "./tones.js";
/** @import {Keeper} from "./page.js" */
/** @import {Event} from "./tones.js" */

let wanted = remembered("sound") === "on";
/** Audible state of the last page from the server. @type {Shown | null} */
let shown = null;
/** @type {AudioContext | null} */
let sound = null;

/** Shows the switch and notes the state of the page. The page reserves the switch's space. */
export function offer() {
  shown = noted(game());
  const button = find("[data-tool=sound]");
  button?.setAttribute("aria-pressed", String(wanted));
  button?.classList.remove("unready");
}

/** Audible state of a page: the position, the number of pieces and of open offers, whether a seat is free, and whether the game is
 * over.
 * @typedef {{stands: string, units: number, offers: number, free: boolean, over: boolean}} Shown */
/** @param {HTMLElement} drawn @returns {Shown} */
function noted(drawn) {
  const cells = all(".board td[data-piece]", drawn);
  const stands = cells.map((cell) => `${cell.dataset.square} ${unit(cell)}`).join();
  return { stands, units: cells.length, offers: all("[data-offer]", drawn).length, free: !!drawn.dataset.free, over: !!drawn.dataset.over };
}

/** Event since the last update. @param {HTMLElement} fresh @param {boolean} step @returns {Event | null} */
function happened(fresh, step) {
  const now = noted(fresh);
  if (!shown) return null;
  if (now.over && !shown.over) return "end";
  if (shown.free && !now.free) return "join";
  if (now.offers > shown.offers) return "offer";
  if (!step) return null;
  if (fresh.querySelector("td.check")) return "check";
  if (now.units < shown.units) return "capture";
  return now.stands === shown.stands ? "bid" : "move";
}

/** @type {Keeper} */
export const sounding = ({ fresh, step }) => {
  const heard = happened(fresh, step);
  return () => heard && chime(heard);
};

/** Plays a sound. Browsers keep a page silent until the user has interacted with it. @param {Event} event */
export function chime(event) {
  if (!wanted || !sound) return;
  ring(sound, event);
  // Lets tests see which sound was played.
  find(".board")?.setAttribute("data-heard", event);
}

/** Creates the audio context on a user gesture. */
function wake() {
  if (wanted) sound ??= new AudioContext();
}

for (const touch of ["pointerdown", "keydown"]) document.addEventListener(touch, wake);

document.addEventListener("click", (event) => {
  const tool = near(event.target, "#game [data-tool=sound]");
  if (!tool) return;
  wanted = !wanted;
  remember("sound", wanted ? "on" : "off");
  tool.setAttribute("aria-pressed", String(wanted));
  wake();
  chime("move");
});

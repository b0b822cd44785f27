// @ts-check
/** A small sound for everything that happens, if it is wanted: made here, fetched from nowhere. One choice, kept by the browser. */

import { all, find, game, near } from "./dom.js";
import { remember, remembered } from "./memory.js";
import { unit } from "./squares.js";
/** @import {Keeper} from "./page.js" */

/** Something that is heard. @typedef {"move" | "capture" | "check" | "bid" | "join" | "offer" | "end" | "low"} Event */

/** The notes of each sound: hertz, and seconds after its beginning. @type {Record<Event, [number, number][]>} */
const NOTES = {
  move: [[440, 0]],
  capture: [[330, 0], [294, 0.05]],
  check: [[660, 0], [880, 0.09]],
  bid: [[554, 0]],
  join: [[523, 0], [659, 0.11], [784, 0.22]],
  offer: [[587, 0], [587, 0.14]],
  end: [[523, 0], [392, 0.15], [262, 0.3]],
  low: [[988, 0], [988, 0.12], [988, 0.24]],
};
/** How long a note sounds, in seconds. */
const LENGTH = 0.15;

let wanted = remembered("sound") === "on";
/** What the page showed last, as the server drew it. @type {Shown | null} */
let shown = null;
/** @type {AudioContext | null} */
let sound = null;

/** The switch, whose place is kept for a page with script; and a note of what the page shows. */
export function offer() {
  shown = noted(game());
  const button = find("[data-tool=sound]");
  button?.setAttribute("aria-pressed", String(wanted));
  button?.classList.remove("unready");
}

/** What a drawing shows, as far as it can be heard: what stands where, how many units there are, how many offers wait, whether a
 * seat is free and whether the game is over.
 * @typedef {{stands: string, units: number, offers: number, free: boolean, over: boolean}} Shown */
/** @param {HTMLElement} drawn @returns {Shown} */
function noted(drawn) {
  const cells = all(".board td[data-piece]", drawn);
  const stands = cells.map((cell) => `${cell.dataset.square} ${unit(cell)}`).join();
  return { stands, units: cells.length, offers: all("[data-offer]", drawn).length, free: !!drawn.dataset.free, over: !!drawn.dataset.over };
}

/** What has happened since the last drawing. @param {HTMLElement} fresh @param {boolean} step @returns {Event | null} */
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

/** Sounds. A page is silent until somebody has touched it: browsers want that. @param {Event} event */
export function chime(event) {
  if (!wanted || !sound) return;
  for (const [pitch, after] of NOTES[event]) {
    const tone = sound.createOscillator();
    const volume = sound.createGain();
    const begin = sound.currentTime + after;
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.15, begin);
    volume.gain.exponentialRampToValueAtTime(0.001, begin + LENGTH);
    tone.connect(volume).connect(sound.destination);
    tone.start(begin);
    tone.stop(begin + LENGTH);
  }
  // What was heard, for whoever watches over the page.
  find(".board")?.setAttribute("data-heard", event);
}

/** Makes ready to sound, at a touch. */
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

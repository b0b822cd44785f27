// @ts-check
/** A short tone at every step and when the other player sits down, if it is wanted. */

import { all, arrival, current, near } from "./dom.js";
import { state } from "./state.js";
/** @import {Keeper} from "./page.js" */

/** Hertz of a step that asks something of us, and of any other. */
const [OURS, THEIRS] = [660, 440];

/** @type {AudioContext | null} */
let sound = null;

/** The switch, which only a page with script has. */
export function offer() {
  const place = current() ? all("p.actions").at(-1) : null;
  if (!place || place.querySelector("[data-tool]")) return;
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.tool = "sound";
  button.setAttribute("aria-pressed", String(!!sound));
  button.textContent = "Sound";
  place.append(button);
}

/** @type {Keeper} */
export const sounding = ({ old, fresh, step }) => () => {
  const came = arrival(old, fresh);
  if (step || came) chime(came || state.choices.length ? OURS : THEIRS);
};

/** @param {number} pitch in hertz */
function chime(pitch) {
  if (!sound) return;
  const tone = sound.createOscillator();
  const volume = sound.createGain();
  tone.frequency.value = pitch;
  volume.gain.setValueAtTime(0.15, sound.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, sound.currentTime + 0.15);
  tone.connect(volume).connect(sound.destination);
  tone.start();
  tone.stop(sound.currentTime + 0.15);
}

document.addEventListener("click", (event) => {
  const tool = near(event.target, "#game [data-tool=sound]");
  if (!tool) return;
  if (sound) {
    sound.close();
    sound = null;
  } else sound = new AudioContext();
  tool.setAttribute("aria-pressed", String(!!sound));
  chime(OURS);
});

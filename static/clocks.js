// @ts-check
/** The clocks of both seats. The server decides when the time is over. */

import { all } from "./dom.js";
import { chime } from "./sound.js";

/** Below so many milliseconds the tenths of seconds are shown. */
const TENTHS = 10_000;

/** Shows the time that is left on the clocks that run. */
export function tick() {
  for (const clock of all(".clock[data-deadline]")) {
    const face = clock.lastChild;
    if (!face || !clock.dataset.deadline) continue;
    // The two machines' clocks need not agree: what was left when the page was drawn counts from now on.
    clock.dataset.end ??= String(clock.dataset.left ? Date.now() + Number(clock.dataset.left) : clock.dataset.deadline);
    const rest = Math.max(0, Number(clock.dataset.end) - Date.now());
    const text = rest < TENTHS ? `0:0${Math.floor(rest / 1000)}.${Math.floor(rest / 100) % 10}` : written(Math.floor(rest / 1000));
    if (face.textContent !== text) face.textContent = text;
    const low = !!clock.dataset.low && rest < Number(clock.dataset.low);
    if (low && !clock.classList.contains("low") && clock.dataset.own) chime("low");
    clock.classList.toggle("low", low);
  }
}

/** Seconds as a clock shows them: `4:05`, `2 d 3 h`. @param {number} left */
function written(left) {
  const [days, hours, minutes, seconds] = [Math.floor(left / 86400), Math.floor(left / 3600), Math.floor(left / 60) % 60, String(left % 60).padStart(2, "0")];
  if (days) return `${days} d ${hours % 24} h`;
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${seconds}` : `${minutes}:${seconds}`;
}

// @ts-check
/** The clocks of both seats. The server decides when the time is over. */

import { all } from "./dom.js";

/** Shows the time that is left on the clocks that run. */
export function tick() {
  for (const clock of all(".clock[data-deadline]")) {
    const face = clock.lastChild;
    if (!face || !clock.dataset.deadline) continue;
    // The two machines' clocks need not agree: what was left when the page was drawn counts from now on.
    clock.dataset.end ??= String(clock.dataset.left ? Date.now() + Number(clock.dataset.left) : clock.dataset.deadline);
    const left = Math.max(0, Math.floor((Number(clock.dataset.end) - Date.now()) / 1000));
    const text = written(left);
    if (face.textContent !== text) face.textContent = text;
    if (clock.dataset.low) clock.classList.toggle("low", left * 1000 < Number(clock.dataset.low));
  }
}

/** Seconds as a clock shows them: `4:05`, `2 d 3 h`. @param {number} left */
function written(left) {
  const [days, hours, minutes, seconds] = [Math.floor(left / 86400), Math.floor(left / 3600), Math.floor(left / 60) % 60, String(left % 60).padStart(2, "0")];
  if (days) return `${days} d ${hours % 24} h`;
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${seconds}` : `${minutes}:${seconds}`;
}

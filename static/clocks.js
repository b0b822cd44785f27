// @ts-check
/** Clocks of both seats. The server decides who loses on time. */

import { all, say } from "./dom.js";
import { chime } from "./sound.js";

/** Remaining milliseconds below which the clock shows tenths of seconds. */
const TENTHS = 10_000;

/** Seconds left on the own clock that are still to be announced. */
let warnings = [60, 20, 10];

/** Announces that little time is left, at most a fifth of the whole time. @param {number} rest in milliseconds @param {number} low milliseconds that are at most a tenth of the whole time */
function warn(rest, low) {
  const due = warnings.filter((seconds) => rest <= seconds * 1000);
  warnings = warnings.filter((seconds) => !due.includes(seconds));
  if (due.some((seconds) => seconds * 1000 <= 2 * low)) say(`${Math.ceil(rest / 1000)} seconds left.`);
}

/** Shows the remaining time on running clocks and countdowns. */
export function tick() {
  for (const clock of all("[data-left]")) {
    const face = clock.lastChild;
    if (!face) continue;
    // The two machines' clocks may differ, so the remaining time counts down from when the page arrived.
    clock.dataset.end ??= String(Date.now() + Number(clock.dataset.left));
    // A resting clock shows its whole time until it starts.
    const rest = Math.max(0, Math.min(Number(clock.dataset.end) - Date.now(), Number(clock.dataset.most ?? Infinity)));
    const text = rest < TENTHS ? `0:0${Math.floor(rest / 1000)}.${Math.floor(rest / 100) % 10}` : written(Math.floor(rest / 1000));
    if (face.textContent !== text) face.textContent = text;
    const low = !!clock.dataset.low && rest < Number(clock.dataset.low);
    if (low && !clock.classList.contains("low") && clock.dataset.own) chime("low");
    clock.classList.toggle("low", low);
    if (clock.dataset.own && rest > 0) warn(rest, Number(clock.dataset.low));
  }
}

/** Formats seconds for a clock: `4:05`, `2 d 3 h`. @param {number} left */
function written(left) {
  const [days, hours, minutes, seconds] = [Math.floor(left / 86400), Math.floor(left / 3600), Math.floor(left / 60) % 60, String(left % 60).padStart(2, "0")];
  if (days) return `${days} d ${hours % 24} h`;
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${seconds}` : `${minutes}:${seconds}`;
}

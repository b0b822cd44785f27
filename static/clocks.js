// @ts-check
/** Clocks of both seats. The server decides who loses on time. */

import { all, say } from "./dom.js";
import { remembered } from "./memory.js";
import { chime } from "./sound.js";

/** Remaining milliseconds below which the clock shows tenths of seconds. */
const TENTHS = 10_000;

/** Seconds left on the own clock that are announced. */
const USUAL = [60, 20, 10];
/** Seconds that the player has chosen instead. @type {Record<string, number[]>} */
const CHOSEN = { none: [], few: [30, 10], many: [300, 60, 30, 10] };
/** Seconds that have been announced. @type {Set<number>} */
const announced = new Set();

/** Announces that little time is left. Usually that is at most a fifth of the whole time. Times that the player has chosen need only be
 * less than the clock had before the turn. @param {number} rest in milliseconds @param {number} low milliseconds that are at most a tenth of the whole time @param {number} most milliseconds before the turn */
function warn(rest, low, most) {
  const chosen = CHOSEN[remembered("warnings") ?? ""];
  const due = (chosen ?? USUAL).filter((seconds) => rest <= seconds * 1000 && !announced.has(seconds));
  for (const seconds of due) announced.add(seconds);
  const left = rest > 90_000 ? `${Math.ceil(rest / 60_000)} minutes` : `${Math.ceil(rest / 1000)} seconds`;
  if (due.some((seconds) => seconds * 1000 < (chosen ? most : 2 * low + 1))) say(`${left} left.`);
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
    if (clock.dataset.own && rest > 0) warn(rest, Number(clock.dataset.low), Number(clock.dataset.most));
  }
}

/** Formats seconds for a clock: `4:05`, `2 d 3 h`. @param {number} left */
function written(left) {
  const [days, hours, minutes, seconds] = [Math.floor(left / 86400), Math.floor(left / 3600), Math.floor(left / 60) % 60, String(left % 60).padStart(2, "0")];
  if (days) return `${days} d ${hours % 24} h`;
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${seconds}` : `${minutes}:${seconds}`;
}

// @ts-check
/** Bid slips that turn over on the board. Players and spectators see them, and the result, before the next update. */

import { find } from "./dom.js";
import { catchUp } from "./page.js";
import { state } from "./state.js";
/** @import {Keeper} from "./page.js" */

/** Milliseconds that updates wait for the slips. */
const TURN = 1700;

/** Turns closed slips over, unless the system asks for reduced motion. @type {Keeper} */
export function revealing({ old, fresh, step }) {
  const turned = step && !old.querySelector(".slip.open") && fresh.querySelector(".slip.open");
  if (!turned) return;
  return () => {
    const slips = find(".slips")?.cloneNode(true);
    if (!slips || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    find(".position")?.append(slips);
    fresh.classList.add("turning");
    state.turning = true;
    setTimeout(() => {
      state.turning = false;
      fresh.classList.remove("turning");
      slips.parentElement?.removeChild(slips);
      catchUp();
    }, TURN);
  };
}

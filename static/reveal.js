// @ts-check
/** Slips that turn over: whoever watches sees them first, and what they mean, before anything else comes. */

import { find } from "./dom.js";
import { catchUp } from "./page.js";
import { state } from "./state.js";
/** @import {Keeper} from "./page.js" */

/** Milliseconds that newer drawings wait for the slips. */
const TURN = 1700;

/** Slips that were not open turn over, unless the system asks for rest. @type {Keeper} */
export function revealing({ old, fresh, step }) {
  const turned = step && !old.querySelector(".slip.open") && fresh.querySelector(".slip.open");
  if (!turned) return;
  return () => {
    find(".slips")?.scrollIntoView({ block: "nearest" });
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    fresh.classList.add("turning");
    state.turning = true;
    setTimeout(() => {
      state.turning = false;
      catchUp();
    }, TURN);
  };
}

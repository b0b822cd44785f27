// @ts-check
/** The rematch: whoever holds a seat is taken there as soon as it begins. */

import { address, all, fields, game } from "./dom.js";
import { touched } from "./keep.js";
/** @import {Keeper} from "./page.js" */

/** Sits down at the rematch and goes there. @param {string} id */
async function join(id) {
  const answer = await fetch(`${address()}/rematch`, { method: "POST", redirect: "manual" });
  if (answer.type === "opaqueredirect" && game().dataset.rematch === id) location.assign(`/games/${id}`);
}

/** Goes when the rematch is seen to begin, unless something is being written: then its button waits. Whoever opens a game that was
 * over long ago stays. @type {Keeper} */
export function following({ old, fresh, form }) {
  const { rematch } = fresh.dataset;
  const writing = fields(old).some((field) => touched(field) && (!form || field.form !== form)) || all("[aria-invalid]", old).length > 0;
  if (rematch && !old.dataset.rematch && !writing) return () => void join(rematch).catch(() => {});
}

// @ts-check
/** Takes players to the rematch as soon as it begins. */

import { address, all, fields, game } from "./dom.js";
import { touched } from "./keep.js";
/** @import {Keeper} from "./page.js" */

/** Joins the rematch and opens its page. @param {string} id */
async function join(id) {
  const answer = await fetch(`${address()}/rematch`, { method: "POST", redirect: "manual" });
  if (answer.type === "opaqueredirect" && game().dataset.rematch === id) location.assign(`/games/${id}`);
}

/** Joins when the rematch begins while the page is open. If the user is typing, or the rematch began earlier, its button remains
 * instead. @type {Keeper} */
export function following({ old, fresh, form }) {
  const { rematch } = fresh.dataset;
  const writing = fields(old).some((field) => touched(field) && (!form || field.form !== form)) || all("[aria-invalid]", old).length > 0;
  if (rematch && !old.dataset.rematch && !writing) return () => void join(rematch).catch(() => {});
}

// @ts-check
/** A move in advance: made when the turn comes, and taken back when it can no longer be meant. */

import { asked, draft, ways } from "./choices.js";
import { game, line, say } from "./dom.js";
import { play } from "./moves.js";
import { paint } from "./squares.js";
import { state } from "./state.js";
/** @import {Keeper} from "./page.js" */

/** What a pawn becomes that was moved in advance. */
const PROMOTION = "queen";

/** @type {Keeper} */
export const premoving = ({ fresh }) => () => {
  if (!state.premove) return;
  // What was said last is still being answered, and nothing else can be said before that has ended.
  if (state.busy) setTimeout(() => carryOut(game()));
  else carryOut(fresh);
};

/** Makes the move if the turn has come. @param {HTMLElement} fresh */
function carryOut(fresh) {
  const { premove } = state;
  if (!premove) return;
  const headline = line(fresh.querySelector("h1"));
  // A turn that has come back is not the one that was thought of.
  if (Number(fresh.dataset.ply) < premove.ply || (fresh.querySelector("[data-again]") && state.choices.length)) {
    state.premove = null;
    paint();
    say(`${headline}. The move in advance is taken back.`);
  } else if (asked()) {
    const { from, to } = premove;
    const found = ways(from, to);
    const best = found.find((choice) => choice.kind === "move" && choice.promotion === PROMOTION) ?? found[0];
    // What is put together meanwhile may be no move of one's own.
    if (!best && draft()) return;
    state.premove = null;
    if (best) play(best);
    else {
      paint();
      say(`${from} ${to} cannot be played now. ${headline}`);
    }
  }
}

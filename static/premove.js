// @ts-check
/** Premoves: played when the turn comes, and cancelled when the position has changed otherwise. */

import { asked, draft, ways } from "./choices.js";
import { game, say } from "./dom.js";
import { play } from "./moves.js";
import { paint } from "./squares.js";
import { state } from "./state.js";
/** @import {Keeper} from "./page.js" */

/** Piece that a premoved pawn promotes to. */
const PROMOTION = "queen";

/** @type {Keeper} */
export const premoving = ({ fresh }) => () => {
  if (!state.premove) return;
  // The last action is still waiting for its answer, and only one can be pending.
  if (state.busy) setTimeout(() => carryOut(game()));
  else carryOut(fresh);
};

/** Plays the premove if it is the viewer's turn. @param {HTMLElement} fresh */
function carryOut(fresh) {
  const { premove } = state;
  if (!premove) return;
  // After a takeback or a repeated turn the premove no longer applies.
  if (Number(fresh.dataset.ply) < premove.ply || (fresh.querySelector("[data-again]") && state.choices.length)) {
    state.premove = null;
    paint();
    say("Premove cancelled.");
  } else if (asked()) {
    const { from, to } = premove;
    const found = ways(from, to);
    const best = found.find((choice) => choice.kind === "move" && choice.promotion === PROMOTION) ?? found[0];
    // The turn being built may not be a move of the viewer's own pieces.
    if (!best && draft()) return;
    state.premove = null;
    if (best) play(best, true);
    else {
      paint();
      say(`Premove ${from} ${to} is not possible.`);
    }
  }
}

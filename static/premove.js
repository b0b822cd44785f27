// @ts-check
/** Premoves: one is played each turn. All are cancelled when one is not possible, or when the position has changed otherwise. */

import { asked, draft, ways } from "./choices.js";
import { game, say } from "./dom.js";
import { play } from "./moves.js";
import { preview } from "./queue.js";
import { chime } from "./sound.js";
import { paint } from "./squares.js";
import { state } from "./state.js";
/** @import {Keeper} from "./page.js" */
/** @import {Premove} from "./state.js" */

/** Piece that a premoved pawn promotes to, unless the player has chosen one. */
const PROMOTION = "queen";

/** Why the premoves have been cancelled by this update; empty if they are not. */
let cancelled = "";

/** The choice that a premove makes now. @param {Premove} premove */
function meant({ from, to, promotion = PROMOTION }) {
  const found = ways(from, to);
  return found.find((choice) => choice.kind === "move" && choice.promotion === promotion) ?? found[0];
}

/** Whether the viewer is to move, in a later turn than that of the premove before. @param {Premove} premove @param {number} ply */
const due = ({ after }, ply) => asked() && ply !== after;

/** Shows the premoves on the new board, unless they are cancelled. @type {Keeper} */
export const queueing = ({ fresh }) => () => {
  const [first] = state.premoves;
  if (!first) return;
  const ply = Number(fresh.dataset.ply);
  // After a takeback or a repeated turn the premoves no longer apply.
  if (state.premoves.some((each) => ply < each.ply) || (fresh.querySelector("[data-again]") && state.choices.length)) cancelled = "Premove cancelled.";
  // The turn being built may not be a move of the viewer's own pieces.
  else if (due(first, ply) && !meant(first) && !draft()) {
    const others = state.premoves.length > 1 ? " The other premoves are cancelled." : "";
    cancelled = `Premove ${first.from} ${first.to} is not possible.${others}`;
  }
  if (cancelled || fresh.dataset.over) state.premoves = [];
  state.premoves.forEach(preview);
  paint();
};

/** Plays the first premove when its turn has come. @type {Keeper} */
export const premoving = () => () => {
  if (cancelled) {
    chime("drop");
    say(cancelled);
    cancelled = "";
  }
  // The last action is still waiting for its answer, and only one can be pending.
  if (state.premoves.length) state.busy ? setTimeout(carryOut) : carryOut();
};

function carryOut() {
  const [first] = state.premoves;
  const ply = Number(game().dataset.ply);
  const best = first && due(first, ply) && meant(first);
  if (!best) return;
  state.premoves.shift();
  for (const premove of state.premoves) premove.after = ply;
  play(best, true);
}

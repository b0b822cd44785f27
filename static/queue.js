// @ts-check
/** The queue of premoves. The board shows the position after all of them. */

import { choose } from "./choose.js";
import { game, say } from "./dom.js";
import { restore } from "./page.js";
import { enact, paint } from "./squares.js";
import { state } from "./state.js";
/** @import {Premove} from "./state.js" */

/** Shows a premove, unless its piece is gone. @param {Premove} premove */
export function preview(premove) {
  if (state.squares.get(premove.from)?.dataset.color === game().dataset.side) enact({ kind: "move", ...premove });
}

/** @param {Premove} premove */
function add(premove) {
  state.premoves.push(premove);
  state.picked = "";
  preview(premove);
  paint();
  const { length } = state.premoves;
  say(`Premove ${length > 1 ? `${length}, ` : ""}${premove.from} ${premove.to}. Press Escape to cancel.`);
}

/** Adds a premove. A pawn on the edge of the board may ask for its promotion first. @param {string} from @param {string} to */
export function enqueue(from, to) {
  const [piece, rank] = [state.squares.get(from)?.dataset.piece, state.squares.get(to)?.closest("tr")];
  const pieces = game().dataset.promotes?.split(" ") ?? [];
  const ply = Number(game().dataset.ply);
  const edge = rank && !(rank.nextElementSibling && rank.previousElementSibling);
  if (!pieces.length || piece !== "pawn" || !edge) return add({ from, to, ply });
  choose(to, pieces.map((promotion) => ({ kind: "move", action: "", label: promotion, from, to, promotion })), ({ label }) => add({ from, to, ply, promotion: label }));
}

/** Removes all premoves. @returns {boolean} whether there were any */
export function clearQueue() {
  if (!state.premoves.length) return false;
  state.premoves = [];
  restore();
  return true;
}

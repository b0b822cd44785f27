// @ts-check
/** Animates moved pieces. */

import { unit } from "./dom.js";
import { state } from "./state.js";
import { drawing } from "./squares.js";

const still = matchMedia("(prefers-reduced-motion: reduce)");

/** A piece and its place in the window. @typedef {{unit: string, box: DOMRect}} Spot */

/** Places of all pieces. @returns {Map<string, Spot>} */
export function places() {
  const found = new Map();
  for (const [name, cell] of state.squares) {
    const piece = drawing(cell);
    if (piece && unit(cell)) found.set(name, { unit: unit(cell), box: piece.getBoundingClientRect() });
  }
  return found;
}

/** Animates pieces from their earlier places. @param {Map<string, Spot>} before */
export function slide(before) {
  if (still.matches) return;
  const gone = [...before].filter(([name, was]) => unit(state.squares.get(name)) !== was.unit);
  for (const [name, cell] of state.squares) {
    const piece = drawing(cell);
    const here = unit(cell);
    if (!piece || !here || before.get(name)?.unit === here) continue;
    const index = gone.findIndex(([, was]) => was.unit === here);
    if (index < 0) continue;
    const [[, { box }]] = /** @type {[[string, Spot]]} */ (gone.splice(index, 1));
    const now = piece.getBoundingClientRect();
    piece.animate([{ transform: `translate(${box.x - now.x}px, ${box.y - now.y}px)` }, { transform: "none" }], { duration: 160, easing: "ease-out" });
  }
}

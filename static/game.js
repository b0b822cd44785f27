// @ts-check
/**
 * The page of a game, for the hand. The server draws the page and says what may be done; these modules let the same table be
 * dragged, tapped, typed at and walked over with the arrow keys, and put the server's newer drawings in its place. They must not
 * know a rule of any game, and nothing they do may be needed: without them the page is a page of forms.
 */

import { clear, draw } from "./arrows.js";
import { hang, look } from "./bell.js";
import { beyond } from "./beyond.js";
import { tick } from "./clocks.js";
import { game } from "./dom.js";
import { focusOf } from "./focus.js";
import { unfold, unfolding } from "./fold.js";
import { places, slide } from "./glide.js";
import { lasting, learning, mark, opening, reveal, scrolling, staying, typing } from "./keep.js";
import { keepUp } from "./live.js";
import { standing } from "./notices.js";
import { begin } from "./page.js";
import { premoving } from "./premove.js";
import { following } from "./rematch.js";
import { opened, replaying } from "./replay.js";
import { revealing } from "./reveal.js";
import { handing } from "./share.js";
import { offer, sounding } from "./sound.js";
import { focusSquare, ready, square } from "./squares.js";
import { state } from "./state.js";
import { silencing } from "./talk.js";
import { telling } from "./voice.js";
import "./forms.js";
import "./keys.js";
import "./sketch.js";
import "./steps.js";
/** @import {Keeper} from "./page.js" */

/** The table is made ready; shapes belong to their step of the game. @type {Keeper} */
const table = ({ step }) => () => {
  if (step) clear();
  ready();
  offer();
  hang();
  handing();
  draw();
};

/** Whoever was on the board stays on it, whatever was pressed there. @type {Keeper} */
function focusing({ old, fresh }) {
  const inside = old.contains(document.activeElement);
  const there = inside && square(document.activeElement);
  const back = focusOf(old, mark);
  return () => {
    // A question that is put anew wants to be answered.
    const question = fresh.querySelector("[autofocus]");
    if (question instanceof HTMLElement && !old.querySelector("[autofocus]")) question.focus();
    else if (inside && !(there && focusSquare(state.stop)) && !back(fresh)) focusSquare(state.stop);
  };
}

/** Units glide to where a step has brought them. @type {Keeper} */
function gliding({ step }) {
  // The past does not move.
  if (state.back !== null) return;
  const before = places();
  return () => step && slide(before);
}

/** @type {Keeper} */
const ticking = () => tick;

if (game()) {
  begin(learning, table, standing, typing, lasting, opening, unfolding, scrolling, staying, revealing, focusing, gliding, sounding, telling, beyond, ticking, premoving, replaying, following);
  // What was pressed before there was a script.
  state.picked = new URLSearchParams(location.search).get("from") ?? "";
  ready();
  offer();
  look();
  silencing();
  unfold();
  reveal();
  tick();
  setInterval(tick, 100);
  keepUp();
  opened();
}

// @ts-check
/**
 * Interactive game page. The server renders the page and lists the available actions. These modules add dragging, tapping, typing and
 * arrow keys, and apply the server's updates. They must not know the rules of any game, and the page must work without them, as plain
 * forms.
 */

import { clear, draw } from "./arrows.js";
import { hang, look } from "./bell.js";
import { beyond } from "./beyond.js";
import { asked, draft } from "./choices.js";
import { tick } from "./clocks.js";
import { confirming, prefer } from "./confirm.js";
import { all, game } from "./dom.js";
import { focusOf } from "./focus.js";
import { unfold, unfolding } from "./fold.js";
import { places, slide } from "./glide.js";
import { holding, learning, mark, opening, reveal, scrolling, staying, typing } from "./keep.js";
import { keepUp } from "./live.js";
import { standing } from "./notices.js";
import { begin } from "./page.js";
import { premoving, queueing } from "./premove.js";
import { following } from "./rematch.js";
import { opened, replaying } from "./replay.js";
import { revealing } from "./reveal.js";
import { handing } from "./share.js";
import { offer, sounding } from "./sound.js";
import { focusSquare, ready, square } from "./squares.js";
import { staking } from "./stake.js";
import { state } from "./state.js";
import { steadying } from "./steady.js";
import { silencing } from "./talk.js";
import { arranged, telling } from "./voice.js";
import "./forms.js";
import "./keys.js";
import "./shortcuts.js";
import "./sketch.js";
import "./steps.js";
/** @import {Change, Keeper} from "./page.js" */

/** Prepares the new page. Drawn shapes last until the next step of the game. @type {Keeper} */
const table = ({ step }) => () => {
  if (step) clear();
  ready();
  offer();
  prefer();
  hang();
  handing();
  staking();
  draw();
};

/** Where a player acts next, if not on the board. Answers to offers and claims are not among them: a key pressed too often must not give them. */
const CONTROLS = ".curtain button, .ask :is(input:not([type=hidden]), select, button:not([data-by])), .say > form:not([data-offer], #claim) button";

/** Focuses what the player can do next: the field of the layout for screen readers, the controls of a turn that the player begins to build, or
 * the board. While the game waits for others, also after a sealed action, that is the line that says so. It is too when guesses are due.
 * @param {Change} change */
function focusNext({ old, fresh, step }) {
  const field = fresh.querySelector(".spoken #action");
  if (field instanceof HTMLElement) return field.focus({ preventScroll: true });
  const sealed = fresh.querySelector("[data-sealed]");
  const builds = draft() && !state.picked && (step || !old.querySelector("#board[data-draft]"));
  if (!sealed && !builds && asked() && focusSquare(state.stop)) return;
  const headline = fresh.querySelector("h1");
  headline?.setAttribute("tabindex", "-1");
  const controls = sealed || (builds && step) ? [] : all(builds ? `${CONTROLS}, .ask summary` : CONTROLS, fresh);
  const control = controls.find((control) => !control.matches(":disabled") && control.checkVisibility());
  (control ?? headline)?.focus({ preventScroll: true });
}

/** Keeps the focus where it was, on the board or elsewhere. @type {Keeper} */
function focusing(change) {
  const { old, fresh } = change;
  const inside = old.contains(document.activeElement);
  const there = inside && square(document.activeElement);
  const back = focusOf(old, mark);
  return () => {
    // A new question takes the focus.
    const question = fresh.querySelector("[autofocus]");
    if (question instanceof HTMLElement && !old.querySelector("[autofocus]")) question.focus();
    else if (inside && !(there && focusSquare(state.stop)) && !back(fresh)) focusNext(change);
  };
}

/** Animates the pieces that a step moved. @type {Keeper} */
function gliding({ step }) {
  // No animation while an earlier position is shown.
  if (state.back !== null) return;
  const before = places();
  return () => step && slide(before);
}

/** @type {Keeper} */
const ticking = () => tick;

if (game()) {
  begin(steadying, learning, holding, table, confirming, queueing, standing, typing, opening, unfolding, scrolling, staying, revealing, focusing, gliding, sounding, telling, beyond, ticking, premoving, replaying, following);
  // Selection made before the script loaded.
  state.picked = new URLSearchParams(location.search).get("from") ?? "";
  ready();
  offer();
  prefer();
  look();
  silencing();
  unfold();
  staking();
  reveal();
  tick();
  setInterval(tick, 100);
  keepUp();
  opened();
  arranged();
}

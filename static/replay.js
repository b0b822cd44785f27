// @ts-check
/** Replay: the board shows an earlier step while the stream, clocks, offers and title stay live. */

import { clear } from "./arrows.js";
import { all, current, find, say } from "./dom.js";
import { places, slide } from "./glide.js";
import { reveal } from "./keep.js";
import { unsent } from "./notices.js";
import { fetched, moment } from "./past.js";
import { latest } from "./questions.js";
import { last, signs } from "./signs.js";
import { focusSquare, ready } from "./squares.js";
import { state } from "./state.js";
/** @import {Keeper} from "./page.js" */

/** The current board, while an earlier one is shown. @type {HTMLElement | null} */
let live = null;
/** Whether the game has moved on during the replay. */
let news = false;
/** Whether earlier steps are loading. */
let loading = false;

/** Shows an earlier step, or the current position. @param {number} ply */
export function look(ply) {
  const to = ply >= last() || !find(".board") ? null : Math.max(0, ply);
  if (to === state.back) return;
  state.back = to;
  if (to === null) news = false;
  history.replaceState(history.state, "", location.pathname + location.search + (to === null ? "" : `#${to}`));
  clear();
  draw(true);
  if (to !== null && !moment(to)) load();
}

/** Shows the current position. @returns {boolean} whether an earlier step was shown */
export function now() {
  if (state.back === null) return false;
  look(Infinity);
  return true;
}

/** Fetches the step to show, even if it changes meanwhile. */
async function load() {
  if (loading) return;
  loading = true;
  try {
    while (state.back !== null && !moment(state.back)) {
      if (!(await fetched(state.back))) throw new Error("step not found");
    }
    if (state.back !== null) draw(true);
  } catch {
    now();
    unsent("Earlier moves could not be loaded. Try again.");
  } finally {
    loading = false;
  }
}

/** Renders the step shown. @param {boolean} glide */
function draw(glide) {
  const found = state.back === null ? null : moment(state.back);
  if (state.back !== null && !found) {
    ready();
    return signs(news);
  }
  const before = glide ? places() : new Map();
  const focused = find(".board")?.contains(document.activeElement);
  for (const part of all("[data-past]")) if (!part.matches(".board")) part.remove();
  for (const part of all("[data-part]")) {
    const lines = found?.[part.dataset.part ?? ""];
    part.hidden = !!lines;
    if (lines) part.after(old(part, lines.join("\n")));
  }
  const board = find(".board");
  if (found && board) {
    if (!board.matches("[data-past]")) live = board;
    const fresh = parsed((found.board ?? []).join("\n")).querySelector("table");
    if (fresh) fresh.dataset.past = "board";
    if (fresh) board.replaceWith(fresh);
  } else if (live && board) {
    board.replaceWith(live);
    live = null;
  }
  ready();
  if (focused) focusSquare(state.stop);
  signs(news);
  reveal();
  slide(before);
  if (glide) say([latest(), find("#looking [data-at]")?.textContent].filter(Boolean).join(". "));
}

/** @param {string} text */
const parsed = (text) => new DOMParser().parseFromString(text, "text/html").body;

/** An earlier version of a part of the page, with the live clock if the game goes on. @param {HTMLElement} part @param {string} text */
function old(part, text) {
  const place = /** @type {HTMLElement} */ (part.matches(".seat") ? parsed(text).firstElementChild : document.createElement("div"));
  if (!part.matches(".seat")) place.append(...Array.from(parsed(text).childNodes));
  const clock = part.querySelector(".clock");
  if (clock && !place.querySelector(".clock")) place.append(clock.cloneNode(true));
  delete place.dataset.part;
  place.dataset.past = part.dataset.part;
  return place;
}

/** Keeps the replayed position across updates of the page. @type {Keeper} */
export function replaying({ old, asked, step }) {
  const was = state.back;
  state.back = null;
  const pressed = document.activeElement?.closest("[data-step]")?.getAttribute("data-step");
  const inside = was !== null && old.querySelector(".board")?.contains(document.activeElement);
  return () => {
    live = null;
    if (was === null || (asked && step) || was >= last()) {
      if (was !== null) history.replaceState(history.state, "", location.pathname + location.search);
      news = false;
      signs(news);
    } else {
      state.back = was;
      if (step && !asked) news = true;
      draw(false);
      if (!moment(was)) load();
      if (inside) focusSquare(state.stop);
      history.replaceState(history.state, "", `${location.pathname}${location.search}#${was}`);
    }
    if (pressed) find(`[data-step=${pressed}]`)?.focus({ preventScroll: true });
  };
}

/** Shows the step in the address. */
export function opened() {
  const ply = /^#(\d{1,5})$/.exec(location.hash)?.[1];
  if (current()) signs(news);
  if (current() && ply) look(Number(ply));
  else if (current()) now();
}

// @ts-check
/** The changing part of a game's page: the server's newer drawings take the place of older ones, and each concern of the hand
 * keeps what it must across the change. */

import { address, aspect, drafting, game, line, page } from "./dom.js";
import { idle } from "./state.js";

/** A newer drawing that takes the place of an older one: the form that was sent for it, whether the hand asked for it, and whether
 * it shows another step of the game. @typedef {{old: HTMLElement, fresh: HTMLElement, form: HTMLFormElement | null, asked: boolean, step: boolean}} Change */
/** Notes what it must before a change, and returns what is to be done after it. @typedef {(change: Change) => (() => void) | void} Keeper */

/** @type {Keeper[]} */
const keepers = [];
/** @type {(() => void)[]} */
const followers = [];
/** @type {((fresh: HTMLElement) => void) | null} */
let listener = null;
/** The changing part as it came from the server. */
let source = "";
/** A newer one that waits until the hand is free. @type {HTMLElement | null} */
let waiting = null;

/** Begins with the page as it came: the keepers work at every change, in this order. @param {Keeper[]} all */
export function begin(...all) {
  source = game().outerHTML;
  keepers.push(...all);
}

/** Does something whenever the page has been shown anew at its address. @param {() => void} follower */
export const afterwards = (follower) => followers.push(follower);

/** Hands over drawings that have waited for the hand. @param {(fresh: HTMLElement) => void} hears */
export const whenIdle = (hears) => (listener = hears);

/** Puts a newer drawing in the place of the older one; what is being typed, opened and looked at stays.
 * @param {HTMLElement} fresh @param {HTMLFormElement | null} form the form that was sent @param {boolean} asked whether this is an answer */
export function swap(fresh, form, asked) {
  const old = game();
  if (!asked && Number(fresh.dataset.version) <= Number(old.dataset.version)) return;
  if (!asked && !idle()) {
    waiting = fresh;
    return;
  }
  const step = fresh.dataset.ply !== old.dataset.ply;
  if (!asked && step && drafting()) history.replaceState(null, "", address() + aspect());
  const change = { old, fresh, form, asked, step };
  const after = keepers.map((keeper) => keeper(change));
  old.replaceWith(fresh);
  source = fresh.outerHTML;
  for (const each of after) each?.();
}

/** Shows the page of an answer; what is returned says why it cannot be shown. @param {string} text @param {HTMLFormElement | null} form @param {boolean} [asked] whether it was asked for by the hand */
export function show(text, form, asked = true) {
  const answer = page(text);
  const fresh = answer.getElementById("game");
  if (!fresh) {
    restore();
    return line(answer.querySelector("main")) || "The server did not understand that.";
  }
  if (fresh.dataset.id === game().dataset.id) {
    swap(fresh, form, asked);
    document.title = answer.title;
  }
  for (const follower of followers) follower();
  return "";
}

/** Puts the page back as the server drew it last. */
export function restore() {
  const fresh = page(source).getElementById("game");
  if (fresh) swap(fresh, null, true);
}

/** Puts in place what has waited for the hand. */
export function catchUp() {
  const fresh = waiting;
  waiting = null;
  if (fresh) listener?.(fresh);
}

/** Forgets what waits: it was drawn for other eyes, perhaps. */
export const forget = () => (waiting = null);

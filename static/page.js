// @ts-check
/** The part of a game's page that updates. The server's newer renderings replace it, and each module keeps its own state across the
 * update. */

import { address, aspect, drafting, game, line, page } from "./dom.js";
import { idle, state } from "./state.js";

/** An update: the old and the new part, the form that was sent for it, whether the user requested it, and whether it shows another step
 * of the game. @typedef {{old: HTMLElement, fresh: HTMLElement, form: HTMLFormElement | null, asked: boolean, step: boolean}} Change */
/** Notes state before an update, and returns a function that restores it afterwards. @typedef {(change: Change) => (() => void) | void} Keeper */

/** @type {Keeper[]} */
const keepers = [];
/** @type {(() => void)[]} */
const followers = [];
/** @type {((fresh: HTMLElement) => void) | null} */
let listener = null;
/** The part as the server last sent it. */
let source = "";
/** An update that waits until the user's gesture ends. @type {HTMLElement | null} */
let waiting = null;

/** Starts with the loaded page. The keepers run on every update, in this order. @param {Keeper[]} all */
export function begin(...all) {
  source = game().outerHTML;
  keepers.push(...all);
}

/** Registers a callback for every page shown at its address. @param {() => void} follower */
export const afterwards = (follower) => followers.push(follower);

/** Registers the callback for updates that waited for a gesture to end. @param {(fresh: HTMLElement) => void} hears */
export const whenIdle = (hears) => (listener = hears);

/** State of the claim against an absent opponent, which changes without a new version. @param {HTMLElement} page */
function claim(page) {
  const form = page.querySelector("#claim");
  return `${form?.getAttribute("data-claim")} ${!form?.querySelector("button")}`;
}

/** Shows the analysis of a finished game, if it is all that an update changes. The focus then stays where it is. Returns whether it was.
 * @param {HTMLElement} fresh */
function analysed(fresh) {
  const text = fresh.outerHTML;
  const [before, after] = [source, text].map((each) => {
    const part = /** @type {HTMLElement} */ (page(each).getElementById("game"));
    part.querySelector("#review")?.remove();
    delete part.dataset.version;
    delete part.dataset.judged;
    return part;
  });
  const [review, place] = [fresh.querySelector("#review"), game().querySelector("#review:not(:focus-within)")];
  if (state.back !== null || !review || !place || !before?.isEqualNode(after ?? null)) return false;
  place.replaceWith(review);
  Object.assign(game().dataset, fresh.dataset);
  source = text;
  return true;
}

/** Applies an update. Typed text, open details and the viewed position stay.
 * @param {HTMLElement} fresh @param {HTMLFormElement | null} form the form that was sent @param {boolean} asked whether the user requested it */
export function swap(fresh, form, asked) {
  const old = game();
  const newer = Number(fresh.dataset.version) - Number(old.dataset.version);
  if (!asked && (newer < 0 || (newer === 0 && claim(fresh) === claim(old)))) return;
  if (!asked && !idle()) {
    waiting = fresh;
    return;
  }
  if (!asked && fresh.dataset.judged && analysed(fresh)) return;
  const step = fresh.dataset.ply !== old.dataset.ply;
  if (!asked && step && drafting()) history.replaceState(null, "", address() + aspect());
  const change = { old, fresh, form, asked, step };
  const after = keepers.map((keeper) => keeper(change));
  old.replaceWith(fresh);
  // The invitation below the board is gone, and the game begins.
  if (old.dataset.free && !fresh.dataset.free) scrollTo({ top: 0 });
  source = fresh.outerHTML;
  for (const each of after) each?.();
}

/** Shows the page of an answer. Returns an error message if it cannot be shown. @param {string} text @param {HTMLFormElement | null} form @param {boolean} [asked] whether the user requested it */
export function show(text, form, asked = true) {
  const answer = page(text);
  const fresh = answer.getElementById("game");
  if (!fresh) {
    restore();
    return line(answer.querySelector("main")) || "The server sent an unexpected answer.";
  }
  if (fresh.dataset.id === game().dataset.id) {
    swap(fresh, form, asked);
    document.title = answer.title;
  }
  for (const follower of followers) follower();
  return "";
}

/** Restores the page as the server last sent it. */
export function restore() {
  const fresh = page(source).getElementById("game");
  if (fresh) swap(fresh, null, true);
}

/** Applies the update that waited for a gesture to end. */
export function catchUp() {
  const fresh = waiting;
  waiting = null;
  if (fresh) listener?.(fresh);
}

/** Drops the waiting update, which may be for another viewer. */
export const forget = () => (waiting = null);

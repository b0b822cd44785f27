// @ts-check
/** Ways to find things in a page, and to tell its reader something. */

/** A field that somebody types in. @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Field */

export const FIELDS = "input:not([type=hidden]), select, textarea";

/** The part of a game's page that changes. @returns {HTMLElement} */
export const game = () => /** @type {HTMLElement} */ (document.getElementById("game"));
/** @param {string} selector @returns {HTMLElement | null} */
export const find = (selector) => game().querySelector(selector);
/** @param {string} selector @param {ParentNode} [root] @returns {HTMLElement[]} */
export const all = (selector, root = game()) => /** @type {HTMLElement[]} */ (Array.from(root.querySelectorAll(selector)));
/** @param {EventTarget | null} target @param {string} selector @returns {HTMLElement | null} */
export const near = (target, selector) => (target instanceof Element ? target.closest(selector) : null);
/** The fields in an element; those of a form, wherever they stand. @param {ParentNode} root @returns {Field[]} */
export const fields = (root) =>
  /** @type {Field[]} */ (Array.from(root instanceof HTMLFormElement ? root.elements : root.querySelectorAll(FIELDS)).filter((field) => field.matches(FIELDS)));
/** The page that a text is. @param {string} text */
export const page = (text) => new DOMParser().parseFromString(text, "text/html");
/** A text in one line. @param {Node | null | undefined} node */
export const line = (node) => node?.textContent?.replace(/\s+/g, " ").trim() ?? "";

/** The address at which this game is acted in. */
export const address = () => `/games/${game().dataset.id}`;
/** Whether the page shows the game as it stands. */
export const current = () => location.pathname === address();
/** Whether the address says what is being put together. */
export const drafting = () => new URLSearchParams(location.search).has("draft");
/** Whether a piece is designed beside the game. */
export const sketching = () => new URLSearchParams(location.search).has("piece");
/** Whether the page asks whether to resign. */
export const resigning = () => new URLSearchParams(location.search).has("end");
/** The parts of a query that say with whose eyes and from which side the page is looked at. */
export const EYES = ["seat", "flip", "deal"];
/** How the page is looked at: the query that says so. @param {string[]} [names] the parts of it that matter */
export function aspect(names = [...EYES, "piece"]) {
  const here = new URLSearchParams(location.search);
  const query = new URLSearchParams();
  for (const name of names) if (here.get(name)) query.set(name, here.get(name) ?? "");
  return String(query) && `?${query}`;
}

/** What tells that the other player has sat down between two drawings. @param {HTMLElement} old @param {HTMLElement} fresh @returns {Element | null} */
export const arrival = (old, fresh) => (old.querySelector("[data-arrived]") ? null : fresh.querySelector("[data-arrived]"));

/** Says something to whoever listens. @param {string} words */
export function say(words) {
  const live = document.getElementById("live");
  if (live) live.textContent = words;
}

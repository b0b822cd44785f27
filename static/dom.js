// @ts-check
/** Helpers to query the page and to announce text to screen readers. */

/** A form field. @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Field */

/** The list of moves beside the board. */
export const LIST = ".table .moves";
export const FIELDS = "input:not([type=hidden]), select, textarea";

/** The part of a game's page that updates. @returns {HTMLElement} */
export const game = () => /** @type {HTMLElement} */ (document.getElementById("game"));
/** @param {string} selector @returns {HTMLElement | null} */
export const find = (selector) => game().querySelector(selector);
/** @param {string} selector @param {ParentNode} [root] @returns {HTMLElement[]} */
export const all = (selector, root = game()) => /** @type {HTMLElement[]} */ (Array.from(root.querySelectorAll(selector)));
/** @param {EventTarget | null} target @param {string} selector @returns {HTMLElement | null} */
export const near = (target, selector) => (target instanceof Element ? target.closest(selector) : null);
/** Fields in an element. For a form, also its fields elsewhere in the page. @param {ParentNode} root @returns {Field[]} */
export const fields = (root) =>
  /** @type {Field[]} */ (Array.from(root instanceof HTMLFormElement ? root.elements : root.querySelectorAll(FIELDS)).filter((field) => field.matches(FIELDS)));
/** Parses HTML. @param {string} text */
export const page = (text) => new DOMParser().parseFromString(text, "text/html");
/** Text of a node on one line. @param {Node | null | undefined} node */
export const line = (node) => node?.textContent?.replace(/\s+/g, " ").trim() ?? "";

/** Piece on a square, such as `white knight` or `duck`; empty if none. @param {HTMLElement | undefined} cell */
export const unit = (cell) => [cell?.dataset.color, cell?.dataset.piece].filter(Boolean).join(" ");

/** Path of this game, to which actions are posted. */
export const address = () => `/games/${game().dataset.id}`;
/** Whether the page shows the current position. */
export const current = () => location.pathname === address();
/** Whether the address holds a turn that is being built. */
export const drafting = () => new URLSearchParams(location.search).has("draft");
/** Whether the piece designer is open, or is to open after the next action. */
export const sketching = () => ["piece", "design"].some((name) => new URLSearchParams(location.search).has(name));
/** Whether the page asks to confirm a resignation or a draw. */
export const ending = () => new URLSearchParams(location.search).has("end");
/** Query parameters that select the viewer and the orientation of the board. */
export const EYES = ["seat", "flip", "deal"];
/** Query that selects this view of the page. @param {string[]} [names] parameters to keep */
export function aspect(names = [...EYES, "piece", "design"]) {
  const here = new URLSearchParams(location.search);
  const query = new URLSearchParams();
  for (const name of names) if (here.get(name)) query.set(name, here.get(name) ?? "");
  return String(query) && `?${query}`;
}

/** Message that the opponent joined between two updates. @param {HTMLElement} old @param {HTMLElement} fresh @returns {Element | null} */
export const arrival = (old, fresh) => (old.querySelector("[data-arrived]") ? null : fresh.querySelector("[data-arrived]"));

/** Milliseconds for which an announcement stays when another follows. */
const KEPT = 1000;
/** Time of the last announcement. */
let spoken = -KEPT;

/** Announces text to screen readers. On the page of a game, texts that follow each other fast stay together, so that each is heard.
 * @param {string} text */
export function say(text) {
  const live = document.getElementById("live");
  if (!live) return;
  const part = document.createElement("span");
  part.textContent = text.replace(/\b(\d+)Z\b/g, (_, number) => `${number} zorkmid${number === "1" ? "" : "s"}`);
  if (live.ariaAtomic !== "false" || performance.now() - spoken >= KEPT) live.replaceChildren();
  if (live.hasChildNodes()) live.append(" ");
  live.append(part);
  spoken = performance.now();
}

// @ts-check
/** The price of a piece that is designed in a game: the workshop's word on what is typed stands under its field. It must not know the
 * notation or a price. */

import { all, near, page } from "./dom.js";
/** @import {Keeper} from "./page.js" */

/** Milliseconds of rest after which what was typed is priced. */
const REST = 250;
/** What the workshop says of a piece, in the order in which it is shown. */
const PARTS = "#workshop .tokens > :first-child, #price, #price ~ .lead, #wrong";

let asked = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let resting;

/** Shows the price of what a field holds. @param {HTMLInputElement} field */
async function price(field) {
  const mine = ++asked;
  const text = field.value.trim();
  const place = field.form?.querySelector(`output[for="${field.id}"]`);
  if (!place) return;
  if (!text) return place.replaceChildren();
  const answer = await fetch(`${field.dataset.price}&piece=${encodeURIComponent(text)}`);
  const shown = page(await answer.text());
  if (mine !== asked || !field.isConnected) return;
  const parts = all(PARTS, shown);
  for (const part of parts) part.removeAttribute("id");
  place.replaceChildren(...parts);
}

/** Prices what stands in the fields of the page. */
export function pricing() {
  for (const field of all("input[data-price]")) if (field instanceof HTMLInputElement) void price(field).catch(() => {});
}

/** What is typed keeps its price. @type {Keeper} */
export const priced = () => pricing;

document.addEventListener("input", (event) => {
  const field = near(event.target, "#game input[data-price]");
  if (!(field instanceof HTMLInputElement)) return;
  clearTimeout(resting);
  resting = setTimeout(() => void price(field).catch(() => {}), REST);
});

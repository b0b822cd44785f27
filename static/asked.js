// @ts-check
/** Clicking a piece shows how it moves. The server describes the piece, and its squares stay marked until the next click. This module
 * must not know how any piece moves. */

import { address, all, find, page, say } from "./dom.js";
import { state } from "./state.js";

/** Classes that mark what the piece can do on a square. */
const SIGNS = ["does", "moves-only", "captures-only"];

let question = 0;

/** Removes the description and the marks. */
export function forget() {
  question += 1;
  find("#asked")?.remove();
  for (const cell of state.squares.values()) cell.classList.remove(...SIGNS, "asked");
}

/** Requests the description of the piece on a square. @param {string} name @param {string} first words to say before it */
export async function ask(name, first) {
  const again = state.squares.get(name)?.classList.contains("asked");
  forget();
  if (again) return say(first);
  const mine = question;
  const query = new URLSearchParams(location.search);
  query.set("about", name);
  const answer = await fetch(`${address()}?${query}`).catch(() => null);
  const shown = answer && page(await answer.text());
  const words = shown?.getElementById("asked");
  if (mine !== question) return;
  if (!shown || !words) return say(first);
  state.squares.get(name)?.classList.add("asked");
  for (const cell of all("#board td[data-square]", shown)) {
    const signs = SIGNS.filter((sign) => cell.classList.contains(sign));
    state.squares.get(cell.dataset.square ?? "")?.classList.add(...signs);
  }
  find(".position")?.append(words);
  say(`${first} ${Array.from(words.childNodes, (node) => (node.nodeName === "CODE" ? "" : node.textContent)).join("")}`.replace(/\s+/g, " ").trim());
}

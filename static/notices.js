// @ts-check
/** Lines that the page itself says, beside the board and below it where there is no room: that its server is away, and why a word
 * did not arrive. They cover nothing. */

import { tell, untell } from "./beyond.js";
import { find, game } from "./dom.js";
/** @import {Keeper} from "./page.js" */

/** The lines that stand, by their names. @type {Map<string, HTMLElement>} */
const lines = new Map();

/** Shows a line, or takes it away. @param {string} id @param {string} words @param {string} [kind] how it is drawn */
function put(id, words, kind = "notice") {
  const before = lines.get(id);
  if (before) untell(before);
  before?.remove();
  lines.delete(id);
  if (!words) return;
  const line = document.createElement("p");
  line.id = id;
  line.className = kind;
  line.setAttribute("role", kind === "error" ? "alert" : "status");
  line.textContent = words;
  lines.set(id, line);
  place();
  tell(line);
}

/** Puts the lines into the page as it is now. */
function place() {
  const side = find(".side");
  for (const line of lines.values()) side ? side.prepend(line) : game().before(line);
}

/** Says that the server is away, or that it is there again: then what could not be sent has been told long enough. @param {string} words */
export function connection(words) {
  if (!words && lines.has("connection")) unsent("");
  put("connection", words);
}

/** Says why a word did not arrive, until the next thing is done. @param {string} words */
export const unsent = (words) => put("unsent", words, "error");

/** Milliseconds for which a phrase stands. */
const STANDING = 15_000;
let standingFor = 0;

/** Shows what one of the players has said, for a while. @param {string} words */
export function phrase(words) {
  put("phrase", words);
  clearTimeout(standingFor);
  standingFor = setTimeout(() => put("phrase", ""), STANDING);
}

/** The lines, and what the server has refused, stay across a drawing that comes by itself. @type {Keeper} */
export function standing({ old, fresh, asked, step }) {
  const refused = !asked && !step ? old.querySelector("#refusal") : null;
  if (asked || step) unsent("");
  return () => {
    if (refused && !fresh.querySelector("#refusal")) fresh.querySelector("#choices")?.after(refused);
    place();
  };
}

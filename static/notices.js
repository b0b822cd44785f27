// @ts-check
/** Messages of the page itself: a lost connection, an action that was not sent, a phrase. They take the line `say`, where offers
 * precede all but errors. */

import { tell, untell } from "./beyond.js";
import { find, game, say } from "./dom.js";
/** @import {Keeper} from "./page.js" */

/** Messages shown now, by id. @type {Map<string, HTMLElement>} */
const lines = new Map();

/** Shows a message, or removes it if the text is empty. @param {string} id @param {string} words @param {string} [kind] class of the message */
function put(id, words, kind = "notice") {
  const before = lines.get(id);
  if (before) untell(before);
  before?.remove();
  lines.delete(id);
  if (!words) return;
  const line = document.createElement("p");
  line.id = id;
  line.className = kind;
  line.textContent = words;
  if (kind === "error") line.setAttribute("role", "alert");
  else say(words);
  lines.set(id, line);
  place();
  tell(line);
}

/** Places the messages in the current page. */
function place() {
  const [say, text] = [find(".say"), find(".say > .line")];
  for (const line of lines.values()) {
    if (!say) game().before(line);
    else if (line.matches(".error")) say.prepend(line);
    else text?.before(line);
  }
}

/** Milliseconds without a connection before the page says so. */
const HICCUP = 2000;
let cut = 0;

/** Shows the state of the connection. Once it is back, the message about an unsent action goes too. @param {string} words */
export function connection(words) {
  if (words) {
    cut ||= setTimeout(() => put("connection", words), HICCUP);
    return;
  }
  clearTimeout(cut);
  cut = 0;
  if (lines.has("connection")) unsent("");
  put("connection", "");
}

/** Shows why an action did not arrive or is not possible, until the next action. @param {string} words @param {string} [kind] class of the message */
export const unsent = (words, kind = "error") => put("unsent", words, kind);

/** Milliseconds for which a phrase is shown. */
const STANDING = 15_000;
let standingFor = 0;

/** Shows a player's phrase for a while. @param {string} words */
export function phrase(words) {
  put("phrase", words);
  clearTimeout(standingFor);
  standingFor = setTimeout(() => put("phrase", ""), STANDING);
}

/** Keeps the messages and the server's last error across updates from the stream. @type {Keeper} */
export function standing({ old, fresh, asked, step }) {
  const refused = !asked && !step ? old.querySelector("#refusal") : null;
  if (asked || step) unsent("");
  return () => {
    if (refused && !fresh.querySelector("#refusal")) fresh.querySelector(".say")?.prepend(refused);
    place();
  };
}

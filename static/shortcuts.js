// @ts-check
/** List of the keyboard shortcuts, with the settings of keyboard and speech. This browser stores them. */

import { FIELDS, game, near } from "./dom.js";
import { remember, remembered } from "./memory.js";

/** Shortcuts of a single character. @type {[string, string][]} */
const CHARACTERS = [
  ["K Q R B N P", "on the board: next king, queen, rook, bishop, knight or pawn; with Shift, the previous one"],
  ["1 to 8", "on the board: rank; with Shift, file, where 1 is the a-file"],
  ["/", "field for typed moves"],
  ["?", "this list"],
];
/** Other keys. @type {[string, string][]} */
const KEYS = [
  ["Tab", "next control; a link at the top of the page skips to the board"],
  ["Arrow keys, Home, End", "on the board: next square, first or last square"],
  ["Enter or Space", "on the board: select a piece, then its destination, or hear why you cannot"],
  ["Left and Right", "elsewhere: step through the game"],
  ["Escape", "cancel, or go back to the game from an earlier step"],
];
/** Choices of clock warnings. @type {[string, string][]} */
const WARNINGS = [
  ["", "at 1 minute, 20 and 10 seconds"],
  ["none", "never"],
  ["few", "at 30 and 10 seconds"],
  ["many", "at 5 minutes, 1 minute, 30 and 10 seconds"],
];

/** Whether shortcuts of a single character are on. */
export const single = () => remembered("keys") !== "off";

/** Shows the list. The browser keeps the focus inside, and Escape closes it. */
function list() {
  const dialog = document.createElement("dialog");
  dialog.id = "shortcuts";
  dialog.setAttribute("aria-labelledby", "shortcuts-title");
  const rows = (/** @type {[string, string][]} */ keys) => keys.map(([key, words]) => `<dt><kbd>${key}</kbd></dt><dd>${words}</dd>`).join("");
  const times = WARNINGS.map(([name, words]) => `<option value="${name}">${words}</option>`).join("");
  dialog.innerHTML = `<form method="dialog"><h2 id="shortcuts-title">Keyboard and speech</h2><label class="check"><input type="checkbox" id="single">Shortcuts of a single character</label><dl>${rows(CHARACTERS)}</dl><h3>Other keys</h3><dl>${rows(KEYS)}</dl><p class="field"><label for="warnings">Announce the time left on my clock</label><select id="warnings">${times}</select></p><button class="primary">Close</button></form>`;
  const [box, time] = [dialog.querySelector("input"), dialog.querySelector("select")];
  if (box) {
    box.checked = single();
    box.addEventListener("change", () => remember("keys", box.checked ? "on" : "off"));
  }
  if (time) {
    time.value = remembered("warnings") ?? "";
    time.addEventListener("change", () => remember("warnings", time.value));
  }
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

document.addEventListener("keydown", (event) => {
  if (event.key !== "?" || !game() || !single() || event.ctrlKey || event.metaKey || event.altKey || near(event.target, `${FIELDS}, dialog`)) return;
  event.preventDefault();
  list();
});

document.addEventListener("click", (event) => near(event.target, "#game [data-tool=keys]") && list());

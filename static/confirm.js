// @ts-check
/** Confirmation of moves: the board shows the move, and the line below it asks, before the server knows. */

import { all, find, game, say } from "./dom.js";
import { remember, remembered } from "./memory.js";
import { unsent } from "./notices.js";
import { restore } from "./page.js";
import { enact, paint } from "./squares.js";
import { state } from "./state.js";
/** @import {Keeper} from "./page.js" */
/** @import {Pending} from "./state.js" */

const KEY = "confirm";

/** Preference of this browser: `auto` (correspondence games only), `always` or `never`. */
const preference = () => remembered(KEY) ?? "auto";

/** Whether moves of this game need a confirmation. */
export const confirms = () => preference() === "always" || (preference() === "auto" && !!game().dataset.correspondence);

/** Shows the switch. The page reserves its space. */
export function prefer() {
  // The choice counts as the field's own, so that the page does not wait for the user to send it.
  for (const option of all("#confirm option")) {
    if (option instanceof HTMLOptionElement) option.selected = option.defaultSelected = option.value === preference();
  }
  find("[data-tool=confirm]")?.classList.remove("unready");
}

/** Shows an action that waits for its confirmation. @param {Pending} pending */
function put(pending) {
  state.pending = pending;
  state.choices = [];
  const { choice, words, submit } = pending;
  if (choice) {
    enact(choice);
    for (const name of [choice.kind === "move" ? choice.from : "", choice.to]) state.squares.get(name)?.classList.add("pending");
  }
  paint();
  find("#pending")?.remove();
  const form = document.createElement("form");
  form.id = "pending";
  form.innerHTML = '<span></span> <button class="primary">Confirm</button> <button type="button">Cancel</button>';
  const [text, button, other] = Array.from(form.children);
  if (text) text.textContent = words;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!state.pending) return;
    state.pending = null;
    submit();
  });
  other?.addEventListener("click", withdraw);
  find(".say")?.prepend(form);
  return button;
}

/** Asks before an action is sent. @param {Pending} pending */
export function confirm(pending) {
  const button = put(pending);
  if (button instanceof HTMLElement) button.focus({ preventScroll: true });
  say(`${pending.words} Press Enter to confirm or Escape to cancel.`);
}

/** Cancels the action that waits for its confirmation. @returns {boolean} whether there was one */
export function withdraw() {
  if (!state.pending) return false;
  state.pending = null;
  restore();
  say("Cancelled.");
  return true;
}

/** Keeps the question while the position is the same. @type {Keeper} */
export function confirming({ fresh, step, asked }) {
  const { pending } = state;
  state.pending = null;
  return () => {
    if (!pending) return;
    if (!step && !fresh.dataset.over) put(pending);
    else if (!asked) unsent("The position has changed. Your action was not sent.");
  };
}

document.addEventListener("change", (event) => {
  if (event.target instanceof HTMLSelectElement && event.target.id === "confirm") {
    remember(KEY, event.target.value);
    prefer();
  }
});

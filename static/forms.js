// @ts-check
/** Submits the forms of the page without leaving it. */

import { address, fields, game, say } from "./dom.js";
import { contents, gather } from "./draft.js";
import { told } from "./keep.js";
import { catchUp } from "./page.js";
import { answer, buttons } from "./questions.js";
import { send } from "./server.js";
import { state } from "./state.js";

/** Names of buttons that only show another page of the game. */
const ASKS = ["show", "from", "about", "add", "without"];

document.addEventListener("submit", (event) => {
  const form = event.target;
  // sketch.js handles the piece designer.
  if (!(form instanceof HTMLFormElement) || !game().contains(form) || form.matches("[data-sketch]")) return;
  if (form.getAttribute("method") !== "post" || ASKS.includes(event.submitter?.getAttribute("name") ?? "")) {
    if (!form.matches("[data-draft]")) return;
    event.preventDefault();
    if (state.busy) return;
    const query = contents(form, event.submitter);
    state.picked = query.get("from") ?? "";
    gather(query, form, fields(form));
    return;
  }
  // A field named action hides the form’s own property.
  if (new URL(form.getAttribute("action") ?? "", location.href).pathname !== address()) return;
  event.preventDefault();
  const body = contents(form, event.submitter);
  const text = (body.get("action") ?? "").trim().toLowerCase();
  const spoken = form.id === "typed" ? (text ? answer(text) : buttons() || answer("help")) : "";
  if (spoken) {
    say(spoken);
    form.reset();
    return;
  }
  if (state.busy) return;
  for (const field of fields(form)) {
    // Text typed while the answer is pending belongs to the next action.
    if (field.id === "action") field.value = "";
  }
  told(fields(form));
  send(body, form);
});

document.addEventListener("compositionstart", () => (state.composing = true));
document.addEventListener("compositionend", () => {
  state.composing = false;
  catchUp();
});

// The next text replaces a refused one.
document.addEventListener("focusin", ({ target }) => {
  if (target instanceof HTMLInputElement && target.id === "action" && target.ariaInvalid) target.select();
});

// @ts-check
/** Requests to the server: sends forms and shows pages of the same game without leaving this one. */

import { address, fields, find, game } from "./dom.js";
import { unsent } from "./notices.js";
import { catchUp, restore, show } from "./page.js";
import { state } from "./state.js";

/** Number of the newest request. Answers to earlier ones are ignored. */
let question = 0;

/** Body of an action, with the viewer, the orientation of the board and the action that follows. @param {string} action */
export function said(action) {
  const body = new URLSearchParams({ ply: game().dataset.ply ?? "", action });
  const query = new URLSearchParams(location.search);
  const seat = game().dataset.seat ?? query.get("seat");
  if (seat) body.set("seat", seat);
  if (query.get("flip")) body.set("flip", "1");
  const then = find("#board [name=then]");
  if (then instanceof HTMLInputElement) body.set("then", then.value);
  return body;
}

/** Sends a form or an action. @param {URLSearchParams} body @param {HTMLFormElement | null} form */
export async function send(body, form) {
  if (state.busy) return;
  state.busy = true;
  question += 1;
  const here = location.href;
  let wrong = "";
  unsent("");
  try {
    wrong = await arrive(await fetch(address(), { method: "POST", body }), form, here);
  } catch {
    const field = form && fields(form).find((each) => each.id === "action");
    if (field && !field.value) field.value = body.get("action") ?? "";
    wrong = "No connection. Your action may not have arrived. Try again.";
    restore();
  } finally {
    state.busy = state.loading = false;
    catchUp();
  }
  if (wrong) unsent(wrong);
}

/** Shows another page of this game without leaving this one, unless a newer request starts first. A pending action takes precedence.
 * @param {string} to @param {boolean} keep whether to add a history entry @param {HTMLFormElement | null} [form] form that was sent @param {boolean} [asked] whether the user requested it */
export async function visit(to, keep, form = null, asked = true) {
  if (state.busy) return;
  const mine = (question += 1);
  state.loading = true;
  try {
    const answer = await fetch(to);
    const text = await answer.text();
    if (mine !== question) return;
    state.loading = false;
    if (keep) history.pushState(null, "", answer.url);
    const wrong = show(text, form, asked);
    if (wrong) unsent(wrong);
  } catch {
    if (mine === question && asked) location.assign(to);
  } finally {
    if (mine === question) {
      state.loading = false;
      catchUp();
    }
  }
}

/** Shows an answer to an action. @param {Response} answer @param {HTMLFormElement | null} form @param {string} here address of the page that sent it */
async function arrive(answer, form, here) {
  const text = await answer.text();
  if (answer.redirected && new URL(answer.url).pathname !== location.pathname) {
    location.assign(answer.url);
    return "";
  }
  // Keeps the address in step with the page, whichever link was clicked in the meantime.
  history.replaceState(null, "", answer.redirected ? answer.url : here);
  return show(text, form);
}

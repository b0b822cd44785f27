// @ts-check
/** Words to the server, and pages from it: forms are sent and pages of the same game are shown without leaving this one. */

import { address, all, fields, game } from "./dom.js";
import { unsent } from "./notices.js";
import { catchUp, restore, show } from "./page.js";
import { state } from "./state.js";

/** Which answer is waited for: one to an earlier question is never shown. */
let question = 0;

/** An action with what the forms of the page say beside it. @param {string} action */
export function said(action) {
  const body = new URLSearchParams({ ply: game().dataset.ply ?? "", action });
  const query = new URLSearchParams(location.search);
  const seat = game().dataset.seat ?? query.get("seat");
  if (seat) body.set("seat", seat);
  if (query.get("flip")) body.set("flip", "1");
  // What is said after the action, without being asked.
  for (const field of all("[name=standing], [name=then]:checked")) body.set(field.getAttribute("name") ?? "", field.getAttribute("value") ?? "");
  return body;
}

/** Sends what a form of the page says. @param {URLSearchParams} body @param {HTMLFormElement | null} form */
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
    wrong = "There is no connection: that may not have arrived. Try again.";
    restore();
  } finally {
    state.busy = state.loading = false;
    catchUp();
  }
  if (wrong) unsent(wrong);
}

/** Shows another page of this game without leaving this one, unless something else is asked for meanwhile. What is said to the
 * server goes before.
 * @param {string} to @param {boolean} keep @param {HTMLFormElement | null} [form] whose fields it tells anew @param {boolean} [asked] by the hand */
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

/** An answer has come. @param {Response} answer @param {HTMLFormElement | null} form @param {string} here where it was asked for */
async function arrive(answer, form, here) {
  const text = await answer.text();
  if (answer.redirected && new URL(answer.url).pathname !== location.pathname) {
    location.assign(answer.url);
    return "";
  }
  // The page and its address are one, wherever one has tried to go meanwhile.
  history.replaceState(null, "", answer.redirected ? answer.url : here);
  return show(text, form);
}

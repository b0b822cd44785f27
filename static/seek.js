// @ts-check
/** The browser's seek in the header: keeps it in the lobby, counts the seconds, and takes one tab to the game once an opponent has joined. */

import { FIELDS, page } from "./dom.js";
import { remember, remembered } from "./memory.js";
import { ring } from "./tones.js";

/** Milliseconds between attempts without a connection. */
const RETRY = 1000;
/** Milliseconds for which a tab in the background leaves the game to a visible one. */
const HIDDEN = 500;
/** Milliseconds for which the sound plays before the page changes. */
const SOUND = 400;

const box = /** @type {HTMLElement} */ (document.getElementById("seek"));
const channel = new BroadcastChannel("zorkmid.seek");
/** Time at which the seek began, by this page's clock. */
let began = 0;

/** @returns {HTMLElement | null} */
const pill = () => box.querySelector(".pill");
/** @param {number} milliseconds */
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
/** Runs work in one tab at a time, where the browser can. @param {string} name @param {() => unknown} work */
const alone = (name, work) => (navigator.locks ? navigator.locks.request(`zorkmid.${name}`, work) : work());

/** Shows the seconds since the seek began. */
function count() {
  const shown = pill()?.querySelector(".amount");
  const seconds = Math.max(0, Math.floor((performance.now() - began) / 1000));
  if (shown) shown.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** Shows the seek as the server describes it. @param {string} html */
function show(html) {
  box.replaceChildren(...Array.from(page(html).body.children));
  begin();
}

function begin() {
  const { state, seconds, game } = pill()?.dataset ?? {};
  if (seconds) began = performance.now() - 1000 * Number(seconds);
  if (state === "found" && game) arrive(game);
}

/** Whether the player would lose something: a running game, or text that was not sent. */
function busy() {
  const running = document.querySelector("#game:not([data-over], [data-free])");
  const texts = /** @type {(HTMLInputElement | HTMLTextAreaElement)[]} */ (Array.from(document.querySelectorAll("textarea, input")));
  return !!running || texts.some((field) => field.matches(`:is(${FIELDS}):not([type=radio], [type=checkbox])`) && field.value !== field.defaultValue);
}

/** Goes to the game in one tab, preferably a visible one. @param {string} game */
async function arrive(game) {
  const here = location.pathname === game;
  if (here) box.replaceChildren();
  else if (busy()) return;
  if (document.visibilityState !== "visible") await pause(HIDDEN);
  const first = await alone("match", () => remembered("match") !== game && (remember("match", game), true));
  if (!first || here) return;
  if (remembered("sound") === "on") {
    ring(new AudioContext(), "join");
    await pause(SOUND);
  }
  location.assign(game);
}

/** Shows the seek in this tab and all others. @param {string} html */
function share(html) {
  channel.postMessage(html);
  show(html);
}

/** Asks the server again and again, as long as the seek waits. Each answer comes with a change, or after some seconds. */
async function follow() {
  while (pill()?.dataset.state === "waiting") {
    try {
      const answer = await fetch("/lobby/seek", { cache: "no-store" });
      if (!answer.ok) throw new Error(`The server answered with status ${answer.status}.`);
      share(await answer.text());
    } catch {
      await pause(RETRY);
    }
  }
}

box.addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  try {
    const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(), headers: { accept: "application/json" } });
    const { game } = await answer.json();
    if (game) return location.assign(game);
    share("");
    // The list of own games still has the search.
    if (document.querySelector("section.own")) location.reload();
  } catch {
    form.submit();
  }
});
channel.addEventListener("message", (event) => show(event.data));
addEventListener("pageshow", (event) => event.persisted && alone("seek", follow));
setInterval(count, 1000);
begin();
alone("seek", follow);

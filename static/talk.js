// @ts-check
/** Presence of the opponent, number of spectators, and the players' phrases, which can be muted. */

import { near } from "./dom.js";
import { remember, remembered } from "./memory.js";
import { phrase } from "./notices.js";

/** Presence and phrases as the server sends them. @typedef {{spectators: number, present: boolean | null, heard: string | null, at: number | null}} Company */

let quiet = remembered("phrases") === "off";
/** Time of the last phrase shown. */
let last = 0;

/** @returns {HTMLElement | null} the players' area for presence and phrases */
const partner = () => document.getElementById("partner");

/** Shows presence, spectators and a new phrase. @param {Company} company */
export function told({ spectators, present, heard, at }) {
  const place = document.getElementById("spectators");
  const count = place?.querySelector("strong");
  if (place && count) {
    count.textContent = String(spectators);
    place.hidden = spectators === 0;
  }
  const here = partner();
  const word = here?.querySelector("strong");
  if (!here || !word) return;
  here.hidden = present === null;
  word.textContent = present ? "here" : "away";
  document.getElementById("audience")?.toggleAttribute("data-present", present === true);
  if (!heard || !at || at <= last) return;
  last = at;
  if (quiet) return;
  phrase(`Your opponent says: ${heard}`);
}

/** Sends a phrase. @param {HTMLFormElement} form @param {HTMLButtonElement} button */
async function speak(form, button) {
  const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams({ phrase: button.value }), redirect: "manual" });
  phrase(answer.type === "opaqueredirect" ? `You said: ${button.textContent}` : "Not sent. Wait two seconds between phrases.");
}

document.addEventListener("submit", (event) => {
  const form = near(event.target, "#talk form");
  if (!(form instanceof HTMLFormElement) || !(event.submitter instanceof HTMLButtonElement)) return;
  event.preventDefault();
  void speak(form, event.submitter).catch(() => phrase("No connection. Your phrase was not sent."));
});

/** Adds the button that mutes the opponent's phrases. Only a page with a script has it. */
export function silencing() {
  const form = partner()?.querySelector("form");
  if (!form) return;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "quiet";
  const name = () => (button.textContent = quiet ? "Unmute phrases" : "Mute phrases");
  name();
  button.addEventListener("click", () => {
    quiet = !quiet;
    remember("phrases", quiet ? "off" : "on");
    name();
  });
  form.append(button);
}

// @ts-check
/** The two players to each other: whether the other one is there, and a few phrases, unless nobody wants to hear them. */

import { near, say } from "./dom.js";
import { remember, remembered } from "./memory.js";
import { phrase } from "./notices.js";

/** What the server tells of those who follow the game. @typedef {{spectators: number, present: boolean | null, heard: string | null, at: number | null}} Company */

let quiet = remembered("phrases") === "off";
/** When the words that were heard last were said. */
let last = 0;

/** @returns {HTMLElement | null} what is between the two players, for one of them */
const partner = () => document.getElementById("partner");

/** Shows who is there, and what was said. @param {Company} company */
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
  say(heard);
}

/** Says a phrase. @param {HTMLFormElement} form @param {HTMLButtonElement} button */
async function speak(form, button) {
  const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams({ phrase: button.value }), redirect: "manual" });
  phrase(answer.type === "opaqueredirect" ? `You said: ${button.textContent}` : "That was not said: wait two seconds between two phrases.");
}

document.addEventListener("submit", (event) => {
  const form = near(event.target, "#talk form");
  if (!(form instanceof HTMLFormElement) || !(event.submitter instanceof HTMLButtonElement)) return;
  event.preventDefault();
  void speak(form, event.submitter).catch(() => phrase("There is no connection: that was not said."));
});

/** The switch that silences the other player, which only a page with script has. */
export function silencing() {
  const form = partner()?.querySelector("form");
  if (!form) return;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "quiet";
  const name = () => (button.textContent = quiet ? "Hear phrases again" : "Hear no phrases");
  name();
  button.addEventListener("click", () => {
    quiet = !quiet;
    remember("phrases", quiet ? "off" : "on");
    name();
  });
  form.append(button);
}

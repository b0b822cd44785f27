// @ts-check
/** Copy and share buttons for links and positions, where the browser supports them. */

import { all, near, say } from "./dom.js";

/** @param {string} kind @param {string} words */
function button(kind, words) {
  const made = document.createElement("button");
  made.type = "button";
  made.dataset.hand = kind;
  made.textContent = words;
  return made;
}

/** Adds the buttons after every text that can be copied or shared. */
export function handing() {
  for (const text of all("code.address", document)) {
    if (text.nextElementSibling?.matches(".handing")) continue;
    const row = document.createElement("p");
    row.className = "actions handing";
    if (navigator.clipboard) row.append(button("copy", "Copy"));
    if ("share" in navigator && text.dataset.share) row.append(button("share", "Share"));
    if (row.firstChild) text.after(row);
  }
}

document.addEventListener("click", async (event) => {
  const pressed = near(event.target, "button[data-hand]");
  const text = pressed?.closest(".handing")?.previousElementSibling;
  if (!(pressed instanceof HTMLElement) || !(text instanceof HTMLElement)) return;
  const what = text.textContent ?? "";
  try {
    const link = /^https?:/.test(what);
    if (pressed.dataset.hand === "share") return await navigator.share({ title: text.dataset.share, [link ? "url" : "text"]: what });
    await navigator.clipboard.writeText(what);
    pressed.textContent = "Copied";
    say("Copied");
  } catch {
    // If sharing or copying fails or is cancelled, the text is selected instead.
    getSelection()?.selectAllChildren(text);
  }
});

handing();

// The browser keeps the page for its Back button. The next player must not find the bid there.
addEventListener("pagehide", () => {
  for (const form of all("form.slip", document)) if (form instanceof HTMLFormElement) form.reset();
});

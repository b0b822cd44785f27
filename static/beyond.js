// @ts-check
/** Off-screen notices: an offer, an error or the end of a game appears at the edge of the window until it scrolls into view. */

import { all, find, line } from "./dom.js";
/** @import {Keeper} from "./page.js" */

/** Elements that deserve a notice when they appear. */
const NEWS = "[data-offer] > span, #claim > span, [data-declined], #refusal, .say .reason, [value=rematch].primary, a[href^='/games/'].primary";

/** @type {HTMLElement | null} */
let edge = null;
/** @type {IntersectionObserver | null} */
let watch = null;
/** Element that the notice announces. @type {HTMLElement | null} */
let subject = null;

/** Removes the notice. */
function hush() {
  watch?.disconnect();
  edge?.remove();
  edge = watch = subject = null;
}

/** Removes the notice if it announces this element. @param {HTMLElement} element */
export function untell(element) {
  if (subject === element) hush();
}

/** Announces an element while it is out of view. Clicking the notice scrolls to it. @param {HTMLElement} element */
export function tell(element) {
  hush();
  subject = element;
  watch = new IntersectionObserver(([seen]) => {
    if (seen?.isIntersecting) hush();
    else if (!edge) show(element);
  });
  watch.observe(element);
}

/** @param {HTMLElement} element */
function show(element) {
  edge = document.createElement("button");
  edge.className = "beyond";
  edge.textContent = [...(element.matches(".reason") ? [line(find("h1"))] : []), line(element)].join(": ");
  // Screen readers have already announced the text, and Tab reaches the element itself.
  edge.tabIndex = -1;
  edge.setAttribute("aria-hidden", "true");
  edge.addEventListener("click", () => element.scrollIntoView({ block: "center" }));
  document.body.append(edge);
}

/** Announces what is new in an update. An earlier notice stays while its element is still on the page. @type {Keeper} */
export function beyond({ old, fresh, step, asked }) {
  const before = new Set(all(NEWS, old).map(line));
  return () => {
    const news = all(NEWS, fresh);
    const found = news.find((each) => !before.has(line(each))) ?? news.find((each) => line(each) === line(subject));
    if (found) tell(found);
    else if (step || asked || !subject?.isConnected) hush();
  };
}

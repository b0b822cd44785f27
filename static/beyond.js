// @ts-check
/** What has come where nobody looks, an offer, a refusal, an end: its words at the edge of the window until it is in sight. */

import { all, line } from "./dom.js";
/** @import {Keeper} from "./page.js" */

/** What is worth a look when it comes. */
const NEWS = "[data-offer] > span, [data-declined], #refusal, .side > .lead[data-aloud], [value=rematch].primary, a[href^='/games/'].primary";

/** @type {HTMLElement | null} */
let edge = null;
/** @type {IntersectionObserver | null} */
let watch = null;
/** What is told of. @type {HTMLElement | null} */
let subject = null;

/** Nothing is told any more. */
function hush() {
  watch?.disconnect();
  edge?.remove();
  edge = watch = subject = null;
}

/** Something is taken away, and nothing is to be told of it any more. @param {HTMLElement} element */
export function untell(element) {
  if (subject === element) hush();
}

/** Tells of something as long as it is out of sight; pressed, its words lead there. @param {HTMLElement} element */
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
  edge.textContent = line(element);
  // The words have been said aloud, and who walks by keys comes to the element itself.
  edge.tabIndex = -1;
  edge.setAttribute("aria-hidden", "true");
  edge.addEventListener("click", () => element.scrollIntoView({ block: "center" }));
  document.body.append(edge);
}

/** What is new in a drawing is told; what was told before goes on being told, if it still stands. @type {Keeper} */
export function beyond({ old, fresh, step, asked }) {
  const before = new Set(all(NEWS, old).map(line));
  return () => {
    const news = all(NEWS, fresh);
    const found = news.find((each) => !before.has(line(each))) ?? news.find((each) => line(each) === line(subject));
    if (found) tell(found);
    else if (step || asked || !subject?.isConnected) hush();
  };
}

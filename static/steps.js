// @ts-check
/** Stepping through a game: buttons, links, keys and the wheel. */

import { FIELDS, address, aspect, current, drafting, game, near, resigning } from "./dom.js";
import { afterwards } from "./page.js";
import { look, now, opened } from "./replay.js";
import { visit } from "./server.js";
import { here, last } from "./signs.js";
import { state } from "./state.js";

/** Pixels that the wheel turns for a step. */
const NOTCH = 50;

/** Where each way leads. @type {Record<string, () => number>} */
const WAYS = { first: () => 0, back: () => here() - 1, next: () => here() + 1, last: () => Infinity };
/** The way that each key goes. @type {Record<string, string>} */
const KEYS = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" };

let turned = 0;
/** The address whose page is shown, but for the step that is looked at. */
let shown = location.pathname + location.search;
afterwards(() => (shown = location.pathname + location.search));

/** Goes a way. The page of an earlier step becomes that of the game, which lives. @param {number} ply */
async function step(ply) {
  if (current()) return look(ply);
  history.replaceState(history.state, "", address() + aspect() + (Number.isFinite(ply) ? `#${Math.max(0, ply)}` : ""));
  await visit(location.href, false);
  opened();
}

document.addEventListener("keydown", (event) => {
  const way = WAYS[KEYS[event.key] ?? ""];
  if (!way || !game() || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  if (near(event.target, `${FIELDS}, #choose, #game .moves[tabindex]`) || (state.walking && near(event.target, "#game .board"))) return;
  const to = way();
  // At either end the key does what it does elsewhere.
  if (to < 0 || (to > last() && current() && state.back === null) || (to === 0 && here() === 0)) return;
  event.preventDefault();
  step(to);
});

document.addEventListener("wheel", (event) => {
  if (!near(event.target, "#game .board") || event.ctrlKey || state.held) return;
  const to = here() + Math.sign(event.deltaY);
  // At either end the page scrolls on.
  if (to < 0 || to > last()) return;
  event.preventDefault();
  turned = Math.sign(turned) === -Math.sign(event.deltaY) ? 0 : turned;
  turned += event.deltaY * (event.deltaMode ? NOTCH : 1);
  if (Math.abs(turned) < NOTCH) return;
  turned = 0;
  step(to);
}, { passive: false });

document.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const button = near(event.target, "#game [data-step]");
  if (button) {
    event.preventDefault();
    if (button.getAttribute("aria-disabled") !== "true") step(WAYS[button.dataset.step ?? ""]?.() ?? here());
    return;
  }
  const link = near(event.target, "#game a[href^='/games/']");
  if (!(link instanceof HTMLAnchorElement) || state.busy) return;
  const { pathname, search } = new URL(link.href);
  const past = pathname.startsWith(`${address()}/ply/`);
  if (!past && pathname !== address()) return;
  event.preventDefault();
  const flipped = (/** @type {string} */ query) => new URLSearchParams(query).get("flip");
  if (past && flipped(search) === flipped(location.search)) step(Number(pathname.split("/").at(-1)));
  else if (!past && search === aspect() && !drafting() && !resigning() && current()) now();
  else visit(link.href, true);
});

addEventListener("popstate", () => {
  if (shown === location.pathname + location.search) opened();
  else visit(location.href, false);
});

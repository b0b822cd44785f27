// @ts-check
/** Stepping through a game with buttons, links and keys. */

import { FIELDS, address, aspect, current, drafting, ending, game, near } from "./dom.js";
import { afterwards } from "./page.js";
import { look, now, opened } from "./replay.js";
import { visit } from "./server.js";
import { here, last } from "./signs.js";
import { state } from "./state.js";

/** Target step of each direction. @type {Record<string, () => number>} */
const WAYS = { first: () => 0, back: () => here() - 1, next: () => here() + 1, last: () => Infinity };
/** Direction of each key. @type {Record<string, string>} */
const KEYS = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" };

/** Address of the page shown, without the step. */
let shown = location.pathname + location.search;
afterwards(() => (shown = location.pathname + location.search));

/** Shows a step. The page of an earlier step becomes the live page of the game. @param {number} ply */
async function step(ply) {
  if (current()) return look(ply);
  history.replaceState(history.state, "", address() + aspect() + (Number.isFinite(ply) ? `#${Math.max(0, ply)}` : ""));
  await visit(location.href, false);
  opened();
}

document.addEventListener("keydown", (event) => {
  const way = WAYS[KEYS[event.key] ?? ""];
  if (!way || !game() || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  // Elsewhere, Home and End scroll the page.
  if (!event.key.startsWith("Arrow") && !near(event.target, "#game .board, #game [data-step]")) return;
  if (near(event.target, `${FIELDS}, #choose, #game .moves[tabindex]`) || (state.walking && near(event.target, "#game .board"))) return;
  const to = way();
  // At either end the key keeps its usual function.
  if (to < 0 || (to > last() && current() && state.back === null) || (to === 0 && here() === 0)) return;
  event.preventDefault();
  step(to);
});

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
  else if (!past && search === aspect() && !drafting() && !ending() && current()) now();
  else visit(link.href, true);
});

addEventListener("popstate", () => {
  if (shown === location.pathname + location.search) opened();
  else visit(location.href, false);
});

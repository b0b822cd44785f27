// @ts-check
/** Lobby: keeps the lists of open and running games up to date. Rows stay in place between reorderings, so that a
 * press hits the intended game. */

import { all, line, page } from "./dom.js";

/** Milliseconds between two requests. */
const PAUSE = 3000;
/** Minimum milliseconds between two reorderings. */
const STILL = 8000;
/** Milliseconds after a reordering for which the lists ignore presses. */
const BLIND = 500;

/** Time of the last reordering. */
let moved = -STILL;

const lists = () => /** @type {HTMLElement} */ (document.getElementById("lists"));
/** @param {HTMLElement} root */
const rows = (root) => all("tr[data-game]", root);

/** Marks the games that are no longer listed. @param {HTMLElement} old @param {HTMLElement} fresh */
function fade(old, fresh) {
  const listed = new Set(rows(fresh).map((row) => row.dataset.game));
  for (const row of rows(old)) {
    if (listed.has(row.dataset.game)) continue;
    row.classList.add("gone");
    row.querySelector("button")?.setAttribute("disabled", "");
  }
}

/** Shows newer lists and keeps the focus on the same game. @param {HTMLElement} old @param {HTMLElement} fresh */
function reorder(old, fresh) {
  const here = old.contains(document.activeElement) ? document.activeElement : null;
  const row = here?.closest("tr")?.dataset.game;
  const kind = here?.tagName ?? "";
  old.replaceWith(fresh);
  moved = performance.now();
  const again = here && fresh.querySelector(`tr[data-game="${row}"] ${kind}`);
  if (again instanceof HTMLElement) again.focus();
  const news = document.getElementById("lobby-news");
  const count = document.getElementById("open-games");
  if (count) count.textContent = fresh.dataset.waiting ?? "";
  if (news && old.dataset.waiting !== fresh.dataset.waiting) news.textContent = fresh.dataset.news ?? line(fresh);
}

/** The lists as the server last sent them. */
let source = lists().outerHTML;

/** @param {HTMLElement} fresh */
function show(fresh) {
  const old = lists();
  if (source === fresh.outerHTML) return;
  if (performance.now() - moved < STILL) return fade(old, fresh);
  source = fresh.outerHTML;
  reorder(old, fresh);
}

/** Polls the lists while the page is visible. */
async function look() {
  try {
    if (document.visibilityState === "visible") {
      const answer = await fetch(lists().dataset.from ?? "", { cache: "no-cache" });
      const fresh = answer.ok && page(await answer.text()).getElementById("lists");
      if (fresh) show(fresh);
    }
  } catch {
    // No connection: the next request tries again.
  }
  setTimeout(look, PAUSE);
}

addEventListener(
  "click",
  (event) => {
    if (performance.now() - moved > BLIND || !lists().contains(/** @type {Node} */ (event.target))) return;
    event.preventDefault();
    event.stopPropagation();
  },
  { capture: true },
);
setTimeout(look, PAUSE);

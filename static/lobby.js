// @ts-check
/** Lobby: keeps the lists of open and running games up to date. */

import { line, page } from "./dom.js";

/** Milliseconds between two requests. */
const PAUSE = 3000;

/** Shows newer lists and keeps the focus on the same game. @param {HTMLElement} old @param {HTMLElement} fresh */
function show(old, fresh) {
  if (old.outerHTML === fresh.outerHTML) return;
  const here = old.contains(document.activeElement) ? document.activeElement : null;
  const row = here?.closest("tr")?.dataset.game;
  const kind = here?.tagName ?? "";
  old.replaceWith(fresh);
  const again = here && fresh.querySelector(`tr[data-game="${row}"] ${kind}`);
  if (again instanceof HTMLElement) again.focus();
  const news = document.getElementById("lobby-news");
  if (news && old.dataset.waiting !== fresh.dataset.waiting) news.textContent = fresh.dataset.news ?? line(fresh);
}

/** Polls the lists while the page is visible. */
async function look() {
  try {
    if (document.visibilityState === "visible") {
      const after = document.getElementById("lists")?.dataset.after;
      const answer = await fetch(after ? `/lobby/games?after=${after}` : "/lobby/games", { cache: "no-cache" });
      const fresh = answer.ok && page(await answer.text()).getElementById("lists");
      const old = document.getElementById("lists");
      if (fresh && old) show(old, fresh);
    }
  } catch {
    // No connection: the next request tries again.
  }
  setTimeout(look, PAUSE);
}

setTimeout(look, PAUSE);

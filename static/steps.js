// @ts-check
/** Stepping through a game: links to its other moments, and the keys that go back and forth. */

import { FIELDS, address, find, near } from "./dom.js";
import { visit } from "./server.js";
import { state } from "./state.js";

/** The link that each key presses. @type {Record<string, string>} */
const WAYS = { ArrowLeft: "a[rel=prev]", Home: "a[rel=prev]", ArrowRight: "a[rel=next]", End: "a[rel=next]" };

document.addEventListener("keydown", (event) => {
  const way = WAYS[event.key];
  if (!way || event.ctrlKey || event.metaKey || event.altKey || near(event.target, `${FIELDS}, #game [tabindex]`)) return;
  const link = find(way);
  if (link) {
    event.preventDefault();
    link.click();
  }
});

document.addEventListener("click", (event) => {
  const link = near(event.target, "#game a[href^='/games/']");
  if (!(link instanceof HTMLAnchorElement) || state.busy || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const { pathname } = new URL(link.href);
  if (pathname === address() || pathname.startsWith(`${address()}/ply/`)) {
    event.preventDefault();
    visit(link.href, true);
  }
});

addEventListener("popstate", () => visit(location.href, false));

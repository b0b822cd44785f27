// @ts-check
/** A part of a page that updates in place: its forms and links are requested in the background, and the part in the answer replaces the
 * one shown. This module must not know what the part is about, and the page must work without it. */

import { all, line, page } from "./dom.js";
import { focusOf } from "./focus.js";

/** Milliseconds without typing after which the text is sent. */
export const REST = 250;

/** Identity of an element across updates; empty if irrelevant. @param {Element} element */
const same = (element) => element.id || element.getAttribute("data-same") || [element.getAttribute("name"), element.getAttribute("value")].filter(Boolean).join("=");

/** Vertical position of an element in the window. Uses the parent, because a pressed button moves down a little. @param {Element} element */
const height = (element) => (element.parentElement ?? element).getBoundingClientRect().top;

/** Address that a form requests, including the clicked button. @param {HTMLFormElement} form @param {HTMLElement | null} [button] */
export function said(form, button) {
  const fields = new URLSearchParams();
  new FormData(form, button).forEach((value, name) => fields.append(name, String(value)));
  return `${new URL(form.getAttribute("action") ?? "", location.href).pathname}?${fields}`;
}

/** Callbacks: `swapped` runs after an update, with whether the focus was kept. `other` gets a page without the part, and returns whether
 * it handled the page. `address` maps the address of an answer to the address that the browser shows.
 * @typedef {{swapped: (fresh: HTMLElement, focused: boolean) => void, other?: (shown: Document) => boolean, address?: (url: string) => string}} Ways */

/** Makes the element with an id update in place. @param {string} id @param {Ways} ways */
export function inPlace(id, ways) {
  /** Number of the newest request. Older answers are ignored. */
  let asked = 0;
  const here = () => /** @type {HTMLElement} */ (document.getElementById(id));

  /** The updated element with the same identity. @param {Element} element */
  const twin = (element) => {
    const key = same(element);
    return key ? all("[id], [name], [data-same]", here()).find((other) => same(other) === key) : undefined;
  };

  /** @param {HTMLElement} fresh @param {Element | null} held element that keeps its place in the window */
  function swap(fresh, held) {
    const old = here();
    const focus = document.activeElement;
    const typed = focus instanceof HTMLInputElement && focus.type === "text" ? focus.value : null;
    const had = old.contains(focus);
    const back = focusOf(old, same);
    const top = held ? height(held) : 0;
    const opened = all("details[open] > summary", old).map(line);
    for (const summary of all("details > summary", fresh)) if (opened.includes(line(summary))) summary.parentElement?.setAttribute("open", "");
    old.replaceWith(fresh);
    const focused = back(fresh, typed) || !had;
    ways.swapped(fresh, focused);
    const again = held && twin(held);
    if (again) scrollBy(0, height(again) - top);
  }

  /** Requests a page and shows its part. @param {string} from @param {"push" | "replace" | "stay"} way effect on the history @param {Element | null} [held] */
  async function show(from, way, held = null) {
    const mine = ++asked;
    try {
      const answer = await fetch(from);
      const shown = page(await answer.text());
      if (mine !== asked) return;
      const fresh = shown.getElementById(id);
      if (!fresh) {
        if (!ways.other?.(shown)) location.assign(from);
        return;
      }
      const address = ways.address?.(answer.url) ?? answer.url.replace(/#.*/, "");
      if (way === "push" && address !== location.href.replace(/#.*/, "")) history.pushState(null, "", address);
      if (way === "replace") history.replaceState(null, "", address);
      document.title = shown.title;
      swap(fresh, held);
    } catch {
      if (mine === asked) location.assign(from);
    }
  }
  return { here, show, twin };
}

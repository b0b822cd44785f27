// @ts-check
/** A part of a page that changes in place: what its forms and links ask is asked of the server at once, and its drawing of the part takes
 * the place of the older one. It must not know what the part is about, and nothing it does may be needed. */

import { all, line, page } from "./dom.js";
import { focusOf } from "./focus.js";

/** Milliseconds of rest after which what was typed is shown. */
export const REST = 250;

/** What an element is, the same before and after; nothing where it does not matter. @param {Element} element */
const same = (element) => element.id || element.getAttribute("data-same") || [element.getAttribute("name"), element.getAttribute("value")].filter(Boolean).join("=");

/** How far down in the window an element stands; a button that is just being pressed is a little lower itself. @param {Element} element */
const height = (element) => (element.parentElement ?? element).getBoundingClientRect().top;

/** The address of what a form says, and the button that was pressed. @param {HTMLFormElement} form @param {HTMLElement | null} [button] */
export function said(form, button) {
  const fields = new URLSearchParams();
  new FormData(form, button).forEach((value, name) => fields.append(name, String(value)));
  return `${new URL(form.getAttribute("action") ?? "", location.href).pathname}?${fields}`;
}

/** How the part goes on: `swapped` after a newer drawing has come, and whether the focus is where it was; `other` with a page that does not
 * have the part, which says whether that was enough; `address` which address the browser shows for the one that answered.
 * @typedef {{swapped: (fresh: HTMLElement, focused: boolean) => void, other?: (shown: Document) => boolean, address?: (url: string) => string}} Ways */

/** Lets the element of an id change in place. @param {string} id @param {Ways} ways */
export function inPlace(id, ways) {
  /** The number of the newest question; older answers are not shown. */
  let asked = 0;
  const here = () => /** @type {HTMLElement} */ (document.getElementById(id));

  /** The element of the part that is what another one was. @param {Element} element */
  const twin = (element) => {
    const key = same(element);
    return key ? all("[id], [name], [data-same]", here()).find((other) => same(other) === key) : undefined;
  };

  /** @param {HTMLElement} fresh @param {Element | null} held what is to stay where it is in the window */
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

  /** Asks for a page and shows its part. @param {string} from @param {"push" | "replace" | "stay"} way what becomes of the history @param {Element | null} [held] */
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

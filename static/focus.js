// @ts-check
/** Keeps the focus across updates of the page. */

import { FIELDS, all } from "./dom.js";

const FOCUSABLE = `a, button, summary, [tabindex], ${FIELDS}`;

/** Notes the focused element before its container is replaced. The returned function restores focus and text in the new container, and
 * returns whether it could. @param {HTMLElement} old @param {(element: Element) => string} same identity of an element across updates */
export function focusOf(old, same) {
  const focus = old.contains(document.activeElement) ? document.activeElement : null;
  const focused = focus && same(focus);
  const range = focus instanceof HTMLInputElement && focus.type === "text" ? [focus.selectionStart, focus.selectionEnd] : null;
  return (/** @type {HTMLElement} */ fresh, /** @type {string | null} */ typed = null) => {
    const again = focused ? all(FOCUSABLE, fresh).find((element) => same(element) === focused) : undefined;
    if (typed !== null && again instanceof HTMLInputElement) again.value = typed;
    again?.focus({ preventScroll: true });
    // The next text replaces a refused one.
    if (typed === null && again instanceof HTMLInputElement && again.matches("[aria-invalid]")) again.select();
    else if (range && again instanceof HTMLInputElement) again.setSelectionRange(range[0] ?? null, range[1] ?? null);
    return !!again && again === document.activeElement;
  };
}

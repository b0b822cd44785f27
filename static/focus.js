// @ts-check
/** The focus, which stays where it was when a newer drawing comes. */

import { FIELDS, all } from "./dom.js";

const FOCUSABLE = `a, button, summary, [tabindex], ${FIELDS}`;

/** Notes what has the focus in an element that will be replaced; the answer gives it back in another, with what is to stand there, and
 * says whether it could. @param {HTMLElement} old @param {(element: Element) => string} same what an element is, before and after */
export function focusOf(old, same) {
  const focus = old.contains(document.activeElement) ? document.activeElement : null;
  const focused = focus && same(focus);
  const range = focus instanceof HTMLInputElement && focus.type === "text" ? [focus.selectionStart, focus.selectionEnd] : null;
  return (/** @type {HTMLElement} */ fresh, /** @type {string | null} */ typed = null) => {
    const again = focused ? all(FOCUSABLE, fresh).find((element) => same(element) === focused) : undefined;
    if (typed !== null && again instanceof HTMLInputElement) again.value = typed;
    again?.focus({ preventScroll: true });
    if (range && again instanceof HTMLInputElement) again.setSelectionRange(range[0] ?? null, range[1] ?? null);
    return !!again;
  };
}

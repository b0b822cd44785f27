// @ts-check
/** What hangs on the pointer while it is dragged. */

/** Pixels that a pointer must travel before a press becomes a drag. */
export const SLACK = 5;

/** Hangs a copy of a drawing on the pointer, or words where there is none. @param {Element | null | undefined} shown @param {number} size @param {string} words */
export function ghost(shown, size, words) {
  const made = document.createElement("div");
  made.className = "ghost";
  made.style.width = made.style.height = `${size}px`;
  if (shown) made.append(shown.cloneNode(true));
  else made.textContent = words;
  document.body.append(made);
  return made;
}

/** Brings it to where the pointer is. @param {HTMLElement} made @param {PointerEvent} event */
export function follow(made, event) {
  made.style.transform = `translate(${event.clientX}px, ${event.clientY}px) translate(-50%, -50%)`;
}

/** The click that follows a drag presses nothing. */
export function pressNothing() {
  document.addEventListener("click", swallow, { capture: true, once: true });
  setTimeout(() => document.removeEventListener("click", swallow, { capture: true }), 0);
}

/** @param {Event} event */
function swallow(event) {
  event.preventDefault();
  event.stopPropagation();
}

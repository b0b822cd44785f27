// @ts-check
/** The image that follows the pointer during a drag. */

/** Pixels that the pointer must move before a press becomes a drag. */
export const SLACK = 5;

/** Creates a copy of an image to drag, or text if there is no image. @param {Element | null | undefined} shown @param {number} size @param {string} words */
export function ghost(shown, size, words) {
  const made = document.createElement("div");
  made.className = "ghost";
  made.style.width = made.style.height = `${size}px`;
  if (shown) made.append(shown.cloneNode(true));
  else made.textContent = words;
  document.body.append(made);
  return made;
}

/** Moves the image to the pointer. @param {HTMLElement} made @param {PointerEvent} event */
export function follow(made, event) {
  made.style.transform = `translate(${event.clientX}px, ${event.clientY}px) translate(-50%, -50%)`;
}

/** Suppresses the click that follows a drag. */
export function pressNothing() {
  document.addEventListener("click", swallow, { capture: true, once: true });
  setTimeout(() => document.removeEventListener("click", swallow, { capture: true }), 0);
}

/** @param {Event} event */
function swallow(event) {
  event.preventDefault();
  event.stopPropagation();
}

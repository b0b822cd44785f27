// @ts-check
/**
 * Live endgame page: clicking, dragging or typing a position replaces the one shown, along with the address. The clicked control keeps
 * its place in the window. This module must not know any rule or value, and the page must work without it.
 */

import { all, near, say } from "./dom.js";
import { SLACK, follow, ghost, pressNothing } from "./ghost.js";
import { REST, inPlace, said } from "./inplace.js";
import { handing } from "./share.js";

/** @type {ReturnType<typeof setTimeout> | undefined} */
let resting;
/** Field behind the newest history entry, and field behind the newest request. */
let [typing, typed] = ["", ""];
/** Tool selected last. */
let tool = document.querySelector("[name=tool]:checked")?.getAttribute("value") ?? "move";
/** The newest request, until its answer is shown. */
let going = Promise.resolve();
/** Address of the page shown. */
let shown = location.pathname + location.search;

const endgame = inPlace("endgame", {
  swapped: (fresh, focused) => {
    handing();
    ready();
    const chosen = fresh.querySelector(`[name=tool][value=${tool}]`);
    if (chosen instanceof HTMLInputElement) chosen.checked = true;
    shown = location.pathname + location.search;
    typing = typed;
    if (!focused) /** @type {HTMLElement | null} */ (fresh.querySelector("#value"))?.focus({ preventScroll: true });
    say(all(".side > :is(.worth, .thresholds, .notice)", fresh).map((words) => words.textContent?.trim()).join(" "));
  },
  other: (page) => {
    const wrong = page.getElementById("wrong");
    if (wrong) misread(wrong.textContent ?? "");
    return !!wrong;
  },
  // Adds the selected tool. Dragging needs none.
  address: (url) => url.replace(/#.*/, "").replace(/&tool=[^&]*/, "").replaceAll("%2F", "/") + (tool === "move" || !url.includes("?") ? "" : `&tool=${tool}`),
});

/** Shows the error in a FEN next to its field. @param {string} words */
function misread(words) {
  const place = document.getElementById("misread");
  if (place) place.textContent = words;
  document.getElementById("fen")?.setAttribute("aria-invalid", String(!!words));
}

/** Makes pieces draggable. */
function ready() {
  for (const cell of all("#editor td[data-piece]", document)) cell.classList.add("movable");
}

/** Shows an address. Dragging and continued typing replace the history entry instead of adding one. @param {string} address @param {Element | null} held @param {string} [field] */
function go(address, held, field = "") {
  clearTimeout(resting);
  const again = (field !== "" && field === typing) || new URLSearchParams(location.search).has("from");
  typed = field;
  going = endgame.show(address, again ? "replace" : "push", held);
}

document.addEventListener("click", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const link = near(event.target, "#endgame a[href^='/endgames?']");
  if (!link) return;
  event.preventDefault();
  go((link.getAttribute("href") ?? "").replace(/#.*/, ""), link);
});

document.addEventListener("submit", async (event) => {
  const { target: form, submitter } = event;
  if (!(form instanceof HTMLFormElement) || form.method !== "get" || !endgame.here().contains(form)) return;
  event.preventDefault();
  // Earlier clicks take effect first.
  await going;
  const again = submitter && endgame.twin(submitter);
  const pressed = again instanceof HTMLButtonElement ? again : submitter;
  go(said((pressed instanceof HTMLButtonElement && pressed.form) || form, pressed), pressed);
});

document.addEventListener("input", (event) => {
  const field = event.target;
  if (!(field instanceof HTMLInputElement) || field.type !== "text" || !endgame.here().contains(field)) return;
  misread("");
  clearTimeout(resting);
  const { form, id } = field;
  resting = setTimeout(() => form && go(said(form), field, id), REST);
});

document.addEventListener("change", (event) => {
  const field = event.target;
  if (field instanceof HTMLInputElement && field.name === "tool") tool = field.value;
});

addEventListener("popstate", () => {
  typed = "";
  if (shown !== location.pathname + location.search) going = endgame.show(location.href, "stay");
});

/** Current drag: the pointer, where it was pressed, the element, and the copy that follows the pointer.
 * @type {{id: number, x: number, y: number, source: HTMLElement, hung: HTMLElement | null} | null} */
let held = null;

/** Square under a pointer. @param {PointerEvent} event */
const under = (event) => near(document.elementFromPoint(event.clientX, event.clientY), "#editor td[data-square]");

/** Ends the drag. */
function release() {
  held?.hung?.remove();
  held?.source.classList.remove("lifted");
  for (const cell of all("#editor .over", document)) cell.classList.remove("over");
  held = null;
}

document.addEventListener("pointerdown", (event) => {
  if (event.button !== 0 || held) return;
  // Touch scrolls the page over the tools, so only a mouse drags from them.
  const source = near(event.target, event.pointerType === "mouse" ? "#editor td.movable, .tool:has(.piece)" : "#editor td.movable");
  if (source) held = { id: event.pointerId, x: event.clientX, y: event.clientY, source, hung: null };
});

document.addEventListener("pointermove", (event) => {
  if (!held || event.pointerId !== held.id) return;
  if (!held.hung) {
    if (Math.hypot(event.clientX - held.x, event.clientY - held.y) < SLACK) return;
    const size = document.querySelector("#editor td[data-square]")?.getBoundingClientRect().width ?? 48;
    held.hung = ghost(held.source.querySelector(".piece"), size, "");
    held.source.classList.add("lifted");
  }
  follow(held.hung, event);
  const over = under(event);
  for (const cell of all("#editor td[data-square]", document)) cell.classList.toggle("over", cell === over && cell !== held.source);
});

document.addEventListener("pointerup", (event) => {
  if (!held || event.pointerId !== held.id) return;
  const { source, hung } = held;
  release();
  if (!hung) return;
  pressNothing();
  const to = under(event);
  const form = document.getElementById("editor");
  if (!(form instanceof HTMLFormElement) || to === source) return;
  const query = new URLSearchParams(said(form).split("?")[1]);
  query.delete("from");
  const piece = source.querySelector("input")?.value;
  if (piece) query.set("tool", piece);
  else if (to) query.set("tool", "move");
  else query.set("tool", "clear");
  if (!piece && to) query.set("from", source.dataset.square ?? "");
  const square = piece || to ? to?.dataset.square : source.dataset.square;
  if (!square) return;
  query.set("square", square);
  go(`/endgames?${query}`, document.querySelector("#editor .board button"));
});

document.addEventListener("pointercancel", (event) => {
  if (held && event.pointerId === held.id) release();
});

// Turns off the browser's own dragging of links and images.
document.addEventListener("dragstart", (event) => {
  if (near(event.target, "#editor")) event.preventDefault();
});

ready();

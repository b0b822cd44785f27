// @ts-check
/** Keeps typed text, open details and scroll positions across updates. */

import { FIELDS, LIST, all, fields, find, game, near } from "./dom.js";
/** @import {Field} from "./dom.js" */
/** @import {Keeper} from "./page.js" */

/** Values of a form's fields when it was sent. @type {WeakMap<Field, string>} */
const sent = new WeakMap();

/** Notes the values of fields that are sent now. @param {Field[]} told */
export function told(told) {
  for (const field of told) sent.set(field, field.value);
}

/** Identity of an element across updates. Similar fields are told apart by their order. @param {Element} element */
export function mark(element) {
  if (element.id && element.matches(`${FIELDS}, a`)) return `${element.tagName}|${element.id}`;
  const name = element.getAttribute("name");
  const parts = [element.tagName, element.id, name];
  if (element.matches(FIELDS)) {
    const alike = fields(element.closest("form, #game") ?? game()).filter((field) => field.name === name);
    parts.push(String(alike.findIndex((field) => field === element)));
    // A field without an id is identified by the text of its form.
    parts.push(element.closest("form")?.textContent?.slice(0, 40) ?? "");
  } else parts.push(element.getAttribute("value"), element.getAttribute("href"), element.textContent);
  return parts.join("|");
}

/** Whether the user has changed a field. @param {Field} field */
export function touched(field) {
  if (field instanceof HTMLSelectElement) return Array.from(field.options).some((option) => option.selected !== option.defaultSelected);
  if (field instanceof HTMLInputElement && /checkbox|radio/.test(field.type)) return field.checked !== field.defaultChecked;
  return field.value !== field.defaultValue;
}

/** Keeps typed text that was not sent, and refused input that still needs a correction. @type {Keeper} */
export function typing({ old, fresh, form, asked }) {
  const begun = fields(old).filter((field) => (touched(field) && (field.form !== form || field.value !== sent.get(field))) || (!asked && field.matches("[aria-invalid]")));
  const typed = new Map(begun.map((field) => [mark(field), field]));
  return () => {
    for (const field of fields(fresh)) {
      const was = typed.get(mark(field));
      if (!was) continue;
      field.value = was.value;
      if (field instanceof HTMLInputElement && was instanceof HTMLInputElement) field.checked = was.checked;
    }
  };
}

// What opens in the controls scrolls into their view. The details open after the click.
document.addEventListener("click", ({ target }) => {
  const [details, ask] = [near(target, ".ask summary")?.parentElement, find(".ask")];
  if (!details || !ask) return;
  requestAnimationFrame(() => {
    const [inner, outer] = [details.getBoundingClientRect(), ask.getBoundingClientRect()];
    ask.scrollTop += Math.max(0, Math.min(inner.bottom - outer.bottom, inner.top - outer.top));
  });
});

/** Keeps details open. @type {Keeper} */
export function opening({ old, fresh }) {
  const open = new Set(all("details[open] > summary", old).map(mark));
  return () => {
    for (const summary of all("details > summary", fresh)) {
      if (open.has(mark(summary))) summary.parentElement?.setAttribute("open", "");
    }
  };
}

/** Tutorial hints already followed on this page. Its stream was opened earlier and still sends them. @type {Set<string | undefined>} */
const over = new Set();

/** Removes tutorial hints once the user has followed them. @type {Keeper} */
export function learning({ old, fresh, asked }) {
  const lessons = (/** @type {HTMLElement} */ page) => all("[data-lesson]", page).map((lesson) => lesson.dataset.lesson);
  if (asked) for (const lesson of lessons(old)) if (!lessons(fresh).includes(lesson)) over.add(lesson);
  for (const lesson of all("[data-lesson]", fresh)) if (over.has(lesson.dataset.lesson)) lesson.remove();
}

/** Keeps the pieces in reserve in their places. A piece that has left leaves a gap, which the next purchase fills. @type {Keeper} */
export function holding({ old, fresh }) {
  const row = fresh.querySelector(".held");
  const came = new Map(all("[data-held]", fresh).map((piece) => [piece.dataset.held, piece]));
  if (!row || !came.size || old.dataset.side !== fresh.dataset.side) return;
  /** @type {(HTMLElement | undefined)[]} */
  const places = all("[data-held]", old).map(({ dataset: { held } }) => came.get(held));
  for (const piece of came.values()) {
    const gap = places.indexOf(undefined);
    if (!places.includes(piece)) places[gap < 0 ? places.length : gap] = piece;
  }
  while (!places.at(-1)) places.pop();
  row.replaceChildren(...Array.from(places, (piece) => piece ?? empty()));
  const left = old.querySelector(".held")?.scrollLeft;
  return () => row.scrollTo({ left });
}

/** A place in the reserve without a piece. */
function empty() {
  const place = document.createElement("span");
  place.className = "button gap";
  place.dataset.held = "";
  return place;
}

/** Scrolls back to the board after an action. In the layout for screen readers, the field stays in view. @type {Keeper} */
export const staying = ({ old, fresh, asked }) => () => {
  if (asked && old.dataset.version !== fresh.dataset.version) find(".round .board")?.scrollIntoView({ block: "nearest" });
};

/** Controls that scroll. On a phone, a designer over the board scrolls by itself. */
const SCROLLED = [".ask", ".ask > .over"];

/** Keeps the move list scrolled while it shows the same step, and the controls while they are of the same phase. @type {Keeper} */
export function scrolling({ old, fresh, step }) {
  const moves = old.querySelector(LIST);
  const place = moves && !step ? { top: moves.scrollTop, left: moves.scrollLeft } : undefined;
  const same = old.dataset.phase === fresh.dataset.phase;
  const tops = SCROLLED.map((part) => (same ? old.querySelector(part)?.scrollTop ?? 0 : 0));
  return () => {
    reveal(place);
    for (const [at, part] of SCROLLED.entries()) find(part)?.scrollTo({ top: tops[at] ?? 0 });
  };
}

/** Scrolls the move list to the move shown on the board, or to a given position. @param {ScrollToOptions} [place] */
export function reveal(place) {
  const moves = find(LIST);
  if (!moves) return;
  const here = moves.querySelector("[aria-current]") ?? all("tbody tr", moves).at(-1);
  if (place || !here) return moves.scrollTo(place ?? { top: 0 });
  const [box, list] = [here.getBoundingClientRect(), moves.getBoundingClientRect()];
  moves.scrollBy(box.right - list.left - moves.clientWidth / 2, box.bottom - list.top - moves.clientHeight / 2);
}

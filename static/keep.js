// @ts-check
/** What stays when a newer drawing comes: what is typed, what is opened and how far something is scrolled. */

import { FIELDS, all, fields, find, game } from "./dom.js";
/** @import {Field} from "./dom.js" */
/** @import {Keeper} from "./page.js" */

/** What the fields of a form held when it was sent. @type {WeakMap<Field, string>} */
const sent = new WeakMap();

/** Notes what fields hold that are sent now. @param {Field[]} told */
export function told(told) {
  for (const field of told) sent.set(field, field.value);
}

/** What an element is, the same before and after a change; of fields that are alike, which. @param {Element} element */
export function mark(element) {
  const name = element.getAttribute("name");
  const parts = [element.tagName, element.id, name];
  if (element.matches(FIELDS)) {
    const alike = fields(element.closest("form, #game") ?? game()).filter((field) => field.name === name);
    parts.push(String(alike.findIndex((field) => field === element)));
    // A field without a name of its own is known by what its form says.
    if (!element.id) parts.push(element.closest("form")?.textContent?.slice(0, 40) ?? "");
  } else parts.push(element.getAttribute("value"), element.getAttribute("href"), element.textContent);
  return parts.join("|");
}

/** Whether somebody has changed a field. @param {Field} field */
export function touched(field) {
  if (field instanceof HTMLSelectElement) return Array.from(field.options).some((option) => option.selected !== option.defaultSelected);
  if (field instanceof HTMLInputElement && /checkbox|radio/.test(field.type)) return field.checked !== field.defaultChecked;
  return field.value !== field.defaultValue;
}

/** Whether something is said after every action, once somebody has set it. @type {boolean | undefined} */
let then;

/** Notes whether something is to be said after every action, as a form says it. @param {URLSearchParams} body */
export function lasts(body) {
  if (body.has("standing")) then = body.has("then");
}

/** What is said after every action stays as it was set: a stream that was opened before does not know it. @type {Keeper} */
export function lasting({ old, fresh }) {
  /** @param {HTMLElement} root @returns {HTMLInputElement | null} */
  const box = (root) => root.querySelector("input[type=checkbox][name=then]");
  then = box(old)?.checked ?? then;
  return () => {
    const now = box(fresh);
    if (now && then !== undefined) now.checked = then;
  };
}

/** What is typed, but for what was sent; what was refused and stands there again is still to be mended. @type {Keeper} */
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

/** What is opened. @type {Keeper} */
export function opening({ old, fresh }) {
  const open = new Set(all("details[open] > summary", old).map(mark));
  return () => {
    for (const summary of all("details > summary", fresh)) {
      if (open.has(mark(summary))) summary.parentElement?.setAttribute("open", "");
    }
  };
}

/** The lessons that were put to use on this page: its stream was opened before. @type {Set<string | undefined>} */
const over = new Set();

/** What was done once need not be taught again. @type {Keeper} */
export function learning({ old, fresh, asked }) {
  const lessons = (/** @type {HTMLElement} */ page) => all("[data-lesson]", page).map((lesson) => lesson.dataset.lesson);
  if (asked) for (const lesson of lessons(old)) if (!lessons(fresh).includes(lesson)) over.add(lesson);
  for (const lesson of all("[data-lesson]", fresh)) if (over.has(lesson.dataset.lesson)) lesson.remove();
}

/** Whoever has done something is at the board again. @type {Keeper} */
export const staying = ({ old, fresh, asked }) => () => {
  if (asked && old.dataset.version !== fresh.dataset.version) find(".board")?.scrollIntoView({ block: "nearest" });
};

/** How far the score sheet is scrolled, as long as it shows the same step. @type {Keeper} */
export function scrolling({ old, step }) {
  const top = old.querySelector(".side > .moves")?.scrollTop;
  return () => reveal(step ? undefined : top);
}

/** Scrolls the score sheet to the move that the board shows, or to where it was. @param {number} [top] */
export function reveal(top) {
  const moves = find(".side > .moves");
  if (!moves) return;
  const here = moves.querySelector("[aria-current]") ?? all("tbody tr", moves).at(-1);
  moves.scrollTop = top ?? (here ? here.getBoundingClientRect().bottom - moves.getBoundingClientRect().top - moves.clientHeight / 2 + moves.scrollTop : 0);
}

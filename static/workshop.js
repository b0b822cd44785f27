// @ts-check
/**
 * The workshop, live: what is typed or pressed is asked of the server at once, and its drawing of the page takes the place of the
 * old one. It must not know the notation or a price, and nothing it does may be needed: without it the page is a page of forms.
 */

import { page, say } from "./dom.js";
import { focusOf } from "./focus.js";
import { handing } from "./share.js";

/** Milliseconds of rest after which what was typed is shown. */
const REST = 250;

/** The number of the newest question; older answers are not shown. */
let asked = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let resting;

/** @returns {HTMLElement} */
const workshop = () => /** @type {HTMLElement} */ (document.getElementById("workshop"));

/** What a form says, and the button that was pressed. @param {HTMLFormElement} form @param {HTMLElement | null} [button] */
function address(form, button) {
  const said = new URLSearchParams();
  new FormData(form, button).forEach((value, name) => said.append(name, String(value)));
  return `${new URL(form.getAttribute("action") ?? "", location.href).pathname}?${said}`;
}

/** What an element is, the same before and after; nothing where it does not matter. @param {Element} element */
const same = (element) => element.id || [element.getAttribute("name"), element.getAttribute("value")].filter(Boolean).join("=");

/** Asks for a page and shows it. @param {string} from */
async function show(from) {
  const mine = ++asked;
  clearTimeout(resting);
  try {
    const answer = await fetch(from);
    const shown = page(await answer.text());
    const fresh = shown.getElementById("workshop");
    if (mine !== asked) return;
    if (!fresh) return location.assign(from);
    swap(fresh);
    document.title = shown.title;
    history.replaceState(null, "", answer.url.replace(/#.*/, ""));
  } catch {
    if (mine === asked) location.assign(from);
  }
}

/** Puts the newer drawing in place; focus and what is being typed stay. @param {HTMLElement} fresh */
function swap(fresh) {
  const focus = document.activeElement;
  const typed = focus instanceof HTMLInputElement && focus.type === "text" ? focus.value : null;
  const back = focusOf(workshop(), same);
  workshop().replaceWith(fresh);
  back(fresh, typed);
  handing();
  const words = fresh.querySelector("#wrong") ?? fresh.querySelector("#price ~ .lead");
  say([fresh.querySelector("#price")?.textContent, words?.textContent].filter(Boolean).join(" "));
}

document.addEventListener("input", (event) => {
  const field = event.target;
  if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement) || field.form?.method !== "get" || !workshop().contains(field)) return;
  if (field.type === "radio") return;
  const form = field.form;
  clearTimeout(resting);
  resting = setTimeout(() => show(address(form)), REST);
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  // What begins a game goes away from here.
  if (!(form instanceof HTMLFormElement) || form.method !== "get" || !workshop().contains(form)) return;
  event.preventDefault();
  show(address(form, event.submitter));
});

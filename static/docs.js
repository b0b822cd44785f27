// @ts-check
/** Copy buttons and the search of the documentation. The search looks through the sections of all pages, which it loads once. */

import { all, say } from "./dom.js";
import { openSandbox } from "./sandbox.js";

openSandbox();

for (const code of all("pre > code:is(.sh, .python)", document)) {
  if (!navigator.clipboard) break;
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(code.textContent ?? "");
      say("Copied");
    } catch {
      // If copying fails, the text is selected instead.
      getSelection()?.selectAllChildren(code);
    }
  });
  const bar = document.createElement("p");
  bar.className = "copy";
  bar.append(button);
  code.parentElement?.before(bar);
}

/** A section of a page. @typedef {{ address: string, page: string, title: string, text: string }} Section */

/** Most sections shown. */
const SHOWN = 12;
/** Most characters shown before and after a match. */
const AROUND = 50;
const search = document.getElementById("find");
const field = search?.querySelector("input");
const found = document.getElementById("found");
const menu = /** @type {HTMLElement | null | undefined} */ (search?.nextElementSibling);

/** @type {Promise<Section[]> | undefined} */
let sections;
async function load() {
  const answer = await fetch("/docs/search.json");
  return answer.json();
}

/** The sections that have all words. First are those with the words in the heading, then those with the words in a row. @param {Section[]} listed @param {string[]} words */
function matching(listed, words) {
  const has = (/** @type {string} */ text) => words.every((word) => text.toLowerCase().includes(word));
  const matches = listed.filter(({ page, title, text }) => has(`${page} ${title} ${text}`));
  const rank = (/** @type {Section} */ { title, text }) => (has(title) ? 2 : Number(text.toLowerCase().replace(/[ -]/g, "").includes(words.join(""))));
  return matches.sort((a, b) => rank(b) - rank(a));
}

/** The words around the first match in a text. Without a match, its start. @param {string} text @param {string[]} words */
function excerpt(text, words) {
  const small = text.toLowerCase();
  const at = [words.join(" "), words.join(""), ...words].map((word) => small.indexOf(word)).find((at) => at >= 0) ?? 0;
  const start = at > AROUND ? text.indexOf(" ", at - AROUND) + 1 : 0;
  const end = at + 2 * AROUND < text.length ? text.lastIndexOf(" ", at + 2 * AROUND) : text.length;
  return `${start > 0 ? "… " : ""}${text.slice(start, Math.max(end, at))}${end < text.length ? " …" : ""}`;
}

/** @param {Section} section @param {string[]} words */
function entry({ address, page, title, text }, words) {
  const [item, link, around] = ["li", "a", "p"].map((name) => document.createElement(name));
  link.setAttribute("href", address);
  link.textContent = title === page ? page : `${page}: ${title}`;
  around.textContent = excerpt(text, words);
  item.append(link, around);
  return item;
}

async function filter() {
  if (!field || !found || !menu) return;
  sections ??= load();
  const listed = await sections.catch(() => (sections = undefined));
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = listed && words.length ? matching(listed, words) : [];
  found.replaceChildren(...matches.slice(0, SHOWN).map((section) => entry(section, words)));
  menu.hidden = matches.length > 0;
  const status = search?.querySelector("[role=status]");
  const number = matches.length > SHOWN ? `${SHOWN} of ${matches.length} shown` : `${matches.length} found`;
  if (status) status.textContent = words.length ? number : "";
}

if (search && field) {
  search.classList.remove("unready");
  field.addEventListener("input", filter);
}

// @ts-check
/** Copy buttons and the search of the documentation. The search filters the entries of the index page, which it loads once. */

import { all, line, page, say } from "./dom.js";
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

/** Most entries shown. */
const SHOWN = 12;
const search = document.getElementById("find");
const field = search?.querySelector("input");
const found = document.getElementById("found");

/** Entries of the index. @type {Promise<HTMLElement[]> | undefined} */
let entries;
async function load() {
  const answer = await fetch("/docs/index");
  return all("#entries > li", page(await answer.text()));
}

async function filter() {
  if (!field || !found) return;
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  entries ??= load();
  const listed = await entries.catch(() => (entries = undefined));
  const matches = words.length
    ? (listed ?? []).filter((entry) => words.every((word) => line(entry).toLowerCase().includes(word)))
    : [];
  found.replaceChildren(...matches.slice(0, SHOWN).map((entry) => entry.cloneNode(true)));
  const status = search?.querySelector("[role=status]");
  if (status) status.textContent = words.length ? `${matches.length} found` : "";
}

if (search && field) {
  search.classList.remove("unready");
  field.addEventListener("input", filter);
}

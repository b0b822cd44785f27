// @ts-check
/** Sends the requests of the sandbox and shows their answers. */

import { all } from "./dom.js";

/** Most characters of an answer shown. */
const SHOWN = 50_000;
const key = () => /** @type {HTMLInputElement | null} */ (document.getElementById("try-key"))?.value;

/** Address of a request, from the filled fields. @param {HTMLFormElement} form */
function address(form) {
  let path = form.dataset.path ?? "";
  const query = new URLSearchParams();
  for (const field of /** @type {HTMLInputElement[]} */ (all("input", form))) {
    if (field.dataset.place === "path") path = path.replace(`{${field.name}}`, encodeURIComponent(field.value));
    else if (field.value) query.set(field.name, field.value);
  }
  return String(query) ? `${path}?${query}` : path;
}

/** Shows the command of a request. @param {HTMLFormElement} form */
function command(form) {
  const [code] = all(".curl", form);
  const proof = key() ? ' -H "Authorization: Bearer $KEY"' : "";
  if (code) code.textContent = `curl "$ZORKMID${address(form)}"${proof}`;
}

/** @param {HTMLFormElement} form */
async function send(form) {
  const [status] = all("[role=status]", form);
  const [code] = all(".answer", form);
  status.textContent = "Waiting for the answer…";
  /** @type {Record<string, string>} */
  const headers = key() ? { authorization: `Bearer ${key()}` } : {};
  try {
    const answer = await fetch(address(form), { headers, credentials: "omit" });
    let text = await answer.text();
    try {
      text = JSON.stringify(JSON.parse(text), null, 2);
    } catch {
      // The answer is not JSON.
    }
    const cut = text.length > SHOWN ? `, the first ${SHOWN} characters` : "";
    status.textContent = `Status ${answer.status}${cut}`;
    code.textContent = text.slice(0, SHOWN);
    if (code.parentElement) code.parentElement.hidden = false;
  } catch {
    status.textContent = "No answer. Check your connection and send again.";
  }
}

/** Shows the description of a parameter below its field. @param {HTMLElement} field @param {number} number */
function explain(field, number) {
  const about = document.createElement("p");
  about.className = "aside";
  about.id = `about-${number}`;
  about.textContent = field.dataset.about ?? "";
  field.setAttribute("aria-describedby", about.id);
  field.closest("label")?.after(about);
}

/** Shows the forms of the sandbox, if the page is one. */
export function openSandbox() {
  all("[data-about]", document).forEach(explain);
  for (const part of all(".try-it", document)) part.hidden = false;
  for (const form of /** @type {HTMLFormElement[]} */ (all("details.request form", document))) {
    form.addEventListener("input", () => command(form));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      command(form);
      send(form);
    });
  }
}

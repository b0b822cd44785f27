// @ts-check
/** Marks the step that the board shows. */

import { LIST, address, all, current, find, game } from "./dom.js";
import { state } from "./state.js";

/** Number of steps in the game. */
export const last = () => Number(game().dataset.last);

/** Step that the page shows. */
export const here = () => state.back ?? Number(game().dataset.ply);

/** Updates the step buttons, the move list and the line that says which step is shown. @param {boolean} news whether the game has moved on */
export function signs(news) {
  if (!current()) return;
  const [ply, back] = [here(), state.back !== null];
  find("#board")?.classList.toggle("past", back);
  for (const way of all("span[data-step]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button";
    button.dataset.step = way.dataset.step;
    button.textContent = way.textContent;
    way.replaceWith(button);
  }
  for (const step of all("[data-step]")) {
    const off = /first|back/.test(step.dataset.step ?? "") ? ply === 0 : !back;
    step.setAttribute("aria-disabled", String(off));
  }
  for (const cell of all(`${LIST} td:has(a)`)) {
    const shown = all("a", cell).some((link) => link.getAttribute("href")?.split("?")[0] === `${address()}/ply/${ply}`);
    shown ? cell.setAttribute("aria-current", "true") : cell.removeAttribute("aria-current");
  }
  find("#looking")?.remove();
  if (!back) return;
  const line = document.createElement("p");
  line.id = "looking";
  line.innerHTML = `<span data-at></span> <button type="button" data-step="last"></button>`;
  const [at, button] = [line.querySelector("span"), line.querySelector("button")];
  if (at) at.textContent = news ? "A move was made." : `Step ${ply} of ${last()}`;
  if (button) button.textContent = "Back to the game";
  if (news) button?.classList.add("primary");
  line.classList.toggle("news", news);
  find(".say > .line")?.before(line);
}

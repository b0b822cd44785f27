// @ts-check
/** Steps, a slider and quick amounts for a bid. */

import { all, line, near, say } from "./dom.js";

const FIELD = ".stake input[type=number]";

/** @param {Event} event @returns {HTMLInputElement | null} the amount in the form of a control */
const amount = (event) => near(event.target, ".stake")?.querySelector("input[type=number]") ?? null;

/** Adds the controls beside each amount. The page reserves their space. */
export function staking() {
  for (const field of all(FIELD)) {
    if (!(field instanceof HTMLInputElement) || field.form?.querySelector("[data-by]")) continue;
    for (const by of [-1, 1]) {
      const step = document.createElement("button");
      step.type = "button";
      step.dataset.by = String(by);
      step.textContent = by < 0 ? "\u2212" : "+";
      step.ariaLabel = by < 0 ? "Less" : "More";
      by < 0 ? field.before(step) : field.after(step);
    }
    const slider = document.createElement("input");
    Object.assign(slider, { type: "range", min: field.min, max: field.max, ariaLabel: "Amount" });
    slider.value = field.value || "0";
    field.form?.append(slider);
  }
}

document.addEventListener("click", (event) => {
  const by = Number(near(event.target, "[data-by]")?.dataset.by ?? 0);
  const field = amount(event);
  if (!by || !field) return;
  const value = Number(field.value) + by;
  field.value = String(Math.max(Number(field.min), Math.min(Number(field.max), value)));
  field.dispatchEvent(new Event("input", { bubbles: true }));
});

// A quick bid only fills in the amount, so that a wrong press costs nothing. The button beside the amount sends the bid.
document.addEventListener("click", (event) => {
  const quick = near(event.target, ".quick button");
  const field = document.querySelector(FIELD);
  if (!(quick instanceof HTMLButtonElement) || !(field instanceof HTMLInputElement)) return;
  event.preventDefault();
  field.value = quick.value;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  say(`Amount: ${field.value}. To send it, press ${line(field.form?.querySelector("button.primary"))}.`);
});

document.addEventListener("input", (event) => {
  const field = amount(event);
  const slider = field?.form?.querySelector("input[type=range]");
  if (!field || !(slider instanceof HTMLInputElement)) return;
  if (event.target === slider) field.value = slider.value;
  else slider.value = field.value;
  const hint = field.form?.querySelector(".hint[data-chips]");
  if (!(hint instanceof HTMLElement)) return;
  hint.dataset.range ??= hint.textContent ?? "";
  const chips = Number(hint.dataset.chips);
  hint.textContent = Number(field.value) > 0 ? `${field.value} of ${chips} chips, ${chips - Number(field.value)} left.` : hint.dataset.range;
});

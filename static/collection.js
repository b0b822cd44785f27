// @ts-check
/** Loads a design set or an army from a local file, and sends it as if it had been pasted. */

import { say } from "./dom.js";
import "./share.js";

const form = document.querySelector("form.load");
const lines = document.getElementById("file");

if (form instanceof HTMLFormElement && lines instanceof HTMLTextAreaElement) {
  const chooser = document.createElement("input");
  chooser.type = "file";
  chooser.accept = ".txt,text/plain";
  chooser.setAttribute("aria-label", "File with one piece per line");
  // Next to the button, so that the layout does not shift.
  form.querySelector(".actions")?.append(chooser);
  chooser.addEventListener("change", async () => {
    const file = chooser.files?.item(0);
    if (!file) return;
    if (file.size > lines.maxLength) return say("This file is too large for a design set.");
    lines.value = await file.text();
    form.requestSubmit();
  });
}

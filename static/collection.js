// @ts-check
/** A set or an army from a file of one's own: it is read here and sent as if it had been pasted. */

import { say } from "./dom.js";
import "./share.js";

const form = document.querySelector("form.load");
const lines = document.getElementById("file");

if (form instanceof HTMLFormElement && lines instanceof HTMLTextAreaElement) {
  const chooser = document.createElement("input");
  chooser.type = "file";
  chooser.accept = ".txt,text/plain";
  chooser.setAttribute("aria-label", "A file with one piece a line");
  // Beside the button, so that nothing moves.
  form.querySelector(".actions")?.append(chooser);
  chooser.addEventListener("change", async () => {
    const file = chooser.files?.item(0);
    if (!file) return;
    if (file.size > lines.maxLength) return say("This file is too long for a set of pieces.");
    lines.value = await file.text();
    form.requestSubmit();
  });
}

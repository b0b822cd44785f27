// @ts-check
/** Circles and arrows drawn on the board with the right mouse button. */

import { find } from "./dom.js";
import { state } from "./state.js";

const SPACE = "http://www.w3.org/2000/svg";

/** Circles and arrows: `e4`, `e2 e4`. @type {Set<string>} */
const shapes = new Set();

/** Draws a shape, or removes it if it is already drawn. @param {string} from @param {string} to */
export function toggle(from, to) {
  const shape = from === to ? from : `${from} ${to}`;
  if (!shapes.delete(shape)) shapes.add(shape);
  draw();
}

/** Removes all shapes. */
export function clear() {
  if (!shapes.size) return;
  shapes.clear();
  draw();
}

/** Centre of a square, relative to the corner of the board. @param {string} name @param {DOMRect} frame */
function middle(name, frame) {
  const box = state.squares.get(name)?.getBoundingClientRect() ?? frame;
  return { x: box.x + box.width / 2 - frame.x, y: box.y + box.height / 2 - frame.y, size: box.width };
}

/** Redraws all shapes over the board. */
export function draw() {
  const board = find(".position");
  if (!board) return;
  board.querySelector("svg.marks")?.remove();
  if (!shapes.size) return;
  const frame = board.getBoundingClientRect();
  const svg = document.createElementNS(SPACE, "svg");
  svg.setAttribute("class", "marks");
  svg.setAttribute("aria-hidden", "true");
  for (const shape of shapes) {
    const [tail = "", head] = shape.split(" ");
    const from = middle(tail, frame);
    const path = document.createElementNS(SPACE, "path");
    if (!head) {
      const r = from.size * 0.44;
      path.setAttribute("d", `M${from.x - r} ${from.y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`);
    } else {
      const to = middle(head, frame);
      const length = Math.hypot(to.x - from.x, to.y - from.y);
      const [x, y] = [(to.x - from.x) / length, (to.y - from.y) / length];
      const h = from.size * 0.28;
      path.setAttribute("d", `M${from.x} ${from.y}L${to.x} ${to.y}M${to.x - h * (x + y)} ${to.y - h * (y - x)}L${to.x} ${to.y}L${to.x - h * (x - y)} ${to.y - h * (y + x)}`);
    }
    svg.append(path);
  }
  board.append(svg);
}

addEventListener("resize", draw);

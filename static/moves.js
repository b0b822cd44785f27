// @ts-check
/** Taking in hand, going and dropping; it shows a move at once and tells the server. */

import { ask, forget } from "./asked.js";
import { ahead, alone, draft, given, movable, targets, ways } from "./choices.js";
import { current, find, game, say } from "./dom.js";
import { add } from "./draft.js";
import { places, slide } from "./glide.js";
import { said, send } from "./server.js";
import { paint, relocate } from "./squares.js";
import { state } from "./state.js";
/** @import {Choice} from "./state.js" */

const SPACE = "http://www.w3.org/2000/svg";
const SPRITE = new URL("pieces.svg", import.meta.url).href;

/** Takes something in hand, or puts it back. @param {string} key */
export function pick(key) {
  state.picked = key === state.picked ? given() : key;
  paint();
  const { picked } = state;
  if (!picked) return;
  const to = [...targets(picked)];
  say(to.length ? `${picked} can go to ${to.join(", ")}` : `${picked}: choose where it shall go when it is your turn`);
}

/** A piece from elsewhere is pressed: twice for wherever it comes. @param {string} key */
export function hold(key) {
  const anywhere = key === state.picked && alone(key);
  if (anywhere) play({ action: anywhere, label: "", kind: "word", word: anywhere });
  else pick(key);
}

/** Goes from what is in hand to a square, if that can be done. @param {string} from @param {string} to */
export function go(from, to) {
  const found = ways(from, to);
  if (found.length > 1) choose(found);
  else if (found[0]) play(found[0]);
  else if (ahead() && state.squares.has(from) && from !== to) {
    state.premove = { from, to, ply: Number(game().dataset.ply) };
    state.picked = "";
    paint();
    say(`${from} ${to} will be played in advance; Escape takes it back`);
  } else return false;
  return true;
}

/** A square is pressed. @param {string} name */
export function press(name) {
  if (state.premove) {
    state.premove = null;
    paint();
  }
  const { picked } = state;
  const unit = state.squares.get(name)?.dataset.piece;
  if (picked || !unit || movable(name)) forget();
  if (picked && (picked !== name || ways(name, name).length) && go(picked, name)) return;
  if (movable(name)) pick(name);
  else if (picked) pick(picked);
  else if (unit && current() && state.back === null) void ask(name);
}

/** Does one of the things that may be done, and shows it at once. @param {Choice} choice */
export function play(choice) {
  // What is pressed while another page of the game is on its way may have been meant for that one.
  if (state.busy || (state.loading && !draft())) return paint();
  state.picked = "";
  if (draft() && !choice.whole) return add(choice.action);
  paint();
  if (choice.kind === "move" && choice.from !== choice.to) {
    const [from, to] = [state.squares.get(choice.from), state.squares.get(choice.to)];
    const before = places();
    if (from && to) relocate(from, to);
    if (!state.held?.ghost) slide(before);
  }
  if (choice.kind !== "word" && document.activeElement?.closest(".board, #choose, body")) state.stop = choice.to;
  send(said(choice.action), null);
}

/** The pieces that the sprite has. */
const DRAWN = ["king", "queen", "rook", "bishop", "knight", "pawn", "unicorn"];

/** The key for what a pawn becomes: the letter that score sheets have for it, with which the action of a designed piece ends.
 * @param {string} piece @param {string} action */
const key = (piece, action) => (piece === "knight" ? "n" : DRAWN.includes(piece) ? piece.charAt(0) : action.slice(-1));

/** Asks which of several things is meant, over the board; a figure or the letter of a piece answers. @param {Choice[]} found */
function choose(found) {
  const board = find(".position");
  if (!board) return;
  const panel = document.createElement("div");
  panel.className = "choose";
  panel.id = "choose";
  panel.setAttribute("role", "dialog");
  panel.setAttribute("aria-label", "Choose a move");
  for (const [index, choice] of found.entries()) {
    const button = document.createElement("button");
    button.type = "button";
    const keys = [String(index + 1)];
    if (choice.kind === "move" && choice.promotion) {
      keys.push(key(choice.promotion, choice.action));
      button.append(picture(state.squares.get(choice.from)?.dataset.color ?? "", choice.promotion));
    }
    button.append(choice.label);
    button.setAttribute("aria-keyshortcuts", keys.join(" "));
    button.addEventListener("click", () => {
      panel.remove();
      play(choice);
    });
    panel.append(button);
  }
  panel.addEventListener("keydown", (event) => {
    const meant = Array.from(panel.querySelectorAll("button")).find((button) => button.getAttribute("aria-keyshortcuts")?.split(" ").includes(event.key));
    if (!meant || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    meant.click();
  });
  if (found[0]?.kind === "move") state.stop = found[0].from;
  document.getElementById("choose")?.remove();
  board.append(panel);
  panel.querySelector("button")?.focus();
  say(`Choose: ${found.map((choice) => choice.label).join(", ")}`);
}

/** A piece of the sprite; a designed one as it stands on the board, if it does. @param {string} color @param {string} piece */
function picture(color, piece) {
  if (!DRAWN.includes(piece)) {
    const cells = Array.from(state.squares.values());
    return cells.find((cell) => cell.dataset.color === color && cell.dataset.piece === piece)?.querySelector("svg.piece")?.cloneNode(true) ?? "";
  }
  const svg = document.createElementNS(SPACE, "svg");
  svg.setAttribute("class", "piece");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SPACE, "use");
  use.setAttribute("href", `${SPRITE}#${color}-${piece}`);
  svg.append(use);
  return svg;
}

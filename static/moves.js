// @ts-check
/** Selecting, moving and dropping pieces. Shows a move at once and sends it to the server. */

import { ask, forget } from "./asked.js";
import { ahead, alone, deeds, draft, given, keeps, movable, targets, ways } from "./choices.js";
import { all, current, find, game, line, say } from "./dom.js";
import { add } from "./draft.js";
import { places, slide } from "./glide.js";
import { unsent } from "./notices.js";
import { said, send } from "./server.js";
import { focusSquare, paint, relocate } from "./squares.js";
import { state } from "./state.js";
/** @import {Choice} from "./state.js" */

const SPACE = "http://www.w3.org/2000/svg";
const SPRITE = new URL("pieces.svg", import.meta.url).href;

/** Selects a piece, or deselects it. @param {string} key */
export function pick(key) {
  state.picked = key === state.picked ? given() : key;
  paint();
  const { picked } = state;
  if (!picked) return;
  const [found, to] = [deeds(picked), [...targets(picked)].filter((name) => name !== picked)];
  const name = found[0]?.kind === "drop" ? found[0].piece.name : picked;
  const again = deeds(picked, picked)[0]?.label ?? (alone(picked) && "any square");
  say([to.length && `${name} can go to ${to.join(", ")}`, again && `Press it again for: ${again}`].filter(Boolean).join(". ") || `${name}: choose a square to premove to`);
}

/** Handles a click on a piece off the board. A second click plays it without a square, where possible. @param {string} key */
export function hold(key) {
  const anywhere = key === state.picked && alone(key);
  if (anywhere) play({ action: anywhere, label: "", kind: "word", word: anywhere });
  else pick(key);
}

/** Moves the selected piece to a square, if possible. @param {string} from @param {string} to */
export function go(from, to) {
  const found = ways(from, to);
  if (found.length > 1) choose(found);
  else if (found[0]) play(found[0]);
  else if (ahead() && state.squares.has(from) && from !== to) {
    state.premove = { from, to, ply: Number(game().dataset.ply) };
    state.picked = "";
    paint();
    say(`Premove ${from} ${to}. Press Escape to cancel.`);
  } else return false;
  return true;
}

/** Handles a click on a square. @param {string} name */
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
  else if (picked && keeps() && !state.squares.has(picked)) unsent(refusal(picked, name));
  else if (picked) pick(picked);
  else if (unit && current() && state.back === null) void ask(name);
}

/** Why a piece in hand cannot be placed on a square. @param {string} key @param {string} to */
function refusal(key, to) {
  const reason = all("[data-refuses]").find(({ dataset }) => dataset.refuses === key && dataset.to?.split(" ").includes(to));
  return line(reason) || "Not here: choose a marked square.";
}

/** Places the piece in hand on several squares. @param {string} key @param {string[]} names */
export function fill(key, names) {
  add(...names.flatMap((name) => ways(key, name).map((choice) => choice.action)));
  return true;
}

/** Plays a choice and shows it at once. @param {Choice} choice */
export function play(choice) {
  // A click while another page is loading may have been meant for that page.
  if (state.busy || (state.loading && !draft())) return paint();
  if (state.held || choice.kind !== "drop" || !keeps()) state.picked = "";
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

/** Pieces in the sprite. */
const DRAWN = ["king", "queen", "rook", "bishop", "knight", "pawn", "unicorn"];

/** Key that chooses a promotion: the letter of the piece in notation. For a designed piece, the last letter of the action.
 * @param {string} piece @param {string} action */
const key = (piece, action) => (piece === "knight" ? "n" : DRAWN.includes(piece) ? piece.charAt(0) : action.slice(-1));

/** Asks over the board which of several choices is meant. A digit or the letter of a piece answers. @param {Choice[]} found */
function choose(found) {
  const board = find(".position");
  if (!board) return;
  const panel = document.createElement("div");
  panel.className = "choose";
  panel.id = "choose";
  panel.setAttribute("role", "dialog");
  panel.setAttribute("aria-label", "Choose a move");
  panel.setAttribute("aria-modal", "true");
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
      if (choice.kind !== "word") focusSquare(choice.to);
      play(choice);
    });
    panel.append(button);
  }
  panel.addEventListener("keydown", (event) => {
    const buttons = Array.from(panel.querySelectorAll("button"));
    if (event.key === "Tab") {
      event.preventDefault();
      const at = buttons.findIndex((button) => button === document.activeElement) + (event.shiftKey ? -1 : 1);
      buttons.at(at % buttons.length)?.focus();
    }
    const meant = buttons.find((button) => button.getAttribute("aria-keyshortcuts")?.split(" ").includes(event.key));
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

/** Picture of a piece from the sprite. A designed piece is copied from the board, if it is there. @param {string} color @param {string} piece */
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

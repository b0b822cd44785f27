// @ts-check
/** Selecting, moving and dropping pieces. Shows a move at once and sends it to the server. */

import { ask, forget } from "./asked.js";
import { ahead, alone, deeds, draft, given, keeps, movable, targets, ways } from "./choices.js";
import { choose } from "./choose.js";
import { confirm, confirms } from "./confirm.js";
import { all, current, game, line, say, unit } from "./dom.js";
import { add } from "./draft.js";
import { places, slide } from "./glide.js";
import { unsent } from "./notices.js";
import { clearQueue, enqueue } from "./queue.js";
import { said, send } from "./server.js";
import { enact, paint } from "./squares.js";
import { state } from "./state.js";
/** @import {Choice} from "./state.js" */

/** Name of a selection: a square, or a piece off the board. @param {string} key */
function called(key) {
  const [found] = deeds(key);
  return found?.kind === "drop" ? found.piece.name : key;
}

/** Selects a piece, or deselects it. @param {string} key */
export function pick(key) {
  state.picked = key === state.picked ? given() : key;
  unsent("");
  paint();
  const { picked } = state;
  if (!picked) return say("Selection cancelled.");
  const [found, to] = [deeds(picked), [...targets(picked)].filter((name) => name !== picked)];
  const name = called(picked);
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
  if (found.length > 1) choose(to, found, play);
  else if (found[0]) play(found[0]);
  else if (ahead() && state.squares.has(from) && from !== to) enqueue(from, to);
  else return false;
  return true;
}

/** Handles a click on a square. On a square of the queue, it cancels all premoves. @param {string} name */
export function press(name) {
  const { picked } = state;
  if (!picked && state.premoves.some(({ from, to }) => from === name || to === name)) {
    clearQueue();
    return say("Premoves cancelled.");
  }
  const piece = unit(state.squares.get(name));
  if (picked || !piece || movable(name)) forget();
  if (picked && (picked !== name || ways(name, name).length) && go(picked, name)) return;
  if (movable(name)) pick(name);
  else if (picked) {
    if (state.squares.has(picked) || !keeps()) pick(picked);
    if (picked !== name) unsent(refusal(picked, name), keeps() ? "error" : "notice");
  } else if (piece && current() && state.back === null) void ask(name, idleness(name, piece));
  else say(idleness(name, piece));
}

/** Why a square cannot be selected. @param {string} name @param {string} piece */
function idleness(name, piece) {
  if (!piece) return `${name} is empty.`;
  if (state.back !== null) return "The board shows an earlier step. To go back to the game, press Escape.";
  const [mover] = state.choices.flatMap((choice) => (choice.kind === "move" ? [state.squares.get(choice.from)?.dataset.color] : []));
  const own = mover && mover === state.squares.get(name)?.dataset.color && game().dataset.phase !== "guess";
  return own ? `The ${piece} on ${name} has no moves.` : `You cannot choose the ${piece} on ${name} now.`;
}

/** Why a piece cannot go to a square. @param {string} key @param {string} to */
function refusal(key, to) {
  const reason = all("[data-refuses]").find(({ dataset }) => dataset.refuses === key && dataset.to?.split(" ").includes(to));
  const piece = state.squares.get(key)?.dataset.piece;
  return line(reason) || (piece ? `The ${piece} on ${key} cannot go to ${to}.` : "Not here: choose a marked square.");
}

/** Places the piece in hand on several squares. @param {string} key @param {string[]} names */
export function fill(key, names) {
  add(...names.flatMap((name) => ways(key, name).map((choice) => choice.action)));
  return true;
}

/** Plays a choice and shows it at once. @param {Choice} choice @param {boolean} [sure] whether it needs no confirmation */
export function play(choice, sure) {
  // A click while another page is loading may have been meant for that page.
  if (state.busy || (state.loading && !draft())) return paint();
  if (state.held || choice.kind !== "drop" || !keeps()) state.picked = "";
  if (draft() && !choice.whole) return add(choice.action);
  paint();
  const submit = () => send(said(choice.action), null);
  if (choice.kind === "word") return submit();
  if (document.activeElement?.closest(".board, #choose, body")) state.stop = choice.to;
  const before = places();
  if (sure || !confirms()) {
    enact(choice);
    submit();
  } else confirm({ words: `Play ${choice.label}?`, submit, choice });
  if (!state.held?.ghost) slide(before);
}

// @ts-check
/** Commands of the layout for screen readers. They are answered from the page, without a request to the server. */

import { all, find, line, say, unit } from "./dom.js";
import { LETTERS, answer, buttons, latest, named, past, player, seats, squares } from "./questions.js";
/** @import {Choice} from "./state.js" */

const HELP = `Send an action, such as a move, takeback, draw or resign, or one of these commands.
s or status: whose turn it is, the clocks and the last move.
l or last: the last move.
o: your opponent, or both players if you are watching.
c: the clocks.
p knight, p n or p white knights: where these pieces are.
scan e or scan 4: the pieces on a file or a rank.
moves e2: the moves of a piece. During the bidding, those that it would have.
attackers f7: the pieces that can move to a square, for the side to move, and the opponent's pieces that attack it.
bid: what you must bid.
chips: both purses.
offers, slips, prices, payoffs, guesses, reserve: what the page shows of them.`;

/** Joins sentences. @param {(string | false | undefined)[]} parts */
const sentences = (...parts) => parts.flatMap((part) => part ? `${part.replace(/\.$/, "")}.` : []).join(" ");

/** Name of a piece and its square. @param {HTMLElement} cell */
const placed = (cell) => `${unit(cell)} ${named(cell)}`;

/** Choices of the side to move. @returns {Choice[]} */
const choices = () => (past() ? [] : JSON.parse(find("#choices")?.textContent || "[]"));

/** Pieces that attack a square; nothing if the page does not know. @param {string} name */
function attackers(name) {
  const text = past() ? "" : find("#attacks")?.textContent;
  /** @type {Record<string, string[]>} */
  const attacks = JSON.parse(text || "{}");
  return text && squares().filter((cell) => attacks[named(cell)]?.some((to) => to.toLowerCase() === name));
}

/** Text of a part of the page on one line, without its pictures. Rows and items are separated, and a cell follows the head of its column.
 * @param {HTMLElement} part */
function words(part) {
  const copy = document.createElement("div");
  copy.append(part.cloneNode(true));
  for (const gone of all("[aria-hidden=true], svg, summary + *, .away", copy)) gone.remove();
  for (const table of all("table", copy)) {
    const heads = all("thead :is(th, td)", table).map(line);
    for (const row of all("tbody tr", table)) for (const [at, cell] of all("th, td", row).entries()) cell.prepend(at ? `, ${heads[at] ?? ""} ` : "");
    for (const head of all("thead, caption", table)) head.remove();
  }
  for (const inner of all("*", copy)) inner.before(inner.matches("tr, li, p:not(.slip p), .chip, .slip, .button, button") ? "; " : " ");
  return line(copy).replace(/ (?=[,;:.])/g, "").replace(/(?:; ?)+/g, "; ").replace(/\.;/g, ".").replace(/^; |;? ?$/g, "");
}

/** What the page shows under a name. @param {string} name */
function shown(name) {
  const parts = all(`[data-answer=${name}]`).map((part) => [part.dataset.whose, words(part)].filter(Boolean).join(": "));
  return sentences(...parts) || `The page shows no ${name} now.`;
}

/** Actions that the player can send, if they are not moves. */
function ways() {
  const [bid, field] = [find("#bid"), find("#action")];
  if (bid instanceof HTMLInputElement) return `You can send: bid and a number from ${bid.min} to ${bid.max}`;
  const guess = find("#guesses option")?.getAttribute("value");
  if (guess) return `You can send: guess and up to ${all("input[id^=guess-]").length} guesses, such as guess ${guess}`;
  const example = field instanceof HTMLInputElement && !choices().some(({ kind }) => kind === "move") && field.placeholder;
  return buttons() || (example && `Example of an action: ${example}`);
}

function status() {
  const last = latest();
  return sentences([line(find(".say h1")), line(find(".say .reason"))].filter(Boolean).join(": "), ways(), !!find("td.check") && "Check", !!find(".clock") && `Clocks: ${seats(".clock")}`, last && `Last move: ${last}`);
}

function opponent() {
  const players = all(".seat:not([hidden])").map((seat) => [player(seat), line(seat.querySelector(".clock"))].filter(Boolean).join(", "));
  if (!all(".seat .aside").some((words) => /\byou\b/.test(line(words)))) return sentences(`Players: ${players.join("; ")}`, shown("offers"));
  const bar = find(".seat[data-part=far]");
  const present = document.querySelector("#partner:not([hidden]) > p");
  return sentences(...[".name", ".aside", ".clock"].map((part) => line(bar?.querySelector(part))), line(present));
}

/** @param {string} text @param {string} color @param {string} name */
function pieces(text, color, name) {
  const kind = LETTERS[name] ?? name;
  const cells = squares().filter((cell) => cell.dataset.piece === kind && (!color || cell.dataset.color === color));
  return sentences(cells.map(placed).join(", ") || `${text.slice(2)}: none`);
}

/** Moves of the piece on a square, or the pieces that can move there. @param {string} text @param {string} name @param {"from" | "to"} end */
function moves(text, name, end) {
  const found = choices().flatMap((choice) => (choice.kind === "move" && !choice.dear && choice[end].toLowerCase() === name ? [choice] : []));
  const attacking = end === "to" && attackers(name);
  const mover = choices().flatMap((choice) => (choice.kind === "move" ? [choice.from] : []))[0];
  if (!mover && attacking) return sentences(`${text}, for both sides: ${attacking.map(placed).join(", ") || "none"}`);
  const reach = !past() && find("#reach")?.textContent;
  if (!mover && reach) return sentences(would(text.slice(6), JSON.parse(reach)));
  if (!mover) return "The page lists moves only when you are to move.";
  if (end === "from") return sentences(`${text.slice(6)}: ${[...new Set(found.map(({ to, promotion }) => [to, promotion].filter(Boolean).join(" ")))].sort().join(", ") || "no moves"}`);
  const from = squares().filter((cell) => found.some((choice) => choice.from === named(cell)));
  const color = squares().find((cell) => named(cell) === mover)?.dataset.color;
  const against = attacking && attacking.filter((cell) => cell.dataset.color !== color);
  return sentences(`${text}, for the side to move: ${from.map(placed).join(", ") || "none"}`, against && `For the opponent: ${against.map(placed).join(", ") || "none"}`);
}

/** Moves that the piece on a square would have if its side had the move. @param {string} name @param {Record<string, string[]>} reach */
function would(name, reach) {
  const cell = squares().find((each) => named(each) === name);
  if (!cell || !unit(cell)) return `${name}: no piece`;
  return `${name}, if ${cell.dataset.color} gets the move: ${reach[name]?.join(", ") || "no moves"}`;
}

function bid() {
  const field = find("#bid");
  if (field instanceof HTMLInputElement) return sentences(line(field.labels?.[0]), `Least ${field.min}, most ${field.max}`);
  return sentences(...all(".ask .idle").map(line)) || "No bid is due.";
}

/** Commands, each with its answer. @type {[RegExp, (found: string[]) => string][]} */
const COMMANDS = [
  [/^(?:help|\?)$/, () => [HELP, ...all("[data-answer=payoffs]").map(words)].join("\n")],
  [/^s(?:tatus)?$/, status],
  [/^l(?:ast)?$/, () => sentences(latest() || "No moves yet")],
  [/^o$/, opponent],
  [/^c$/, () => answer("clocks")],
  [/^p (?:(white|black) )?(.+?)s?$/, ([text = "", color = "", name = ""]) => pieces(text, color, name)],
  [/^scan ([a-h1-8])$/, ([, row = ""]) => answer(`${/\d/.test(row) ? "rank" : "file"} ${row}`)],
  [/^moves ([a-z]+\d+)$/, ([text = "", name = ""]) => moves(text, name, "from")],
  [/^attackers ([a-z]+\d+)$/, ([text = "", name = ""]) => moves(text, name, "to")],
  [/^bid$/, bid],
  [/^chips$/, () => `Purses. ${seats(".purse")}.`],
  [/^(offers|slips|prices|payoffs|guesses|reserve)$/, ([name = ""]) => shown(name)],
];

/** Answer to a command; empty if the text is none. @param {string} text */
function reply(text) {
  for (const [pattern, answers] of COMMANDS) {
    const found = pattern.exec(text);
    if (found) return answers(found.map((part) => part ?? ""));
  }
  return "";
}

/** Actions that are only sent when they are typed twice in a row, with the question. @type {Record<string, string>} */
const TWICE = {
  resign: "Resign? To lose the game, send resign again.",
  abort: "Abort? To end the game without a result, send abort again.",
  "resign match": "Resign the match? To lose it, send resign match again.",
  guess: "Seal an empty sheet? To make no guess, send guess again.",
};
/** The text sent last. */
let before = "";

/** Question before an action that cannot be undone; empty if it may be sent. @param {string} text */
function ask(text) {
  const question = text === before ? "" : TWICE[text] ?? "";
  before = text;
  return question;
}

// Before the other scripts send the text.
document.addEventListener("submit", (event) => {
  const form = event.target;
  const field = find("#action");
  if (!(form instanceof HTMLFormElement) || form.id !== "typed" || !(field instanceof HTMLInputElement)) return;
  const text = field.value.trim().toLowerCase();
  // Spectators, and players after the game, have only commands.
  const local = form.method === "get";
  const words = local ? reply(text) || answer(text) || "There is no such command. For a list, send help." : ask(text) || reply(text);
  if (!words) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  say(words);
  field.value = "";
  field.removeAttribute("aria-invalid");
  field.removeAttribute("aria-describedby");
}, true);

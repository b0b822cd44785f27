// @ts-check
/** Commands of the layout for screen readers. They are answered from the page, without a request to the server. */

import { LIST, all, find, game, line, say, unit } from "./dom.js";
import { LETTERS, answer, choices, deeds, latest, named, past, player, seats, squares, ways } from "./questions.js";

/** Parts of the page that are commands by their name. */
const PARTS = ["offers", "slips", "prices", "payoffs", "guesses", "reserve"];

/** Joins sentences. @param {(string | false | undefined)[]} parts */
const sentences = (...parts) => parts.flatMap((part) => part ? part.replace(/[^.?!]$/, "$&.") : []).join(" ");

/** Name of a piece and its square. @param {HTMLElement} cell */
const placed = (cell) => `${unit(cell)} ${named(cell)}`;

/** Whether the viewer has only commands: spectators, and players after the game. */
const local = () => find("#typed")?.getAttribute("method") === "get";

/** Button that offers a rematch, accepts it or opens it. */
const again = () => find(".acts button[value=rematch], .acts form[action$='/rematch'] button");

/** List of what can be sent now. */
function help() {
  const shows = PARTS.filter((name) => find(`[data-answer=${name}]`));
  const lines = [
    local() ? "Send one of these commands." : `${sendable()} Or send one of these commands.`,
    "s or status: whose turn it is, the clocks and the last move.",
    "l or last: the last move.",
    "o: your opponent, or both players if you are watching.",
    find(".clock") && "c: the clocks.",
    "p knight, p n or p white knights: where these pieces are.",
    "scan e or scan 4: the pieces on a file or a rank.",
    (!local() || find("#reach")) && `moves e2: the moves of a piece${find("#reach") ? ", if its side gets the move" : ""}.`,
    find("#attacks") && "attackers f7: the pieces that can move to a square, for the side to move, and the opponent's pieces that attack it.",
    find("#bid, .ask .idle") && "bid: what you must bid.",
    find(".purse") && "chips: both purses.",
    shows.length && `${shows.join(", ")}: what the page shows of them.`,
    again() && "rematch: offers, accepts or opens the rematch.",
    !local() && find("#guesses option") && "help guess: how to type guesses.",
    !local() && find("#shop") && "help buy: how to type a turn with purchases.",
  ];
  return lines.filter(Boolean).join("\n");
}

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
    for (const head of all("thead, caption", table)) head.replaceWith(head.matches(".slip caption") ? `; ${line(head)}: ` : "");
  }
  for (const inner of all("*", copy)) inner.before(inner.matches("tr, li, p:not(.slip p), .chip, .slip, .button, button") ? "; " : " ");
  return line(copy).replace(/ (?=[,;:.])/g, "").replace(/(?:; ?)+/g, "; ").replace(/([.:]);/g, "$1").replace(/^; |;? ?$/g, "");
}

/** What the page shows under a name. @param {string} name */
function shown(name) {
  const parts = all(`[data-answer=${name}]`).map((part) => [part.dataset.whose, words(part)].filter(Boolean).join(": "));
  return sentences(...parts) || `The page shows no ${name} now.`;
}

/** Everything that the player can send now. */
function sendable() {
  if (past()) return sentences(step(), BACK);
  const ends = all(".acts a[href*='end=']").map((link) => (/^Claim/.test(line(link)) ? "claim" : /end=(\w+)/.exec(link.getAttribute("href") ?? "")?.[1]));
  const more = [...deeds("button[name=action]:not(.ask *, .quick *, .board *, #hint *, :disabled)"), ...ends].join(", ");
  const first = ways();
  return sentences(first, more && `You can ${first && "also "}send: ${more}`) || "No action is possible now.";
}

/** Which earlier step the board shows. */
const step = () => `Step ${location.hash.slice(1)} of ${game().dataset.last}`;
const BACK = "To go back to the game, press Escape";

/** The last line of the move list, after "Last move: " if it is a move, and the last move if that is another line. A move that is not the last
 * line comes without its notes, such as purses of that time. */
function recent() {
  const lines = all(`${LIST} [data-spoken]`);
  const here = lines.map((row) => row.matches("td[aria-current] *")).lastIndexOf(true);
  const moved = lines.slice(0, here < 0 ? undefined : here + 1).filter((row) => row.matches("td:not([colspan]) *"));
  const [last, move] = [latest(), moved.at(-1)?.dataset.spoken ?? ""];
  const other = last && move !== last && move.split(". ")[0];
  return { last, named: last && `Last${move === last ? " move" : ""}: ${last}`, move: other && `Last move: ${other}` };
}

function status() {
  const { last, named, move } = recent();
  const turn = [line(find(".say h1")), line(find(".say .reason"))].filter(Boolean).join(": ");
  const [check, clocks] = [!!find("td.check") && (past() || !game().dataset.over) && "Check", !!find(".clock") && `Clocks: ${seats(".clock")}`];
  if (past()) return sentences([step(), last].filter(Boolean).join(": "), check, `The game: ${turn}`, clocks, BACK);
  return sentences(turn, !local() && ways(), check, clocks, named, move);
}

function opponent() {
  const players = all(".seat:not([hidden])").map((seat) => [player(seat), line(seat.querySelector(".clock"))].filter(Boolean).join(", "));
  if (!all(".seat .aside").some((words) => /\byou\b/.test(line(words)))) return sentences(`Players: ${players.join("; ")}`, !!find("[data-answer=offers]") && shown("offers"));
  const bar = find(".seat[data-part=far]");
  const present = document.querySelector("#partner:not([hidden]) > p");
  return sentences(...[".name", ".aside", ".clock"].map((part) => line(bar?.querySelector(part)).replace(" · ", ", ")), line(present));
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
  const [piece, reach] = [squares().find((cell) => named(cell).toLowerCase() === name), !past() && find("#reach")?.textContent];
  if (end === "from" && (!piece || !unit(piece))) return piece ? `${named(piece)} is ${piece.matches(".fog") ? "hidden" : "empty"}.` : `There is no square ${text.slice(6)}.`;
  if (!mover && reach && piece) return sentences(would(piece, JSON.parse(reach)));
  if (!mover) return unlisted();
  if (end === "from") return sentences(`${text.slice(6)}: ${[...new Set(found.map(({ to, promotion }) => [to === name && find("#guesses") ? "any square" : to, promotion].filter(Boolean).join(" ")))].sort().join(", ") || "no moves"}`);
  const from = squares().filter((cell) => found.some((choice) => choice.from === named(cell)));
  const color = squares().find((cell) => named(cell) === mover)?.dataset.color;
  const against = attacking && attacking.filter((cell) => cell.dataset.color !== color);
  return sentences(`${text}, for the side to move: ${from.map(placed).join(", ") || "none"}`, against && `For the opponent: ${against.map(placed).join(", ") || "none"}`);
}

/** Moves that a piece would have if its side had the move. @param {HTMLElement} cell @param {Record<string, string[]>} reach */
const would = (cell, reach) => `${named(cell)}, if ${cell.dataset.color} gets the move: ${reach[named(cell)]?.join(", ") || "no moves"}`;

/** Why the page lists no moves. */
function unlisted() {
  if (past()) return sentences(step(), BACK);
  if (game().dataset.over) return "The game is over.";
  const task = /^Your turn to (?!play)(.+)/.exec(line(find("h1")))?.[1];
  return task ? `You are to ${task}, not to move.` : "The page lists moves only when you are to move.";
}

function bid() {
  const field = find("#bid");
  if (field instanceof HTMLInputElement) return sentences(line(field.labels?.[0]), `Least ${field.min}, most ${field.max}`);
  return sentences(...all(".ask .idle").map(line)) || "No bid is due.";
}

/** Presses the button for a rematch. Without one, the server answers during the game. */
function rematch() {
  const button = again();
  button?.click();
  return button ? sentences(line(button)) : game().dataset.over ? "You cannot offer a rematch now." : "";
}

/** Explanation that the page has under a name. @param {string} name */
const lesson = (name) => all(`[data-answer=${name}]`).map(words).join(" ") || "This game has no such actions.";

/** Commands, each with its answer. @type {[RegExp, (found: string[]) => string][]} */
const COMMANDS = [
  [/^(?:help|\?)$/, help],
  [/^help guess$/, () => lesson("payoffs")],
  [/^help buy$/, () => lesson("buying")],
  [/^s(?:tatus)?$/, status],
  [/^l(?:ast)?$/, () => {
    const { last, move } = recent();
    return sentences(last || (past() ? "The start of the game" : "No moves yet"), move);
  }],
  [/^o$/, opponent],
  [/^c$/, () => answer("clocks")],
  [/^p (?:(white|black) )?(.+?)s?$/, ([text = "", color = "", name = ""]) => pieces(text, color, name)],
  [/^scan ([a-h1-8])$/, ([, row = ""]) => answer(`${/\d/.test(row) ? "rank" : "file"} ${row}`)],
  [/^moves ([a-z]+\d+)$/, ([text = "", name = ""]) => moves(text, name, "from")],
  [/^attackers ([a-z]+\d+)$/, ([text = "", name = ""]) => moves(text, name, "to")],
  [/^bid$/, bid],
  [/^chips$/, () => (find(".purse") ? `Purses. ${seats(".purse")}.` : "There are none: this game has no purses.")],
  [new RegExp(`^(?:${PARTS.join("|")})$`), ([name = ""]) => shown(name)],
  [/^rematch$/, rematch],
  [/^p$/, () => "Name a piece too, as in p knight."],
  [/^scan(?:\s.*)?$/, () => "Name a file or a rank too, as in scan e."],
  [/^(moves|attackers)(?:\s.*)?$/, ([, name = ""]) => `Name a square too, as in ${name} e2.`],
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
  draw: "Agree to a draw? To end the game, send draw again.",
  resign: "Resign? To lose the game, send resign again.",
  abort: "Abort? To end the game without a result, send abort again.",
  "resign match": "Resign the match? To lose it, send resign match again.",
  guess: "Seal an empty sheet? To make no guess, send guess again.",
};
/** The text sent last. */
let before = "";

/** Question before an action that cannot be undone; empty if it may be sent. @param {string} text */
function ask(text) {
  // A draw ends the game at once only if this browser has both seats, and only some variants have guesses.
  const needed = { draw: game().dataset.seat, guess: find("#guesses") };
  const sure = text === before || (text in needed && !needed[/** @type {keyof needed} */ (text)]);
  const question = sure ? "" : TWICE[text] ?? "";
  before = text;
  return question;
}

/** A move in lower case, with spaces or with the name of its piece, as the page lists it. Any other text stays as it is, except the words of a
 * button that forces a turn back. @param {string} text */
function written(text) {
  if (/^force ?back$/i.test(text) && find("button[value=retract]")) return "retract";
  /** @param {string} words */
  const plain = (words) => words.toLowerCase().replace(/[-+#=x\s]/g, "");
  const letter = (/** @type {string} */ name) => (name === "pawn" ? "" : Object.keys(LETTERS).find((each) => LETTERS[each] === name) ?? "");
  const key = plain(text.toLowerCase().replace(/^(king|queen|rook|bishop|knight|pawn) (?:to |takes )?/, (_, name) => letter(name)));
  const found = choices().filter(({ kind, action, label }) => kind === "move" && [action, label].map(plain).includes(key));
  const [first, ...others] = found;
  if (!first || others.some(({ action }) => action !== first.action) || found.some(({ action, label }) => [action, label].includes(text))) return text;
  return plain(first.action) === key ? first.action : first.label;
}

// Before the other scripts send the text.
document.addEventListener("submit", (event) => {
  const form = event.target;
  const field = find("#action");
  if (!(form instanceof HTMLFormElement) || form.id !== "typed" || !(field instanceof HTMLInputElement)) return;
  const text = field.value.trim().toLowerCase();
  const unknown = text ? "There is no such command. For a list, send help." : "Type a command. For a list, send help.";
  const words = local() ? reply(text) || (text && answer(text)) || unknown : ask(text) || (text ? reply(text) : sendable());
  if (!words) {
    field.value = written(field.value.trim());
    return;
  }
  event.preventDefault();
  event.stopImmediatePropagation();
  say(words);
  field.value = "";
  field.removeAttribute("aria-invalid");
  field.removeAttribute("aria-describedby");
}, true);

// @ts-check
/**
 * The board of a game's page, for the hand. The server draws the page and says what may be done; this module lets the same
 * table be dragged, tapped, typed at and walked over with the arrow keys, and puts the server's newer drawings in its place.
 * It must not know a rule of any game, and nothing it does may be needed: without it the page is a page of forms.
 */

/** One thing that may be done now. @typedef {{action: string, label: string, from?: string, to?: string}} Choice */
/** A field that somebody types in. @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Field */

const FIELDS = "input:not([type=hidden]), select, textarea";
const FOCUSABLE = `a, button, summary, [tabindex], ${FIELDS}`;
/** Milliseconds between attempts to follow the game again, after its stream was refused. */
const PATIENCE = 3000;
/** Pixels that a pointer must travel before a press becomes a drag. */
const SLACK = 5;

const live = document.getElementById("live");
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** What may be done now. @type {Choice[]} */
let choices = [];
/** The squares of the board by name. @type {Map<string, HTMLElement>} */
let squares = new Map();
/** What is in hand: a square, or the beginning of a drop's text, as `N@`. */
let picked = "";
/** A move to make when one's next turn comes, and when it was chosen. @type {{from: string, to: string, ply: number} | null} */
let premove = null;
/** The square that the tab key reaches. */
let stop = "";
/** Circles and arrows: `e4`, `e2e4`. @type {Set<string>} */
let shapes = new Set();
/** The page's changing part as it came from the server. */
let source = "";
/** A newer one that waits until the hand is free. @type {HTMLElement | null} */
let waiting = null;
/** Whether a word is on its way to the server. */
let busy = false;
/** Whether a page is on its way from the server. */
let loading = false;
/** Which answer is waited for: one to an earlier question is never shown. */
let question = 0;
/** What the fields of a form held when it was sent. @type {WeakMap<Field, string>} */
const sent = new WeakMap();
/** Whether somebody is writing a character that takes several keys. */
let composing = false;
/** The pointer that is pressed. @type {{id: number, key: string, x: number, y: number, ghost: HTMLElement | null} | null} */
let held = null;
/** Where a drawn arrow begins. */
let tail = "";
/** @type {EventSource | null} */
let stream = null;
let retry = 0;
/** @type {AudioContext | null} */
let sound = null;

/** @returns {HTMLElement} */
const game = () => /** @type {HTMLElement} */ (document.getElementById("game"));
/** @param {string} selector @returns {HTMLElement | null} */
const find = (selector) => game().querySelector(selector);
/** @param {string} selector @param {ParentNode} [root] @returns {HTMLElement[]} */
const all = (selector, root = game()) => /** @type {HTMLElement[]} */ (Array.from(root.querySelectorAll(selector)));
/** @param {EventTarget | null} target @param {string} selector @returns {HTMLElement | null} */
const near = (target, selector) => (target instanceof Element ? target.closest(selector) : null);
/** The address at which this game is acted in. */
const address = () => `/games/${game().dataset.id}`;
/** Whether the page shows the game as it stands. */
const current = () => location.pathname === address();

/** Says something to whoever listens. @param {string} words */
function say(words) {
  if (live) live.textContent = words;
}

/* ---- What stands where ---- */

/** What stands on a square, as `white knight`, or nothing. @param {HTMLElement} cell */
function unit(cell) {
  const words = (cell.dataset.said ?? "").split(", ")[1] ?? "";
  return /^(white|black) /.test(words) ? words : "";
}

/** @param {HTMLElement} cell @returns {SVGElement | null} */
const drawing = (cell) => cell.querySelector("svg.piece");

/** The square of an element. @param {EventTarget | null} target */
const square = (target) => near(target, "#game .board td[data-square]")?.dataset.square ?? "";

/** What has to be in hand for a choice: a square, or what is said of a piece that comes from elsewhere. @param {Choice} choice */
const start = (choice) => choice.from ?? (choice.to ? choice.action.replace(choice.to, "").trim() : "");

/** The different things that can be done by going from one place to another. @param {string} from @param {string} to */
function ways(from, to) {
  const found = choices.filter((choice) => choice.to === to && start(choice) === from);
  return found.filter((choice, index) => found.findIndex((other) => other.action === choice.action) === index);
}

/** The form that holds what is put together from parts; the choices are added to it. */
const draft = () => /** @type {HTMLFormElement | null} */ (find("#board[data-draft]"));

/** Whether one's own units may be moved in advance: it is a game of turns, and the turn is not ours. */
function ahead() {
  const { side, over } = game().dataset;
  return !choices.some((choice) => choice.to) && !over && current() && !!side && !draft();
}

/** Whether something can be taken in hand here. @param {string} key */
function movable(key) {
  if (choices.some((choice) => choice.to && start(choice) === key)) return true;
  const cell = squares.get(key);
  return !!cell && ahead() && unit(cell).startsWith(`${game().dataset.side} `);
}

/* ---- The table, made ready ---- */

/** Gives every square a button and the board one tab stop. */
function upgrade() {
  source = game().outerHTML;
  choices = JSON.parse(document.getElementById("choices")?.textContent || "[]");
  squares = new Map();
  const board = find(".board");
  if (board) {
    board.setAttribute("role", "grid");
    for (const cell of all("td[data-square]", board)) {
      const name = cell.dataset.square ?? "";
      let button = cell.querySelector("button");
      if (!button) {
        button = document.createElement("button");
        button.append(...Array.from(cell.childNodes));
        cell.append(button);
      }
      let hush = button.querySelector(".hush");
      if (!hush) {
        hush = document.createElement("span");
        hush.className = "hush";
        hush.textContent = name;
        button.append(hush);
      }
      button.type = "button";
      cell.dataset.said = (hush.textContent ?? "").replace(/(, selected|, can be (reached|captured)|: ).*$/, "");
      squares.set(name, cell);
    }
    if (!squares.has(stop)) stop = board.querySelector("td.last-to")?.getAttribute("data-square") ?? [...squares.keys()].find(movable) ?? [...squares.keys()][0] ?? "";
  }
  // The steps of choosing that a page without script needs.
  document.getElementById("choose")?.remove();
  if (current()) tools();
  paint();
}

/** Shows what is in hand, where it may go, and what will be done in advance. */
function paint() {
  if (picked && !movable(picked)) picked = "";
  const targets = new Set(picked ? choices.filter((choice) => start(choice) === picked).map((choice) => choice.to) : []);
  for (const [name, cell] of squares) {
    const hit = targets.has(name);
    const taken = !!unit(cell);
    const advance = !!premove && (premove.from === name || premove.to === name);
    cell.classList.toggle("selected", name === picked);
    cell.classList.toggle("target", hit && !taken);
    cell.classList.toggle("capture", hit && taken);
    cell.classList.toggle("premove", advance);
    cell.classList.toggle("movable", movable(name));
    const words = [cell.dataset.said, name === picked && "selected", hit && (taken ? "can be captured" : "can be reached"), advance && "premove"];
    const hush = cell.querySelector(".hush");
    if (hush) hush.textContent = words.filter(Boolean).join(", ");
    const button = cell.querySelector("button");
    if (button) button.tabIndex = name === stop ? 0 : -1;
  }
  for (const drop of all("#board .actions button[name=from]")) {
    drop.setAttribute("aria-pressed", String(drop.getAttribute("value") === picked));
  }
  draw();
}

/** The switches that only a page with script has. */
function tools() {
  const place = all("p.actions").at(-1);
  if (!place || place.querySelector("[data-tool]")) return;
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.tool = "sound";
  button.setAttribute("aria-pressed", String(!!sound));
  button.textContent = "Sound";
  place.append(button);
}

/* ---- Taking, going, dropping ---- */

/** @param {string} key */
function pick(key) {
  picked = key === picked ? "" : key;
  paint();
  if (!picked) return;
  const targets = [...new Set(choices.filter((choice) => start(choice) === picked).map((choice) => choice.to))];
  say(targets.length ? `${picked} can go to ${targets.join(", ")}` : `${picked}: choose where it shall go when it is your turn`);
}

/** Goes from what is in hand to a square, if that can be done. @param {string} from @param {string} to */
function go(from, to) {
  const found = ways(from, to);
  if (found.length > 1) choose(found);
  else if (found[0]) play(found[0]);
  else if (ahead() && squares.has(from) && from !== to) {
    premove = { from, to, ply: Number(game().dataset.ply) };
    picked = "";
    paint();
    say(`${from} ${to} will be played in advance; Escape takes it back`);
  } else return false;
  return true;
}

/** A square is pressed. @param {string} name */
function press(name) {
  if (premove) {
    premove = null;
    paint();
  }
  if (picked && (picked !== name || ways(name, name).length) && go(picked, name)) return;
  if (movable(name)) pick(name);
  else if (picked) pick(picked);
}

/** Asks which of several things is meant, over the board. @param {Choice[]} found */
function choose(found) {
  const board = find("#board");
  if (!board) return;
  const panel = document.createElement("div");
  panel.className = "choose";
  panel.id = "choose";
  panel.setAttribute("role", "dialog");
  panel.setAttribute("aria-label", "Choose how");
  for (const choice of found) {
    const button = document.createElement("button");
    button.type = "button";
    const piece = /[nbrq]$/.exec(choice.action);
    const like = piece && found.every((other) => /[nbrq]$/.test(other.action)) ? find(`.board svg use[href*="-${{ n: "knight", b: "bishop", r: "rook", q: "queen" }[piece[0]]}"]`) ?? find(".board svg use") : null;
    const color = unit(squares.get(choice.from ?? "") ?? board).split(" ")[0];
    if (like && piece && color) {
      const name = { n: "knight", b: "bishop", r: "rook", q: "queen" }[piece[0]] ?? "";
      const picture = /** @type {Element} */ (like.closest("svg")?.cloneNode(true));
      picture.querySelector("use")?.setAttribute("href", (like.getAttribute("href") ?? "").replace(/#.*/, `#${color}-${name}`));
      button.append(picture);
    }
    button.append(choice.label);
    button.addEventListener("click", () => {
      panel.remove();
      play(choice);
    });
    panel.append(button);
  }
  stop = found[0]?.from ?? stop;
  document.getElementById("choose")?.remove();
  board.append(panel);
  panel.querySelector("button")?.focus();
  say(`Choose: ${found.map((choice) => choice.label).join(", ")}`);
}

/** Lets go of everything that has been begun. @returns {boolean} whether there was anything */
function release() {
  const panel = document.getElementById("choose");
  const anything = !!(panel || picked || premove || held?.ghost);
  panel?.remove();
  drop(null);
  picked = "";
  premove = null;
  paint();
  if (panel) focusSquare(stop);
  return anything;
}

/** Does one of the things that may be done, and shows it at once. @param {Choice} choice */
function play(choice) {
  if (busy) return paint();
  if (draft()) {
    picked = "";
    return add(choice.action);
  }
  const from = squares.get(choice.from ?? "");
  const to = squares.get(choice.to ?? "");
  picked = "";
  paint();
  if (from && to && from !== to) {
    const moved = drawing(from);
    const button = to.querySelector("button");
    if (moved && button) {
      const before = places();
      drawing(to)?.remove();
      button.prepend(moved);
      to.dataset.said = `${choice.to}, ${unit(from)}`;
      from.dataset.said = choice.from ?? "";
      if (!held?.ghost) slide(before);
    }
  }
  if (choice.to && document.activeElement?.closest(".board, #choose, body")) stop = choice.to;
  send(said(choice.action), null);
}

/** Adds a part to what is put together, and shows where that leads. @param {string} part */
function add(part) {
  const form = draft();
  if (!form) return;
  const parts = all("[name=draft]");
  const places = fields(form).filter((field) => field.name === "draft");
  const place = places.find((field) => !field.value.trim());
  if (place) place.value = part;
  else {
    const more = /** @type {HTMLInputElement} */ (parts[0]?.cloneNode());
    more.value = part;
    parts.at(-1)?.after(more);
  }
  // A part that is half written is nothing yet.
  gather(form, contents(form, null, "add"), places);
}

/** What a form sends when a button is pressed. @param {HTMLFormElement} form @param {HTMLElement | null} button @param {string} [but] a name to leave out */
function contents(form, button, but) {
  const found = new URLSearchParams();
  new FormData(form, button).forEach((value, name) => typeof value === "string" && name !== but && found.append(name, value));
  return found;
}

/** Shows where what is put together leads. @param {HTMLFormElement} form @param {URLSearchParams} query @param {Field[]} told the fields whose contents are sent */
function gather(form, query, told) {
  for (const field of told) sent.set(field, field.value);
  visit(`${address()}?${query}`, true, form);
}

/* ---- Words to the server ---- */

/** An action with what the forms of the page say beside it. @param {string} action */
function said(action) {
  const fields = new URLSearchParams({ ply: game().dataset.ply ?? "", action });
  const query = new URLSearchParams(location.search);
  const seat = game().dataset.seat ?? query.get("seat");
  if (seat) fields.set("seat", seat);
  if (query.get("flip")) fields.set("flip", "1");
  return fields;
}

/** Sends a form of the page. @param {URLSearchParams} body @param {HTMLFormElement | null} form */
async function send(body, form) {
  if (busy) return;
  busy = true;
  question += 1;
  const here = location.href;
  try {
    await arrive(await fetch(address(), { method: "POST", body }), form, here);
  } catch {
    const field = form && fields(form).find((each) => each.id === "action");
    if (field && !field.value) field.value = body.get("action") ?? "";
    notify("That was not sent, for there is no connection. Try again.");
    restore();
  } finally {
    busy = loading = false;
    catchUp();
  }
}

/** Shows another page of this game without leaving this one, unless something else is asked for meanwhile. What is said to the
 * server goes before.
 * @param {string} to @param {boolean} keep @param {HTMLFormElement | null} [form] whose fields it tells anew @param {boolean} [asked] by the hand */
async function visit(to, keep, form = null, asked = true) {
  if (busy) return;
  const mine = (question += 1);
  loading = true;
  try {
    const answer = await fetch(to);
    const text = await answer.text();
    if (mine !== question) return;
    loading = false;
    if (keep) history.pushState(null, "", answer.url);
    show(text, form, asked);
  } catch {
    if (mine === question && asked) location.assign(to);
  } finally {
    if (mine === question) {
      loading = false;
      catchUp();
    }
  }
}

/** An answer has come. @param {Response} answer @param {HTMLFormElement | null} form @param {string} here where it was asked for */
async function arrive(answer, form, here) {
  const text = await answer.text();
  if (answer.redirected && new URL(answer.url).pathname !== location.pathname) return location.assign(answer.url);
  // The page and its address are one, wherever one has tried to go meanwhile.
  history.replaceState(null, "", answer.redirected ? answer.url : here);
  show(text, form);
}

/** Shows the page of an answer. @param {string} text @param {HTMLFormElement | null} form @param {boolean} [asked] whether it was asked for by the hand */
function show(text, form, asked = true) {
  const page = new DOMParser().parseFromString(text, "text/html");
  const fresh = page.getElementById("game");
  if (!fresh) {
    notify(page.querySelector("main")?.textContent?.replace(/\s+/g, " ").trim() || "The server did not understand that.");
    return restore();
  }
  if (fresh.dataset.id === game().dataset.id) {
    swap(fresh, form, asked);
    document.title = page.title;
  }
  if (!current()) stream?.close();
  else if (stream?.url !== events() || stream.readyState === EventSource.CLOSED) follow();
}

/** Puts the page back as the server drew it last. */
function restore() {
  const fresh = new DOMParser().parseFromString(source, "text/html").getElementById("game");
  if (fresh) swap(fresh, null, true);
}

/** Shows or hides a line over the foot of the page. @param {string} words */
function notify(words) {
  let line = document.getElementById("connection");
  if (!line) {
    line = document.createElement("p");
    line.id = "connection";
    line.className = "notice";
    line.setAttribute("role", "status");
    document.getElementById("main")?.append(line);
  }
  line.textContent = words;
  line.hidden = !words;
}

/* ---- Newer drawings from the server ---- */

/** What an element is, the same before and after a change; of fields that are alike, which. @param {Element} element */
function mark(element) {
  const parts = [element.tagName, element.id, element.getAttribute("name")];
  if (element.matches(FIELDS)) parts.push(String(fields(element.closest("form, #game") ?? game()).filter((field) => field.name === element.getAttribute("name")).findIndex((field) => field === element)), element.closest("form")?.textContent?.slice(0, 40) ?? "");
  else parts.push(element.getAttribute("value"), element.getAttribute("href"), element.textContent);
  return parts.join("|");
}

/** Whether somebody has changed a field. @param {Field} field */
function touched(field) {
  if (field instanceof HTMLSelectElement) return Array.from(field.options).some((option) => option.selected !== option.defaultSelected);
  if (field instanceof HTMLInputElement && /checkbox|radio/.test(field.type)) return field.checked !== field.defaultChecked;
  return field.value !== field.defaultValue;
}

/** The fields in an element; those of a form, wherever they stand. @param {ParentNode} root @returns {Field[]} */
const fields = (root) => /** @type {Field[]} */ (Array.from(root instanceof HTMLFormElement ? root.elements : root.querySelectorAll(FIELDS)).filter((field) => field.matches(FIELDS)));

/** Puts a newer drawing in the place of the older one; what is being typed, opened and looked at stays.
 * @param {HTMLElement} fresh @param {HTMLFormElement | null} form the form that was sent @param {boolean} asked whether this is an answer */
function swap(fresh, form, asked) {
  const old = game();
  const version = Number(fresh.dataset.version);
  if (!asked && version <= Number(old.dataset.version)) return;
  if (!asked && (composing || busy || loading || held?.ghost)) {
    waiting = fresh;
    return;
  }
  if (!asked && drafting() && fresh.dataset.ply !== old.dataset.ply) history.replaceState(null, "", address() + aspect());
  const step = fresh.dataset.ply !== old.dataset.ply;
  const before = places();
  const focus = old.contains(document.activeElement) ? document.activeElement : null;
  const there = square(focus);
  const focused = focus && mark(focus);
  const range = focus instanceof HTMLInputElement && focus.type === "text" ? [focus.selectionStart, focus.selectionEnd] : null;
  const typed = new Map(fields(old).filter((field) => touched(field) && (field.form !== form || field.value !== sent.get(field))).map((field) => [mark(field), field]));
  const open = new Set(all("details[open] > summary", old).map(mark));
  const scrolled = old.querySelector(".side > .moves")?.scrollTop;

  old.replaceWith(fresh);
  document.getElementById("connection")?.setAttribute("hidden", "");
  if (step) shapes = new Set();
  upgrade();

  for (const field of fields(fresh)) {
    const was = typed.get(mark(field));
    if (!was) continue;
    field.value = was.value;
    if (field instanceof HTMLInputElement && was instanceof HTMLInputElement) field.checked = was.checked;
  }
  for (const summary of all("details > summary", fresh)) {
    if (open.has(mark(summary))) summary.parentElement?.setAttribute("open", "");
  }
  reveal(step ? undefined : scrolled);
  if (focused && !(there && focusSquare(stop))) {
    const again = Array.from(fresh.querySelectorAll(FOCUSABLE)).find((element) => mark(element) === focused);
    if (again instanceof HTMLElement) again.focus({ preventScroll: true });
    else focusSquare(stop);
    if (range && again instanceof HTMLInputElement) again.setSelectionRange(range[0] ?? null, range[1] ?? null);
  }

  const headline = fresh.querySelector("h1")?.textContent?.trim() ?? "";
  if (!asked) document.title = document.title.replace(/^.*? · /, `${headline} · `);
  if (step) {
    slide(before);
    chime(choices.length ? 660 : 440);
    say([last(), headline, fresh.querySelector("td.check") && "Check"].filter(Boolean).join(". "));
  } else if (fresh.querySelector("[role=alert]") === null && headline) say(headline);
  tick();
  // A turn that has come back is not the one that was thought of.
  if (premove && (Number(fresh.dataset.ply) < premove.ply || (fresh.querySelector("[data-again]") && choices.length))) {
    premove = null;
    paint();
    say(`${headline}. The move in advance is taken back.`);
  }
  if (premove && choices.some((choice) => choice.to) && !draft()) {
    const { from, to } = premove;
    const found = ways(from, to);
    const best = found.find((choice) => choice.action.endsWith("q")) ?? found[0];
    premove = null;
    if (best) play(best);
    else {
      paint();
      say(`${from} ${to} cannot be played now. ${headline}`);
    }
  }
}

/** Scrolls the score sheet to the move that the board shows, or to where it was. @param {number} [top] */
function reveal(top) {
  const moves = find(".side > .moves");
  if (!moves) return;
  const here = moves.querySelector("[aria-current]") ?? moves.querySelector("tbody tr:last-child");
  moves.scrollTop = top ?? (here ? here.getBoundingClientRect().bottom - moves.getBoundingClientRect().top - moves.clientHeight / 2 + moves.scrollTop : 0);
}

/** Puts in place what has waited for the hand. */
function catchUp() {
  const fresh = waiting;
  waiting = null;
  if (fresh) hear(fresh);
}

/** A newer drawing has come by itself. What is put together belongs to its step of the game, and the stream does not know it.
 * @param {HTMLElement} fresh */
function hear(fresh) {
  const { ply, version } = game().dataset;
  const idle = !(composing || busy || loading || held?.ghost);
  if (idle && drafting() && fresh.dataset.ply === ply && Number(fresh.dataset.version) > Number(version)) visit(location.href, false, null, false);
  else swap(fresh, null, false);
}

/** Whether the address says what is being put together. */
const drafting = () => new URLSearchParams(location.search).has("draft");

/** Where each unit is drawn. @returns {Map<string, {unit: string, box: DOMRect}>} */
function places() {
  const found = new Map();
  for (const [name, cell] of squares) {
    const piece = drawing(cell);
    if (piece && unit(cell)) found.set(name, { unit: unit(cell), box: piece.getBoundingClientRect() });
  }
  return found;
}

/** Lets units glide from where they were. @param {Map<string, {unit: string, box: DOMRect}>} before */
function slide(before) {
  if (still.matches) return;
  const gone = [...before].filter(([name, was]) => unit(squares.get(name) ?? document.body) !== was.unit);
  for (const [name, cell] of squares) {
    const piece = drawing(cell);
    const here = unit(cell);
    if (!piece || !here || before.get(name)?.unit === here) continue;
    const index = gone.findIndex(([, was]) => was.unit === here);
    if (index < 0) continue;
    const [[, { box }]] = /** @type {[[string, {unit: string, box: DOMRect}]]} */ (gone.splice(index, 1));
    const now = piece.getBoundingClientRect();
    piece.animate([{ transform: `translate(${box.x - now.x}px, ${box.y - now.y}px)` }, { transform: "none" }], { duration: 160, easing: "ease-out" });
  }
}

/** With whose eyes and from which side the page is looked at: the query that says so. */
function aspect() {
  const here = new URLSearchParams(location.search);
  const query = new URLSearchParams();
  for (const name of ["seat", "flip"]) if (here.get(name)) query.set(name, here.get(name) ?? "");
  return String(query) && `?${query}`;
}

/** @returns {string} where the events of this page come from */
const events = () => `${location.origin}${address()}/events${aspect()}`;

/** Follows the game. */
function follow() {
  stream?.close();
  clearTimeout(retry);
  // What waits was drawn for other eyes, perhaps.
  waiting = null;
  const mine = new EventSource(events());
  stream = mine;
  mine.addEventListener("open", () => notify(""));
  mine.addEventListener("game", (event) => {
    const fresh = new DOMParser().parseFromString(event.data, "text/html").getElementById("game");
    if (fresh && mine === stream) hear(fresh);
  });
  mine.addEventListener("error", () => {
    if (mine !== stream) return;
    notify("Reconnecting…");
    // A stream that was refused is not tried again by the browser itself.
    if (mine.readyState === EventSource.CLOSED) retry = setTimeout(follow, PATIENCE);
  });
}

/* ---- The pointer ---- */

/** @param {number} x @param {number} y */
const under = (x, y) => square(document.elementFromPoint(x, y));

/** Lets the dragged unit go: onto a square, or back. @param {string | null} name */
function drop(name) {
  const was = held;
  if (!was?.ghost) {
    held = null;
    return;
  }
  was.ghost.remove();
  squares.get(was.key)?.classList.remove("lifted");
  const gone = name !== null && name !== was.key && go(was.key, name);
  held = null;
  if (!gone) {
    picked = "";
    paint();
  }
  catchUp();
}

document.addEventListener("pointerdown", (event) => {
  const panel = document.getElementById("choose");
  if (panel && !near(event.target, "#choose")) release();
  const name = square(event.target);
  if (event.button === 2 && name) {
    tail = name;
    return;
  }
  if (event.button !== 0 || held) return;
  if (shapes.size && name) {
    shapes.clear();
    draw();
  }
  const hand = near(event.target, "#board .actions button[name=from]")?.getAttribute("value");
  const key = name || hand || "";
  if (key && movable(key)) held = { id: event.pointerId, key, x: event.clientX, y: event.clientY, ghost: null };
  else if (picked && !near(event.target, "#board")) release();
});

document.addEventListener("pointermove", (event) => {
  if (!held || event.pointerId !== held.id) return;
  if (!held.ghost) {
    if (Math.hypot(event.clientX - held.x, event.clientY - held.y) < SLACK) return;
    const cell = squares.get(held.key);
    const piece = cell && drawing(cell);
    const ghost = document.createElement("div");
    ghost.className = "ghost";
    const size = [...squares.values()][0]?.getBoundingClientRect().width ?? 48;
    ghost.style.width = ghost.style.height = `${size}px`;
    const shown = piece ?? all("#board button[name=from]").find((button) => button.getAttribute("value") === held?.key)?.querySelector("svg");
    if (shown) ghost.append(shown.cloneNode(true));
    else ghost.textContent = held.key;
    document.body.append(ghost);
    held.ghost = ghost;
    cell?.classList.add("lifted");
    premove = null;
    picked = held.key;
    paint();
  }
  held.ghost.style.transform = `translate(${event.clientX}px, ${event.clientY}px) translate(-50%, -50%)`;
  const over = under(event.clientX, event.clientY);
  for (const [name, cell] of squares) cell.classList.toggle("over", name === over && name !== held.key);
});

document.addEventListener("pointerup", (event) => {
  if (event.button === 2 && tail) {
    const head = under(event.clientX, event.clientY);
    const shape = head === tail ? tail : tail + head;
    if (head && !shapes.delete(shape)) shapes.add(shape);
    tail = "";
    return draw();
  }
  if (!held || event.pointerId !== held.id) return;
  if (held.ghost) {
    // The click that follows a drag presses nothing.
    document.addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => document.removeEventListener("click", swallow, { capture: true }), 0);
    for (const cell of squares.values()) cell.classList.remove("over");
  }
  drop(under(event.clientX, event.clientY));
});

document.addEventListener("pointercancel", (event) => {
  if (held && event.pointerId === held.id) drop(null);
});

/** @param {Event} event */
function swallow(event) {
  event.preventDefault();
  event.stopPropagation();
}

document.addEventListener("contextmenu", (event) => {
  if (square(event.target)) event.preventDefault();
});

/** Draws the circles and arrows. */
function draw() {
  const board = find("#board");
  if (!board) return;
  board.querySelector("svg.marks")?.remove();
  if (!shapes.size) return;
  const space = "http://www.w3.org/2000/svg";
  const frame = board.getBoundingClientRect();
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("class", "marks");
  svg.setAttribute("aria-hidden", "true");
  /** @param {string} name */
  const middle = (name) => {
    const box = squares.get(name)?.getBoundingClientRect() ?? frame;
    return { x: box.x + box.width / 2 - frame.x, y: box.y + box.height / 2 - frame.y, size: box.width };
  };
  for (const shape of shapes) {
    const from = middle(shape.slice(0, 2));
    const path = document.createElementNS(space, "path");
    if (shape.length === 2) {
      const r = from.size * 0.44;
      path.setAttribute("d", `M${from.x - r} ${from.y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`);
    } else {
      const to = middle(shape.slice(2));
      const length = Math.hypot(to.x - from.x, to.y - from.y);
      const [x, y] = [(to.x - from.x) / length, (to.y - from.y) / length];
      const h = from.size * 0.28;
      path.setAttribute("d", `M${from.x} ${from.y}L${to.x} ${to.y}M${to.x - h * (x + y)} ${to.y - h * (y - x)}L${to.x} ${to.y}L${to.x - h * (x - y)} ${to.y - h * (y + x)}`);
    }
    svg.append(path);
  }
  board.append(svg);
}

/* ---- Presses, keys and forms ---- */

/** @param {string} name @returns {boolean} whether the board has the square */
function focusSquare(name) {
  const cell = squares.get(name);
  if (!cell) return false;
  stop = name;
  for (const [other, each] of squares) {
    const button = each.querySelector("button");
    if (button) button.tabIndex = other === name ? 0 : -1;
  }
  cell.querySelector("button")?.focus({ preventScroll: true });
  return true;
}

document.addEventListener("click", (event) => {
  const name = square(event.target);
  if (name) {
    event.preventDefault();
    focusSquare(name);
    return press(name);
  }
  const hand = near(event.target, "#game button[name=from]");
  if (hand && movable(hand.getAttribute("value") ?? "")) {
    event.preventDefault();
    find("#board")?.scrollIntoView({ block: "nearest" });
    return pick(hand.getAttribute("value") ?? "");
  }
  const tool = near(event.target, "#game [data-tool=sound]");
  if (tool) {
    if (sound) {
      sound.close();
      sound = null;
    } else sound = new AudioContext();
    tool.setAttribute("aria-pressed", String(!!sound));
    return chime(660);
  }
  const link = near(event.target, "#game a[href^='/games/']");
  if (link instanceof HTMLAnchorElement && !busy && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)) {
    const { pathname } = new URL(link.href);
    if (pathname === address() || pathname.startsWith(`${address()}/ply/`)) {
      event.preventDefault();
      visit(link.href, true);
    }
  }
});

/** How many columns and rows each key goes. @type {Record<string, [number, number]>} */
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1], Home: [-8, 0], End: [8, 0], PageUp: [0, -8], PageDown: [0, 8] };

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && release()) return event.preventDefault();
  const step = STEPS[event.key];
  if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
  const cell = near(event.target, "#game .board td[data-square]");
  if (cell) {
    event.preventDefault();
    const rows = all(".board tbody tr").map((row) => all("td[data-square]", row));
    const y = rows.findIndex((row) => row.includes(cell));
    const x = rows[y]?.indexOf(cell) ?? 0;
    const row = rows[Math.min(Math.max(y + step[1], 0), rows.length - 1)] ?? [];
    focusSquare(row[Math.min(Math.max(x + step[0], 0), row.length - 1)]?.dataset.square ?? "");
  } else if (step[1] === 0 && !near(event.target, `${FIELDS}, #game [tabindex]`)) {
    const link = find(step[0] < 0 ? "a[rel=prev]" : "a[rel=next]");
    if (link) {
      event.preventDefault();
      link.click();
    }
  }
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !game().contains(form)) return;
  if ((event.submitter?.getAttribute("formmethod") ?? form.getAttribute("method")) !== "post") {
    if (form !== draft()) return;
    event.preventDefault();
    if (busy) return;
    return gather(form, contents(form, event.submitter), fields(form));
  }
  // A field named action hides the form’s own property.
  if (new URL(form.getAttribute("action") ?? "", location.href).pathname !== address()) return;
  event.preventDefault();
  const body = contents(form, event.submitter);
  if (form.id === "typed") {
    const typed = (body.get("action") ?? "").trim();
    const answer = command(typed.toLowerCase());
    if (answer) {
      say(answer);
      form.reset();
      return;
    }
  }
  if (busy) return;
  for (const field of fields(form)) {
    // What is typed while the answer is on its way is the beginning of something else.
    if (field.id === "action") field.value = "";
    sent.set(field, field.value);
  }
  send(body, form);
});

document.addEventListener("compositionstart", () => (composing = true));
document.addEventListener("compositionend", () => {
  composing = false;
  catchUp();
});

/* ---- The board aloud ---- */

/** The last line of the score sheet. */
const last = () => (all(".side > .moves td[aria-current]").at(-1) ?? (current() ? all(".side > .moves td:has(a)").at(-1) : null))?.textContent?.replace(/\s+/g, " ").trim() ?? "";

/** What a word in the field of typed moves asks to be read; nothing if it is no such word. @param {string} text */
function command(text) {
  const cells = [...squares];
  /** @param {string} head @param {[string, HTMLElement][]} found */
  const list = (head, found) => {
    const units = found.filter(([, cell]) => unit(cell)).map(([name, cell]) => `${name} ${unit(cell)}`);
    return `${head}: ${units.join(", ") || "empty"}.`;
  };
  const line = /^(?:rank|file) ?([a-h1-8])$/.exec(text)?.[1];
  if (line) return list(/\d/.test(line) ? `Rank ${line}` : `File ${line}`, cells.filter(([name]) => name.includes(line)));
  const kind = /^(?:all )?((?:white |black )?[a-z ]+?)s?$/.exec(text)?.[1] ?? "";
  const kinds = cells.filter(([, cell]) => kind && (unit(cell) === kind || unit(cell).replace(/^\w+ /, "") === kind));
  if (kinds.length) return list(text, kinds);
  const seats = all(".seat");
  /** @param {string} part */
  const each = (part) => seats.map((seat) => `${seat.querySelector(".name")?.textContent}: ${seat.querySelector(part)?.textContent ?? "none"}`).join("; ");
  if (/^last( move)?$/.test(text)) return last() || "Nothing has been played yet.";
  if (/^clocks?$/.test(text)) return `Clocks. ${each(".clock")}.`;
  if (/^purses?$/.test(text)) return `Purses. ${each(".purse")}.`;
  if (/^(help|\?)$/.test(text)) return "Write a move, or: rank 4, file e, knights, last, clocks, purses.";
  return "";
}

/** A short tone, if sound is wanted. @param {number} pitch in hertz */
function chime(pitch) {
  if (!sound) return;
  const tone = sound.createOscillator();
  const volume = sound.createGain();
  tone.frequency.value = pitch;
  volume.gain.setValueAtTime(0.15, sound.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, sound.currentTime + 0.15);
  tone.connect(volume).connect(sound.destination);
  tone.start();
  tone.stop(sound.currentTime + 0.15);
}

/** Shows the time that is left on the clocks that run. The server decides when it is over. */
function tick() {
  for (const clock of all(".clock[data-deadline]")) {
    const face = clock.lastChild;
    if (!face || !clock.dataset.deadline) continue;
    // The two machines' clocks need not agree: what was left when the page was drawn counts from now on.
    clock.dataset.end ??= String(clock.dataset.left ? Date.now() + Number(clock.dataset.left) : clock.dataset.deadline);
    const left = Math.max(0, Math.floor((Number(clock.dataset.end) - Date.now()) / 1000));
    const [days, hours, minutes, seconds] = [Math.floor(left / 86400), Math.floor(left / 3600), Math.floor(left / 60) % 60, String(left % 60).padStart(2, "0")];
    const text = days ? `${days} d ${hours % 24} h` : hours ? `${hours}:${String(minutes).padStart(2, "0")}:${seconds}` : `${minutes}:${seconds}`;
    if (face.textContent !== text) face.textContent = text;
    if (clock.dataset.low) clock.classList.toggle("low", left * 1000 < Number(clock.dataset.low));
  }
}

addEventListener("resize", draw);
addEventListener("popstate", () => visit(location.href, false));
addEventListener("pagehide", () => stream?.close());
addEventListener("pageshow", (event) => {
  if (event.persisted && current()) follow();
});

if (document.getElementById("game")) {
  // What was pressed before there was a script.
  picked = new URLSearchParams(location.search).get("from") ?? "";
  upgrade();
  reveal();
  tick();
  setInterval(tick, 250);
  if (current()) follow();
}

export {};

// @ts-check
/** Live stream of the server's updates of the game. */

import { changed, restart, whole } from "./changes.js";
import { EYES, address, aspect, current, drafting, ending, game, page, sketching } from "./dom.js";
import { connection } from "./notices.js";
import { afterwards, forget, swap, whenIdle } from "./page.js";
import { visit } from "./server.js";
import { idle } from "./state.js";
import { told } from "./talk.js";

/** Milliseconds between attempts to reconnect after the stream was refused. */
const PATIENCE = 3000;

/** Milliseconds without an event after which the stream is dead. The server sends one at least every 15 seconds. */
const SILENCE = 20_000;

/** @type {EventSource | null} */
let stream = null;
let retry = 0;
/** Time of the last event. */
let heard = 0;

/** Timer that asks for the page when a claim against the absent opponent becomes possible. */
let claim = 0;

/** Shows the current claim against the absent opponent. @param {{claim: number | null, wait: number | null}} company */
function claiming({ claim: at, wait }) {
  clearTimeout(claim);
  const ask = () => void visit(location.href, false, null, false);
  if (wait) claim = setTimeout(ask, wait + 100);
  if (String(at ?? "") !== (document.getElementById("claim")?.dataset.claim ?? "")) ask();
}

/** @returns {string} address of this page's event stream */
const events = () => `${location.origin}${address()}/events${aspect(EYES)}`;

/** Opens the stream. */
function follow() {
  stream?.close();
  clearTimeout(retry);
  forget();
  const mine = new EventSource(events());
  stream = mine;
  heard = Date.now();
  for (const event of ["open", "game", "change", "audience", "alive"]) mine.addEventListener(event, () => (heard = Date.now()));
  mine.addEventListener("open", () => connection(""));
  restart();
  mine.addEventListener("game", (event) => mine === stream && arrived(whole(event.data)));
  mine.addEventListener("change", (event) => {
    if (mine !== stream) return;
    const text = changed(event.data);
    if (text === null) follow();
    else arrived(text);
  });
  mine.addEventListener("audience", (event) => {
    if (mine !== stream) return;
    const company = JSON.parse(event.data);
    told(company);
    claiming(company);
  });
  mine.addEventListener("error", () => {
    if (mine !== stream) return;
    connection("Reconnecting…");
    // The browser does not retry a refused stream by itself.
    if (mine.readyState === EventSource.CLOSED) retry = setTimeout(follow, PATIENCE);
  });
}

/** Takes an update as text. @param {string} text */
function arrived(text) {
  const fresh = page(text).getElementById("game");
  if (fresh) hear(fresh);
}

/** Takes an update from the stream. The stream does not know a turn being built, so the page is then requested again.
 * @param {HTMLElement} fresh */
function hear(fresh) {
  const { ply, version } = game().dataset;
  if (idle() && (sketching() || ending() || (drafting() && fresh.dataset.ply === ply)) && Number(fresh.dataset.version) > Number(version)) visit(location.href, false, null, false);
  else swap(fresh, null, false);
}

/** Follows the game if the page shows its current position. */
export function keepUp() {
  if (!current()) stream?.close();
  else if (stream?.url !== events() || stream.readyState === EventSource.CLOSED) follow();
}

/** Reconnects if the stream is silent although the browser does not consider it lost, as after a change of network or a sleep. */
function check() {
  if (!stream || stream.readyState === EventSource.CLOSED || Date.now() - heard < SILENCE) return;
  connection("Reconnecting…");
  follow();
}

setInterval(check, 1000);
addEventListener("online", () => stream && current() && follow());
document.addEventListener("visibilitychange", check);
whenIdle(hear);
afterwards(keepUp);
addEventListener("pagehide", () => stream?.close());
addEventListener("pageshow", (event) => {
  if (event.persisted && current()) follow();
});

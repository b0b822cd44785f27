// @ts-check
/** To be told of one's turns when no page is open: a switch that belongs to this browser. */

import { find, near } from "./dom.js";

const SWITCH = "[data-tool=bell]";

/** The subscription that this browser has, if it has one. @returns {Promise<PushSubscription | null | undefined>} */
const subscription = async () => (await navigator.serviceWorker.getRegistration("/"))?.pushManager.getSubscription();

/** How the switch stands, once that is known; and what was said about it. */
let [rings, said] = [false, ""];

/** Shows how the switch stands. @param {boolean} on @param {string} [words] */
function show(on, words = "") {
  [rings, said] = [on, words];
  hang();
}

/** The switch, whose place is kept for browsers that can. */
export function hang() {
  const button = find(SWITCH);
  if (!button || !("serviceWorker" in navigator) || !("PushManager" in window)) return;
  button.classList.remove("unready");
  button.setAttribute("aria-pressed", String(rings));
  const words = find("[data-bell]");
  if (words && words.textContent !== said) words.textContent = said;
}

/** Finds out how it stands. */
export async function look() {
  if (find(SWITCH) && "serviceWorker" in navigator) show(!!(await subscription()));
}

/** Tells the server. @param {string} path @param {Record<string, string>} fields */
async function tell(path, fields) {
  const answer = await fetch(path, { method: "POST", body: new URLSearchParams(fields) });
  if (!answer.ok) throw new Error(`The server refused it (${answer.status}).`);
}

async function begin() {
  if ((await Notification.requestPermission()) !== "granted") return show(false, "This browser does not let the site tell you.");
  const worker = await navigator.serviceWorker.register("/told.js", { scope: "/" });
  await navigator.serviceWorker.ready;
  const key = await (await fetch("/key/push")).text();
  const made = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { p256dh, auth } = made.toJSON().keys ?? {};
  await tell("/key/notices", { way: "push", url: made.endpoint, p256dh, auth });
  show(true, "This browser tells you, even when no page is open.");
}

/** @param {PushSubscription} made */
async function end(made) {
  await made.unsubscribe();
  await tell("/key/push/end", { url: made.endpoint });
  show(false);
}

addEventListener("click", async (event) => {
  if (!near(event.target, SWITCH)) return;
  try {
    const made = await subscription();
    await (made ? end(made) : begin());
  } catch (error) {
    show(false, `It did not work: ${error instanceof Error ? error.message : error}`);
  }
});

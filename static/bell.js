// @ts-check
/** Switch for turn notifications in this browser, which work without an open page. */

import { find, near } from "./dom.js";

const SWITCH = "[data-tool=bell]";

/** This browser's push subscription, if any. @returns {Promise<PushSubscription | null | undefined>} */
const subscription = async () => (await navigator.serviceWorker.getRegistration("/"))?.pushManager.getSubscription();

/** State of the switch, once known, and the message next to it. */
let [rings, said] = [false, ""];

/** Shows the state of the switch. @param {boolean} on @param {string} [words] */
function show(on, words = "") {
  [rings, said] = [on, words];
  hang();
}

/** Shows the switch in browsers that support push messages. The page reserves its space. */
export function hang() {
  const button = find(SWITCH);
  if (!button || !("serviceWorker" in navigator) || !("PushManager" in window)) return;
  button.classList.remove("unready");
  button.setAttribute("aria-pressed", String(rings));
  const words = find("[data-bell]");
  if (words && words.textContent !== said) words.textContent = said;
}

/** Looks up whether this browser has a subscription. */
export async function look() {
  if (find(SWITCH) && "serviceWorker" in navigator) show(!!(await subscription()));
}

/** Posts to the server. @param {string} path @param {Record<string, string>} fields */
async function tell(path, fields) {
  const answer = await fetch(path, { method: "POST", body: new URLSearchParams(fields) });
  if (!answer.ok) throw new Error(`The server answered with status ${answer.status}.`);
}

async function begin() {
  if ((await Notification.requestPermission()) !== "granted") return show(false, "This browser blocks notifications from this site.");
  const worker = await navigator.serviceWorker.register("/told.js", { scope: "/" });
  await navigator.serviceWorker.ready;
  const key = await (await fetch("/key/push")).text();
  const made = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { p256dh, auth } = made.toJSON().keys ?? {};
  await tell("/key/notices", { way: "push", url: made.endpoint, p256dh, auth });
  show(true, "This browser will notify you, even when no page is open.");
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
    show(false, `Notifications could not be changed: ${error instanceof Error ? error.message : error}`);
  }
});

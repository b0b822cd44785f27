// @ts-check
/** Service worker: shows turn notifications, and opens the game when one is clicked. */

/** @type {any} */
const worker = self;

/** Windows of this site. @returns {Promise<any[]>} */
const windows = () => worker.clients.matchAll({ type: "window", includeUncontrolled: true });

/** Whether a window shows a game. @param {any} one @param {string} url */
const shows = (one, url) => new URL(one.url).pathname.startsWith(url);

worker.addEventListener("install", () => worker.skipWaiting());

worker.addEventListener("push", (/** @type {any} */ event) => {
  const { title, body, url, tag } = event.data.json();
  const tell = async () => {
    const looking = (await windows()).some((one) => one.visibilityState === "visible" && shows(one, url));
    if (!looking) await worker.registration.showNotification(title, { body, tag, renotify: true, icon: "/icons/icon-192.png", data: url });
  };
  event.waitUntil(tell());
});

worker.addEventListener("notificationclick", (/** @type {any} */ event) => {
  event.notification.close();
  const url = event.notification.data;
  const go = async () => {
    const open = (await windows()).find((one) => shows(one, url));
    await (open ? open.focus() : worker.clients.openWindow(url));
  };
  event.waitUntil(go());
});

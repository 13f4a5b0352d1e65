// Service worker: without a connection, show an offline page with a link to a cached copy of the last table. Show push
// notifications too.
//
// It intercepts only pages and styles, not streams, choices or pictures. The cache holds one table and is deleted when
// anyone signs in or out.

const SHELL = `shell ${new URL(location).searchParams.get("of")}`; // each version has its own cache
const LAST = "last table";
const OFFLINE = "/offline";
const SIGN_OUT = /^\/me\/(sign-out(-everywhere)?|delete)$/;

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(SHELL).then((shell) => shell.add(OFFLINE)));
  self.skipWaiting();
});

self.addEventListener("activate", (event) => {
  event.waitUntil(deleteOldCaches().then(() => self.clients.claim()));
});

async function deleteOldCaches() {
  for (const name of await caches.keys()) if (name.startsWith("shell ") && name !== SHELL) await caches.delete(name);
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin) return;
  if (request.method === "POST" && SIGN_OUT.test(pathname)) event.waitUntil(stopPush());
  if (request.method === "POST" && /^\/(me|sign-in)(\/|$)/.test(pathname)) event.waitUntil(caches.delete(LAST));
  if (request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(page(request, pathname));
  else if (request.destination === "style") event.respondWith(style(request));
});

/** Fetch a page and cache tables. Without a connection, return the cached table or the offline page. */
async function page(request, pathname) {
  try {
    const answer = await fetch(request);
    if (answer.ok && /^\/table\/[^/]+(\/text)?$/.test(pathname)) await remember(request, answer.clone());
    return answer;
  } catch {
    const last = await caches.open(LAST);
    return (await last.match(request)) ?? (await offline(last));
  }
}

async function remember(request, answer) {
  const last = await caches.open(LAST);
  for (const kept of await last.keys()) if (!kept.url.endsWith(".css") && kept.url !== request.url) await last.delete(kept);
  await last.put(request, answer);
}

/** Fetch styles that the server revalidates, such as a game's own, and cache them. */
async function style(request) {
  try {
    const answer = await fetch(request);
    if (answer.ok) await (await caches.open(LAST)).put(request, answer.clone());
    return answer;
  } catch {
    return (await caches.match(request)) ?? Response.error();
  }
}

async function offline(last) {
  const table = (await last.keys()).find(({ url }) => !url.endsWith(".css"));
  const shown = await (await caches.match(OFFLINE)).text();
  const link = table ? `<p><a class="button" href="${new URL(table.url).pathname}">Show the last table you opened</a></p>` : "";
  return new Response(shown.replace("<!-- last -->", link), { status: 503, headers: { "Content-Type": "text/html; charset=utf-8" } });
}

/** End this browser's push subscription, since another person may use it next. The push service reports it as gone. */
async function stopPush() {
  const subscription = await self.registration.pushManager?.getSubscription();
  await subscription?.unsubscribe();
}

self.addEventListener("push", (event) => {
  const { title, text, path } = event.data.json();
  const options = { body: text, tag: path, data: { path }, icon: new URL("icon-192.png", appFolder()).href };
  event.waitUntil(self.registration.showNotification(title, options));
});

self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renewPush(event.oldSubscription)));

/** Subscribe again after the push service has ended a subscription, and tell the server. */
async function renewPush(old) {
  if (!old) return;
  const found = await self.registration.pushManager.subscribe(old.options);
  const body = JSON.stringify({ endpoint: found.endpoint, keys: found.toJSON().keys });
  await fetch("/me/push", { method: "POST", headers: { "Content-Type": "application/json" }, body });
}

/** Return the folder of the app's icons, which the address of this script names. */
function appFolder() {
  return new URL(`${new URL(location).searchParams.get("of") || "/"}app/`, location.origin);
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(show(new URL(event.notification.data.path, location.origin)));
});

/** Show a page of this site: in the window that has it, or a new one. */
async function show(address) {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const shown = pages.find(({ url }) => new URL(url).pathname === address.pathname);
  return shown ? shown.focus() : self.clients.openWindow(address);
}

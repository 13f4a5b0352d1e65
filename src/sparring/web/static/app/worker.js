// Where there is no connection: a page that says so, and the table that was looked at last, as it was then.
//
// It stands between pages and the net only where a page or a style is loaded; streams, choices and pictures never come
// here. What is kept of a table lies in this browser alone, one table at a time, and goes when somebody signs in or out.

const SHELL = `shell ${new URL(location).searchParams.get("of")}`; // another version has another one
const LAST = "last table";
const OFFLINE = "/offline";

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(SHELL).then((shell) => shell.add(OFFLINE)));
  self.skipWaiting();
});

self.addEventListener("activate", (event) => {
  event.waitUntil(forgetOthers().then(() => self.clients.claim()));
});

async function forgetOthers() {
  for (const name of await caches.keys()) if (name.startsWith("shell ") && name !== SHELL) await caches.delete(name);
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin) return;
  if (request.method === "POST" && /^\/(me|sign-in)(\/|$)/.test(pathname)) event.waitUntil(caches.delete(LAST));
  if (request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(page(request, pathname));
  else if (request.destination === "style") event.respondWith(style(request));
});

/** A page from the net; a table is remembered. Without a net the table if it is the one, or else a page that says so. */
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

/** Styles that a server checks anew each time, such as a game's own. */
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
  const link = table ? `<p><a class="button" href="${new URL(table.url).pathname}">The table you looked at last</a></p>` : "";
  return new Response(shown.replace("<!-- last -->", link), { status: 503, headers: { "Content-Type": "text/html; charset=utf-8" } });
}

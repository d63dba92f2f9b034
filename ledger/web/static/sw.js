// Network first: a page that cannot be had is shown as it was last seen, so that what waits to be recorded stays in
// sight. Nothing is answered from here while the server answers, or to whoever wants to know what it answers now
// ("no-store"); nothing but pages and their parts is kept.

const CACHE = "pages";
const MOST = 60;
const KEPT = /^\/(n\/|static\/|$)/;
const SECRET = /\/links(\/|$)/; // the links let whoever has them in

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

async function keep(request, response) {
  const cache = await caches.open(CACHE);
  await cache.delete(request, { ignoreVary: true });
  await cache.put(request, response);
  const known = await cache.keys();
  for (const oldest of known.slice(0, Math.max(0, known.length - MOST))) await cache.delete(oldest);
}

async function answer(event, url) {
  // By its address alone: the same page is asked for by a person, and by itself.
  const known = new Request(url.origin + url.pathname + url.search);
  try {
    const response = await fetch(event.request);
    if (response.ok && !response.redirected) event.waitUntil(keep(known, response.clone()).catch(() => {}));
    return response;
  } catch (error) {
    if (event.request.cache === "no-store") throw error;
    const last = await caches.match(known, { ignoreVary: true });
    if (last) return last;
    // One that was never seen: its table says what waits, and that there is no network.
    const table = url.origin + /^\/(n\/[^/]+)?/.exec(url.pathname)[0];
    const elsewhere = event.request.mode === "navigate" && table !== known.url;
    if (elsewhere && (await caches.match(table, { ignoreVary: true }))) return Response.redirect(table);
    throw error;
  }
}

addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  const ours = url.origin === location.origin && KEPT.test(url.pathname) && !SECRET.test(url.pathname);
  if (event.request.method === "GET" && ours) event.respondWith(answer(event, url));
});

// Network first: a page that cannot be had is shown as it was last seen, so that what waits to be recorded stays in
// sight. Nothing is answered from here while the server answers, or to whoever wants to know what it answers now
// ("no-store"); nothing but pages and their parts is kept. Tables and the parts of the newest versions stay; of all
// other pages of a night the newest do.

const CACHE = "pages";
const PAGES_OF_A_NIGHT = 40;
const VERSIONS = 2;
const KEPT = /^\/(n\/|static\/|$)/;
const SECRET = /\/links(\/|$)/; // the links let whoever has them in
const NIGHT = /^\/n\/[^/]+/;

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

// A page is kept by its path: whatever was asked of it last.
const keyOf = (url) => new Request(url.origin + url.pathname);
const pathOf = (request) => new URL(request.url).pathname;

async function keep(key, response) {
  const cache = await caches.open(CACHE);
  await cache.delete(key, { ignoreVary: true });
  await cache.put(key, response);
  for (const old of outlived(await cache.keys(), pathOf(key))) await cache.delete(old);
}

// What has to go for a page or part that has just come, the oldest first.
function outlived(known, path) {
  if (path.startsWith("/static/")) {
    const versionOf = (request) => pathOf(request).split("/")[2];
    const parts = known.filter((request) => pathOf(request).startsWith("/static/"));
    const newest = [...new Set(parts.map(versionOf).reverse())].slice(0, VERSIONS);
    return parts.filter((request) => !newest.includes(versionOf(request)));
  }
  const night = NIGHT.exec(path)?.[0];
  const pages = night ? known.filter((request) => pathOf(request).startsWith(`${night}/`)) : [];
  return pages.slice(0, Math.max(0, pages.length - PAGES_OF_A_NIGHT));
}

async function answer(event, url) {
  const key = keyOf(url);
  try {
    const response = await fetch(event.request);
    if (response.ok && !response.redirected) event.waitUntil(keep(key, response.clone()).catch(() => {}));
    return response;
  } catch (error) {
    if (event.request.cache === "no-store") throw error;
    const last = await caches.match(key, { ignoreVary: true });
    if (last) return last;
    // One that was never seen: its table says what waits, and that there is no network.
    const table = url.origin + (NIGHT.exec(url.pathname)?.[0] ?? "/");
    const elsewhere = event.request.mode === "navigate" && table !== key.url;
    if (elsewhere && (await caches.match(table, { ignoreVary: true }))) return Response.redirect(table);
    throw error;
  }
}

addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  const ours = url.origin === location.origin && KEPT.test(url.pathname) && !SECRET.test(url.pathname);
  if (event.request.method === "GET" && ours) event.respondWith(answer(event, url));
});

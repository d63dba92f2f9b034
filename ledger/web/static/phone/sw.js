// Service worker, network first: without a network, pages come from the cache, so that waiting entries stay visible.
// While the server answers, and for requests with "no-store", the cache is not used. Only pages and static files are
// cached. Tables and the static files of the newest versions stay; of a night's other pages only the newest do.

const CACHE = "pages";
const PAGES_OF_A_NIGHT = 40;
const VERSIONS = 2;
const KEPT = /^\/(n\/|static\/|$)/;
const UNKEPT = /\/(links(\/|$)|heard$)/; // pages with links, and answers to what was said, are never cached
const NIGHT = /^\/n\/[^/]+/;

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

/** Pages are cached by path, without the query: the last one fetched. @param {URL} url */
const keyOf = (url) => new Request(url.origin + url.pathname);
/** @param {Request} request */
const pathOf = (request) => new URL(request.url).pathname;

/** @param {Request} key @param {Response} response */
async function keep(key, response) {
  const cache = await caches.open(CACHE);
  await cache.delete(key, { ignoreVary: true });
  await cache.put(key, response);
  for (const old of outlived(await cache.keys(), pathOf(key))) await cache.delete(old);
}

// The cached requests to delete for a new page or static file, the oldest first.
/** @param {readonly Request[]} known @param {string} path */
function outlived(known, path) {
  if (path.startsWith("/static/")) {
    /** @param {Request} request */
    const versionOf = (request) => pathOf(request).split("/")[2];
    const parts = known.filter((request) => pathOf(request).startsWith("/static/"));
    const newest = [...new Set(parts.map(versionOf).reverse())].slice(0, VERSIONS);
    return parts.filter((request) => !newest.includes(versionOf(request)));
  }
  const night = NIGHT.exec(path)?.[0];
  const pages = night ? known.filter((request) => pathOf(request).startsWith(`${night}/`)) : [];
  return pages.slice(0, Math.max(0, pages.length - PAGES_OF_A_NIGHT));
}

/** @param {FetchEvent} event @param {URL} url */
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
    // For a page that is not cached, show the night's table, which lists waiting entries and says that it is offline.
    const table = url.origin + (NIGHT.exec(url.pathname)?.[0] ?? "/");
    const elsewhere = event.request.mode === "navigate" && table !== key.url;
    if (elsewhere && (await caches.match(table, { ignoreVary: true }))) return Response.redirect(table);
    throw error;
  }
}

addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  const ours = url.origin === location.origin && KEPT.test(url.pathname) && !UNKEPT.test(url.pathname);
  if (event.request.method === "GET" && ours) event.respondWith(answer(event, url));
});

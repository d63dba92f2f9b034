// Live pages: the server's event stream announces new entries, and the page is renewed. Without a free stream the board
// is polled instead.

import { the } from "./facts.js";
import { mayCome, renew } from "./page.js";
import { tell } from "./times.js";

const ASK_EVERY = 2000;
const PAUSE = 500;
const SILENT = 3000; // longer than a stream that ends by itself needs to reopen
const foot = the(".proof");
const seq = () => Number(foot.dataset.seq);
const old = document.querySelector("[data-old]");

/** @type {EventSource | null} */
let stream = null;
let fresh = false;
/** @type {Timer | undefined} */
let asking;
/** @type {string | null} */
let tag = null;
let wanted = 0;
/** @type {Promise<unknown> | null} */
let renewing = null;
/** @type {Timer | undefined} */
let silent;
let answered = false; // whether the server has, since this page was opened

// The server does not answer: show how old the page is, which may be a cached copy.
async function lost() {
  silent ??= setTimeout(() => old && (old.hidden = false), SILENT);
  const copy = answered ? null : globalThis.caches?.match(location.pathname, { ignoreVary: true });
  const kept = await copy?.catch(() => null);
  const time = old?.querySelector("time");
  if (!time || time.dateTime) return;
  time.dateTime = new Date(kept?.headers.get("Date") ?? Date.now()).toISOString();
  tell();
}

function found() {
  answered = true;
  clearTimeout(silent);
  silent = undefined;
  old?.querySelector("time")?.removeAttribute("datetime");
  if (old) old.hidden = true;
}

/** @param {number} upto */
function hear(upto) {
  if (mayCome()) follow(upto);
}

// Renew the page until it shows an entry; one request at a time, retried without an answer.
/** @param {number} upto */
function follow(upto) {
  wanted = Math.max(wanted, upto);
  renewing ??= goOn()
    .catch(() => setTimeout(follow, PAUSE, wanted))
    .finally(() => (renewing = null));
}

document.addEventListener("recorded", ({ detail }) => follow(detail));

async function goOn() {
  while (seq() < wanted) {
    const before = seq();
    const shown = await renew();
    if (seq() > before) continue;
    wanted = 0; // the log has become shorter: heads.js warns about that
    if (shown) document.dispatchEvent(new CustomEvent("setback", { detail: 0 }));
  }
}

async function ask() {
  const headers = tag ? new Headers({ "If-None-Match": tag }) : undefined;
  const response = await fetch(foot.dataset.board, { headers, cache: "no-store" }).catch((error) => {
    lost();
    throw error;
  });
  found();
  if (response.status === 304) return;
  if (response.status >= 500 || response.status === 429) throw new Error(String(response.status));
  if (!response.ok) return renew(); // this phone may have lost access: the page says so
  const { hash } = await response.json();
  if (tag || hash !== foot.dataset.hash) await renew();
  tag = response.headers.get("ETag"); // set only once the page is as new: else the next poll would be answered with 304
}

function open() {
  close();
  const source = (stream = new EventSource(`${foot.dataset.board}/live?after=${seq()}`));
  source.addEventListener("open", () => {
    fresh = true;
    found();
  });
  source.addEventListener("message", ({ lastEventId }) => {
    const upto = Number(lastEventId);
    // A stream begins with the log's head. If this page shows a later entry, an old backup was restored.
    if (fresh && upto < seq()) renew();
    else hear(upto);
    fresh = false;
  });
  source.addEventListener("error", () => {
    // The browser reconnects by itself unless the server refused the stream.
    if (source.readyState === EventSource.CLOSED) asking ??= setInterval(() => ask().catch(() => {}), ASK_EVERY);
    else lost();
  });
}

function close() {
  stream?.close();
  clearInterval(asking);
  stream = null;
  asking = undefined;
}

// A hidden page closes its stream; when it is visible again, it first catches up.
async function catchUp() {
  if (document.visibilityState === "hidden") return close();
  await ask().catch(() => {});
  open();
}

addEventListener("visibilitychange", catchUp);
addEventListener("pageshow", (event) => event.persisted && catchUp());
addEventListener("pagehide", close);
open();

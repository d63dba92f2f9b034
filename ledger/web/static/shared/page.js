// Renew the page in place from the server's HTML. Fields that were chosen or typed, opened details, the focus and the
// pointer's target are kept.

import { ask } from "./asking.js";
import { the } from "./facts.js";
import { remember, remembered } from "./remembered.js";

const PARTS = ["main", ".bar nav", ".proof"];

/** Not `node.id`: in a form with a field named `id` that would be the field. @param {ChildNode} node */
const idOf = (node) => (node instanceof Element ? node.getAttribute("id") : null);

// Attributes that scripts and browsers set: whether details are open, and which elements the Tab key stops at.
const OWN = ["open", "tabindex"];

// Change an element to be like another, touching only what differs.
/** @param {ChildNode} old @param {ChildNode} fresh */
function morph(old, fresh) {
  if (old.nodeName !== fresh.nodeName) return old.replaceWith(fresh);
  if (!(old instanceof Element) || !(fresh instanceof Element)) {
    if (old.nodeValue !== fresh.nodeValue) old.nodeValue = fresh.nodeValue;
    return;
  }
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && !OWN.includes(name)) old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  if (old instanceof HTMLInputElement && /checkbox|radio/.test(old.type)) old.checked = fresh.hasAttribute("checked");
  // Elements with an id are matched by it, even if they have moved; others by their position.
  const [mine, theirs] = [[...old.childNodes], [...fresh.childNodes]];
  theirs.forEach((child, place) => {
    const id = idOf(child);
    const same = id && mine.find((one) => idOf(one) === id);
    const there = old.childNodes[place] ?? null;
    if (same && same !== there) old.insertBefore(same, there);
    if (same) morph(same, child);
    else if (there?.nodeName === child.nodeName && !idOf(there) && !id) morph(there, child);
    else old.insertBefore(child, there);
  });
  while (old.childNodes.length > theirs.length) old.lastChild?.remove();
}

let written = document.cloneNode(true);

/** The element that has the focus. */
export const focused = () => /** @type {Part | null} */ (document.activeElement);

// Restore the server's last HTML, without what scripts have drawn since. The focus stays, or moves on.
export function restore() {
  const held = focused();
  for (const part of PARTS) morph(the(part), the(part, written).cloneNode(true));
  document.dispatchEvent(new Event("renewed"));
  if (held !== document.body && [held, document.body].includes(focused())) focusOn(held);
}

// Give an element the focus; if it is gone, hidden or disabled, a key next to it, else the main button.
/** @param {Part | null} one */
export function focusOn(one) {
  const able = one?.isConnected && !one.disabled && one.getClientRects().length;
  const next = one?.closest(".grid")?.querySelector("[tabindex='0']") ?? document.querySelector("main button.main");
  const place = able ? one : next;
  if (place !== focused()) place?.focus({ preventScroll: true });
}

// While the browser is leaving for another page, do not renew: that could cancel the navigation.
const LEAVING = 5000;
let leaving = 0;
addEventListener("beforeunload", () => (leaving = performance.now() + LEAVING));
export const isLeaving = () => performance.now() < leaving;

// Whether the page may be renewed now; scripts can prevent it by cancelling the event `news`.
export const mayCome = () => document.dispatchEvent(new CustomEvent("news", { cancelable: true }));

// Fetch the current page and show it. Throws if the server does not answer or the page is being left. If the answer is
// another page or an error, the browser goes there. Returns false if nothing is shown, since that is prevented by now.
/** @param {boolean} [must] whether the page is to be shown even if that loses what is typed */
export async function renew(must = false) {
  const response = await ask(location.href, { headers: { Accept: "text/html" }, cache: "no-store" });
  if (response.status >= 500 || response.status === 429) throw new Error(String(response.status));
  const text = await response.text();
  if (isLeaving()) throw new Error("leaving");
  if (!mayCome()) return false;
  if (!response.ok || response.redirected) return location.replace(response.url);
  const fresh = read(text);
  if (versionOf(fresh) !== VERSION) return outgrown(must);
  show(fresh);
  return true;
}

// The version of the program that a page is of: the address of its style has a digest of all scripts and styles.
/** @param {Document} page */
const versionOf = (page) => the("link[rel=stylesheet]", page).getAttribute("href");
const VERSION = versionOf(document);

// The server has another version of the program, whose pages these scripts do not know: load the page, unless that
// would lose what a person has typed or chosen; then say so.
/** @param {boolean} must */
function outgrown(must) {
  const fields = [...document.querySelectorAll("input, textarea")];
  const begun = fields.some((one) => one.value !== one.defaultValue || (one.name === "cards" && one.checked));
  const line = document.querySelector("[data-newer]");
  if (must || (!begun && !document.querySelector("dialog[open]"))) {
    leaving = performance.now() + LEAVING;
    location.reload();
  } else if (line) line.hidden = false;
  return false;
}

// Send a form as without scripts, and show the answer: a page with the errors and everything that was typed. Throws
// without an answer; returns false if the answer is not a page of a night.
/** @param {string} action @param {[string, string][]} fields */
export async function post(action, fields) {
  const body = new URLSearchParams(fields);
  const response = await ask(action, { method: "POST", headers: { Accept: "text/html" }, body });
  if (response.status >= 500 || response.status === 429) throw new Error(String(response.status));
  const fresh = read(await response.text());
  if (response.redirected) return location.assign(response.url);
  if (!fresh.querySelector(".proof")) return false;
  history.replaceState(null, "", action);
  show(fresh);
}

/** @param {string} text */
const read = (text) => new DOMParser().parseFromString(text, "text/html");

/** @param {Document} fresh */
function show(fresh) {
  if (fresh.body.className !== written.body.className) return location.reload();
  document.dispatchEvent(new Event("renewing"));
  written = fresh;
  document.title = fresh.title;
  restore();
}

// Whoever leaves by the keyboard, on a button or a key, goes on at the heading of the next page, or at the seats.
const BY_KEYBOARD = "by keyboard";
let by = "";
document.addEventListener("focusin", ({ target }) => {
  by = target.matches(":is(button, [type=checkbox], [type=radio]):focus-visible") ? "yes" : "";
});
addEventListener("pointerdown", () => (by = ""), true);
addEventListener("pagehide", () => remember(BY_KEYBOARD, by));
if (remembered(BY_KEYBOARD)) {
  const place = document.querySelector("main :is(h1:not(.unseen), .seat :checked, .seat input)");
  if (place?.matches("h1")) place.tabIndex = -1;
  place?.focus({ preventScroll: true });
}

// The service worker shows cached pages without a network; browsers register it only on secure pages.
navigator.serviceWorker?.register("/sw.js").catch(() => {});

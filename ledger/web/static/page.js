// The page anew, in place: also when it follows by itself, what it shows is what the server writes. Whatever a person
// has chosen, typed, opened or pointed at stays as it is.

import { ask } from "./asking.js";

const PARTS = ["main", ".bar nav", ".proof"];

// Not `node.id`: of a form with a field of that name, that is the field.
/** @param {any} node @returns {string} */
const idOf = (node) => node?.getAttribute?.("id");

// Make one part like another, changing no more than differs.
/** @param {any} old @param {any} fresh */
function morph(old, fresh) {
  if (old.nodeName !== fresh.nodeName) return old.replaceWith(fresh);
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return;
  }
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && name !== "open") old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  if (old.type === "checkbox" || old.type === "radio") old.checked = fresh.hasAttribute("checked");
  // What has an id stays the one that it is, wherever it has moved; anything else is known by its place.
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
  while (old.childNodes.length > theirs.length) old.lastChild.remove();
}

/** @type {Document} */
let written = document.cloneNode(true);

// The page as the server wrote it last, without what was drawn into it since. What had the focus keeps it; where that
// is gone or cannot be pressed any more, the main button has it, and never the page as a whole.
export function restore() {
  const held = /** @type {Part} */ (document.activeElement);
  for (const part of PARTS) morph(document.querySelector(part), written.querySelector(part).cloneNode(true));
  document.dispatchEvent(new Event("renewed"));
  const within = held && held !== document.body;
  const lost = within && (!held.isConnected || held.disabled);
  if (lost) document.querySelector("main button.main")?.focus({ preventScroll: true });
}

// While the browser is on its way to another page, this one is left as it is: coming anew could call that off.
let leaving = 0;
addEventListener("beforeunload", () => (leaving = performance.now() + 5000));

// A page that is about to say by itself how far to come may ask to be left alone.
export const mayCome = () => document.dispatchEvent(new CustomEvent("news", { cancelable: true }));

// Ask the server for the page as it is now. Throws where it does not answer, or the page is being left; a page that is
// there no more, or has become another one, is gone to. One that asks to be left alone meanwhile stays as it is.
export async function renew() {
  const response = await ask(location.href, { headers: { Accept: "text/html" }, cache: "no-store" });
  if (response.status >= 500 || response.status === 429) throw new Error(String(response.status));
  const text = await response.text();
  if (performance.now() < leaving) throw new Error("leaving");
  if (!mayCome()) return;
  if (!response.ok || response.redirected) return location.replace(response.url);
  show(read(text));
}

// Send a form as it is sent without scripts, and show what is answered to it: a page that says what is wrong, with
// everything that was typed. Throws where there is no answer; answers false where what is answered is no page of a
// night.
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
  written = fresh;
  document.title = fresh.title;
  restore();
}

// A reload without network shows the page as it was last seen; only where a browser takes the page for secure.
navigator.serviceWorker?.register("/sw.js").catch(() => {});

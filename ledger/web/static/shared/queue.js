// The queue of entries that the page does not show yet: the state of `state.js`, stored by `storage.js`, and sent to
// the server unchanged until it answers. An entry's id makes sending idempotent. All tabs of a phone share the queue,
// and one of them sends it.
//
// The events between the scripts of a page, all on `document`; page.d.ts has the types of their details. Two may be
// prevented: `news`, so that the page is not renewed now; `refused`, by the script that deals with the entry itself.
//
// event     sent by, when                     detail              heard by
// queue     queue, waits: it has changed      null, or what the   pending: status; record, waits: draw, go on;
//                                             answer recorded     settle: asks again
// recorded  queue, record, lost: an entry     its number          live: renews the page until it shows the entry
//           may be missing on the page
// news      page: before it is renewed        null                may be prevented by record (entries wait), result (an
//                                                                 answer is due), settle (cards are tapped)
// renewing  page: it will be shown next        null                meant: where the rows have been until then
// renewed   page: the server's page is shown  null                pending: forgets what it shows; record, waits, heads,
//                                                                 heard, times and others: draw, look, speak
// refused   pending: the server refuses the   halt, waiting       may be prevented by record (one move becomes the
//           first entry that waits                                draft), waits (one form is shown again)
// past      queue: an entry leaves it, since  the entry           lost: keeps it for a week
//           the page shows it
// setback   heads, live: the log does not go  the number up to    lost: sends again what the server has lost
//           on from what this phone saw       which it was read

import { ask } from "./asking.js";
import { the } from "./facts.js";
import * as state from "./state.js";
import { storage } from "./storage.js";

const foot = the(".proof");
const night = foot.dataset.night;
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 15_000;



// The storage of the queue, so that it survives a reload.
const kept = storage(night, () => changed());

// Entries in localStorage are known at once; those only in IndexedDB once it is `ready`.
let now = state.opened(foot.dataset.after, state.readable(kept.notes())[0]);
/** @type {Stored[]} */
let unreadable = [];

/** @param {Details["queue"]} detail */
const changed = (detail = null) => document.dispatchEvent(new CustomEvent("queue", { detail }));

export const queue = {
  get entries() { return now.entries; },
  get draft() { return now.draft; },
  get newest() { return state.newest(now); },
  get halt() { return now.halt; },
  get offline() { return now.offline; },
  get why() { return now.why; },
  get kept() { return kept.isKept(); },
  get isReady() { return isReady; },
  get unreadable() { return unreadable; },
  waiting: () => state.waiting(now),
  /** @param {Pick<Draft, "cards" | "seat">} draft */
  choose(draft) { now = state.chosen(now, draft); },
  record, say, send, decide, forget, setAside, sendAgain,
};

/** @type {Set<string>} */
const dropped = new Set(); // ids of dropped entries, in any tab
/** @type {Set<string>} */
const past = new Set(); // ids of entries that this page has shown, and that are no longer queued

// Read the stored entries. Changes made here meanwhile win. Entries that were dropped or shown here are removed:
// another tab may have stored them late, or been killed before it could remove them. Those that wait here and are not
// stored, since the browser has deleted this site's data, are stored again.
async function read() {
  const before = now.entries;
  const [stored, isAll] = await kept.all();
  const [entries, others] = state.readable(stored);
  unreadable = others;
  const changed = now.entries.filter((entry) => !before.includes(entry)).map(({ id }) => id);
  const gone = [...dropped, ...past];
  now = shown(state.shared(now, entries.filter(({ id }) => !changed.includes(id)), gone));
  for (const { id } of entries) if (gone.includes(id)) kept.remove(id);
  const known = [...entries.map(({ id }) => id), ...kept.gone()];
  const evicted = state.waiting(now).filter((one) => isAll && before.includes(one) && !known.includes(one.id));
  await Promise.all(evicted.map(kept.keep));
}

// Remove the entries that the page shows from a state and from storage. `named` are ids that the page lists.
// The page may list those that the server has lost: only an answer removes them.
/** @type {string[]} */
let named = [];
const returned = new Set(); // ids of entries that are sent again
/** @param {State} one */
function shown(one) {
  const { after, seq } = foot.dataset;
  const ids = named.filter((id) => !returned.has(id));
  const next = state.renewed(one, { after, seq: Number(seq), ids }, performance.now());
  for (const entry of one.entries) {
    if (next.entries.includes(entry)) continue;
    past.add(entry.id);
    kept.remove(entry.id);
    document.dispatchEvent(new CustomEvent("past", { detail: entry }));
  }
  return next;
}

// The stored entries are read once before anything is sent.
let isReady = false;
export const ready = read().then(() => {
  isReady = true;
  changed();
});

// A random UUID; `crypto.randomUUID` is missing on pages that are not secure.
export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, "0"));
  return digits.map((two, place) => ([4, 6, 8, 10].includes(place) ? "-" : "") + two).join("");
}

// Queue the entries tapped on the table, each {content, told}, with the time; the chosen cards and seat are cleared.
/** @param {(Omit<Said, "id"> & { id?: string })[]} contents @param {number} [tapped] */
function record(contents, tapped) {
  return add(state.recorded, contents.map((one) => ({ id: newId(), ...one })), tapped);
}

/** Queue the entry of a form; what is chosen on the table stays. @param {Content} content @param {Told} told */
function say(content, told) {
  return add(state.said, { id: newId(), content, told });
}

/** @template What @param {(before: State, what: What, moment: Moment) => State} transition @param {What} what */
async function add(transition, what, tapped = performance.now()) {
  const before = new Set(now.entries);
  now = transition(now, what, { now: tapped, at: new Date().toISOString() });
  const keeping = now.entries.filter((entry) => !before.has(entry)).map(kept.keep);
  changed();
  tell();
  await Promise.all(keeping);
  tell();
  await send();
}

// Tell this phone's other tabs that the queue has changed, and what was dropped.
const channel = new BroadcastChannel(`tienlen tabs ${night}`);
/** @param {string[]} again ids of entries that are sent again */
const tell = (again = []) =>
  channel.postMessage({ told: now.entries.map(({ id, seq }) => ({ id, seq })), dropped: [...dropped], again });

channel.addEventListener("message", async ({ data: { told, dropped: ids, again } }) => {
  for (const id of ids) dropped.add(id);
  comeBack(again);
  now = state.heard(now, told);
  await read();
  changed();
  follow();
});

// If another tab got the last answer, renew this page, which did not renew while entries waited.
function follow() {
  const seqs = now.entries.map(({ seq }) => seq ?? 0);
  if (!seqs.length || queue.waiting().length) return;
  document.dispatchEvent(new CustomEvent("recorded", { detail: Math.max(...seqs) }));
}

/** @type {Promise<void> | null} */
let sending = null;
let pause = FIRST_PAUSE;
/** @type {Timer | undefined} */
let timer;

// Send the waiting entries one by one, until there is no answer, or one that a person must see.
function send() {
  clearTimeout(timer);
  sending ??= alone(sendAll).finally(() => (sending = null));
  return sending;
}

// Lock, so that only one tab sends. Pages that are not secure have no locks: then several tabs may send the same
// entries, each in order, and every entry is still recorded once.
/** @param {() => Promise<void>} act */
const alone = (act) => (navigator.locks ? navigator.locks.request(`tienlen ${night}`, act) : act());

async function sendAll() {
  await ready;
  await read();
  for (let entry; !now.halt && (entry = queue.waiting()[0]); ) {
    let response, answer;
    try {
      response = await ask(foot.dataset.log, {
        method: "POST",
        headers: { "Content-Type": "application/json", Accept: "application/json" },
        body: entry.body,
      });
      answer = await response.json();
    } catch {
      return later();
    }
    if (response.status === 429 || response.status >= 500) return later(response, answer.detail);
    pause = FIRST_PAUSE;
    if (response.ok) {
      now = shown(state.answered(now, entry.id, answer.seq));
      const one = now.entries.find(({ id }) => id === entry.id);
      if (one) await kept.keep(one);
      changed({ recorded: answer, told: entry.told }); // the page may show it by now, and the queue list it no longer
      tell();
    } else {
      const first = queue.waiting()[0]?.id;
      if (first !== entry.id) continue; // it was dropped meanwhile, or what comes before it waits again
      now = state.refused(now, { ...answer, status: response.status });
      changed();
    }
  }
}

/** @param {Response} [response] */
function later(response, why = "") {
  now = state.lost(now, response ? why : null);
  const asked = Number(response?.headers.get("Retry-After") ?? 0) * 1000;
  timer = setTimeout(send, Math.max(asked, pause));
  pause = Math.min(2 * pause, LONGEST_PAUSE);
  changed();
}

// Drop some waiting entries, and send the rest, the first with changes, as a person has decided.
/** @param {Entry[]} gone */
async function decide(gone, changes = {}) {
  const before = now.entries;
  now = state.decided(now, gone.map(({ id }) => id), changes);
  const left = before.filter(({ id }) => !now.entries.some((entry) => entry.id === id)).map(({ id }) => id);
  const other = now.entries.filter((entry) => !before.includes(entry));
  for (const id of left) dropped.add(id);
  const keeping = [...left.map(kept.remove), ...other.map(kept.keep)];
  changed();
  tell();
  await Promise.all(keeping);
  tell();
  await send();
}

/** @param {string[]} ids */
function comeBack(ids) {
  for (const id of ids) {
    past.delete(id);
    returned.add(id);
  }
}

/** Send entries again that were recorded, and that the server has lost. @param {Entry[]} lost */
async function sendAgain(lost) {
  const ids = lost.map(({ id }) => id);
  comeBack(ids);
  now = state.returned(now, lost);
  const keeping = now.entries.filter(({ id }) => ids.includes(id)).map(kept.keep);
  changed();
  tell(ids); // so that other tabs do not remove what is being stored
  await Promise.all(keeping);
  tell(ids); // so that they read it
  await send();
}

/** Remove the entries that the page shows by now; `ids` are entries that it lists. @param {string[]} ids */
function forget(ids = []) {
  named = ids;
  now = shown(now);
}

// Drop stored entries that cannot be read.
async function setAside() {
  const ids = unreadable.map(({ id }) => id);
  unreadable = [];
  changed();
  for (const id of ids) await kept.remove(id);
}

// The network may be back: send at once, whatever the result of earlier tries, also of a running one.
function again() {
  if (document.visibilityState !== "visible") return;
  pause = FIRST_PAUSE;
  send();
}

addEventListener("online", again);
addEventListener("pageshow", again);
document.addEventListener("visibilitychange", again);

// Warn before leaving if waiting entries could not be stored.
addEventListener("beforeunload", (event) => queue.waiting().length && !queue.kept && event.preventDefault());

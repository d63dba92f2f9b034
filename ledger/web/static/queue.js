// What this phone has recorded and the page does not show yet. Every entry is kept before it is sent, and is sent again
// unchanged until it is answered: its id makes sure that it is recorded once. Nothing is judged here.

import { ask } from "./asking.js";

const foot = document.querySelector(".proof");
const night = foot.dataset.night;
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 15_000;

export const BESIDE = ["note", "settle"]; // no undo takes these back

// A promise for what a request of IndexedDB comes to.
const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

const database = (() => {
  try {
    const request = indexedDB.open("tienlen", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("entries", { keyPath: ["night", "id"] });
    return done(request);
  } catch (error) {
    return Promise.reject(error);
  }
})();

// Do something to what is kept; where storage is denied, the page remembers for as long as it is open.
async function stored(mode, act) {
  try {
    const transaction = (await database).transaction("entries", mode, { durability: "strict" });
    return await done(act(transaction.objectStore("entries")));
  } catch {
    queue.kept = false;
    return null;
  }
}

const waiting = () => queue.entries.filter((entry) => entry.seq === null);
const changed = (detail) => document.dispatchEvent(new CustomEvent("queue", { detail }));

// `entries` in their order: {place, id, body, told, seq}: seq is null until one is answered. `halt` is the problem at
// which sending has stopped, `offline` whether the last try had no answer, `why` the server's own words where it could
// not record for now, `kept` whether a reload keeps them.
export const queue = { entries: [], halt: null, offline: false, why: "", kept: true, waiting, add, send, revise, drop, forget };

// What was kept for this night: read once, before anything else is done with the queue.
export const ready = (async () => {
  const range = () => IDBKeyRange.bound([night], [night, []]);
  const kept = (await stored("readonly", (store) => store.getAll(range()))) ?? [];
  queue.entries = [...kept.sort((one, other) => one.place - other.place), ...queue.entries];
})();

const keep = (entry) => stored("readwrite", (store) => store.put(entry));
const unkeep = (entry) => stored("readwrite", (store) => store.delete([night, entry.id]));

// A UUID also where the page is not secure, and has no randomUUID.
function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  return [...bytes].map((byte, place) => ([4, 6, 8, 10].includes(place) ? "-" : "") + byte.toString(16).padStart(2, "0")).join("");
}

// Put an entry behind the others: `content` is what it says, `after` the entry that the page has seen last, unless one
// waits before it; `told` is what a page needs to show it, its `text` among that.
async function add(content, after, told) {
  const last = queue.entries.at(-1);
  const id = newId();
  const body = JSON.stringify({ id, after: last?.id ?? after, at: new Date().toISOString(), ...content });
  const entry = { night, place: (last?.place ?? 0) + 1, id, body, told, seq: null };
  queue.entries.push(entry);
  changed();
  await keep(entry);
  await send();
}

let sending = null;
let pause = FIRST_PAUSE;
let timer = null;

// Send what waits, one after the other, until there is no answer, or one that a person must see.
function send() {
  clearTimeout(timer);
  sending ??= sendAll().finally(() => (sending = null));
  return sending;
}

async function sendAll() {
  await ready;
  for (let entry; !queue.halt && (entry = waiting()[0]); ) {
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
    Object.assign(queue, { offline: false, why: "" });
    pause = FIRST_PAUSE;
    if (response.ok) {
      entry.seq = answer.seq;
      await keep(entry);
      changed({ recorded: answer });
    } else {
      queue.halt = { ...answer, status: response.status };
      changed();
    }
  }
}

function later(response = null, why = "") {
  Object.assign(queue, { offline: response === null, why });
  const asked = Number(response?.headers.get("Retry-After") ?? 0) * 1000;
  timer = setTimeout(send, Math.max(asked, pause));
  pause = Math.min(2 * pause, LONGEST_PAUSE);
  changed();
}

// Send the first of what waits otherwise than it was, as a person has decided; what it says keeps its id, under which
// nothing was recorded. The others follow it as they did.
async function revise(changes) {
  const [first] = waiting();
  first.body = JSON.stringify({ ...JSON.parse(first.body), ...changes });
  queue.halt = null;
  changed();
  await keep(first);
  await send();
}

// Take some of what waits back, the first among it, as a person has decided; the rest comes after what that came after.
async function drop(entries) {
  let { after } = JSON.parse(entries[0].body);
  queue.entries = queue.entries.filter((entry) => !entries.includes(entry));
  const rest = waiting();
  for (const entry of rest) {
    entry.body = JSON.stringify({ ...JSON.parse(entry.body), after });
    after = entry.id;
  }
  queue.halt = null;
  changed();
  for (const entry of entries) await unkeep(entry);
  for (const entry of rest) await keep(entry);
  await send();
}

// Forget what the page shows by now: whatever was answered up to its entry, and what it names, since an answer may have
// been lost.
function forget(seq, ids = []) {
  const shown = queue.entries.filter((entry) => (entry.seq !== null && entry.seq <= seq) || ids.includes(entry.id));
  queue.entries = queue.entries.filter((entry) => !shown.includes(entry));
  for (const entry of shown) unkeep(entry);
}

// Whatever was tried until now says nothing about a network that may be back: not even what is just being tried.
function again() {
  if (document.visibilityState !== "visible") return;
  pause = FIRST_PAUSE;
  send();
}

addEventListener("online", again);
addEventListener("pageshow", again);
document.addEventListener("visibilitychange", again);

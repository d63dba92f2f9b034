// What this phone recorded stays in a database of its own for a week. If the server loses some of it, since an old
// backup was put back, that is sent again, unchanged: what comes after an entry that the server does not have is
// refused, and a person decides about it.

import { the } from "./facts.js";
import { renew } from "./page.js";
import { queue, ready } from "./queue.js";
import { ofNight, transactions } from "./storage.js";

const WEEK = 7 * 24 * 3600 * 1000;
const foot = the(".proof");
const { night, log } = foot.dataset;

const transact = transactions("tienlen recorded", "relaxed", (store) => store.createIndex("since", "since"));
const quietly = () => {}; // without storage nothing is kept

document.addEventListener("past", ({ detail }) => {
  transact("readwrite", (store) => store.put({ ...detail, night, since: Date.now() })).catch(quietly);
});

/** Delete what is older than a week, of any night. @param {IDBObjectStore} store */
function clear(store) {
  const outlived = store.index("since").openKeyCursor(IDBKeyRange.upperBound(Date.now() - WEEK));
  outlived.onsuccess = () => {
    const cursor = outlived.result;
    if (!cursor) return;
    store.delete(cursor.primaryKey);
    cursor.continue();
  };
  return outlived;
}

// The ids of all entries of the server's log. Throws if the server does not answer.
async function recorded() {
  const ids = new Set();
  for (let last = Infinity; ids.size < last; ) {
    const response = await fetch(`${log}?after=${ids.size}&limit=1000`, { headers: { Accept: "application/json" } });
    if (!response.ok) throw new Error(String(response.status));
    const { events, seq } = await response.json();
    for (const { id } of events) ids.add(id);
    last = events.length ? seq : 0;
  }
  return ids;
}

/** @type {Promise<unknown> | null} */
let looking = null;
let known = Infinity; // the server's newest entry when it was asked last

// Send again what the server has lost. The entries are read first: what is recorded meanwhile is not among them.
async function look() {
  const shown = queue.entries.filter(({ seq }) => seq !== null);
  /** @type {Entry[]} */
  const kept = await transact("readonly", (store) => store.getAll(ofNight(night))).catch(() => []);
  if (!kept.length && !shown.length) return;
  const there = await recorded();
  known = there.size;
  const lost = [...kept, ...shown].filter(({ id }) => !there.has(id));
  if (!lost.length) return;
  const remove = (/** @type {IDBObjectStore} */ store) => lost.map(({ id }) => store.delete([night, id]))[0];
  await transact("readwrite", remove).catch(quietly);
  await queue.sendAgain(lost);
  await renew(); // the page may have entries of the old history
}

// The log, up to entry `detail`, does not go on from what this phone saw, or ends before what it recorded.
document.addEventListener("setback", ({ detail }) => {
  if (detail < known) looking ??= ready.then(look).catch(quietly).finally(() => (looking = null));
});

// Ask for the page that shows what had been recorded when this phone was last here.
function catchUp() {
  const newest = Math.max(...queue.entries.map(({ seq }) => seq ?? 0));
  if (newest > Number(foot.dataset.seq)) document.dispatchEvent(new CustomEvent("recorded", { detail: newest }));
}

ready.then(() => (document.readyState === "complete" ? catchUp() : addEventListener("load", catchUp)));
transact("readwrite", clear).catch(quietly);

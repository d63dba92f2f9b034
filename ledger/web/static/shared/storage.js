// Stores the waiting entries on the phone. An entry is noted in localStorage at once, so that closing the tab loses
// nothing and all tabs read the same, and then stored in IndexedDB, which survives a loss of power. It stays in both
// until it no longer waits. If one of the two is denied or full, the other suffices. A removal is noted at once, too,
// and completed by any tab: the one that begins it may be closed, or find the storage full.

const STORE = "entries";
const RETRY = 2000;
const PATIENCE = 10_000; // milliseconds for the answer of a database: some hang until the browser is started again

// A function that runs transactions in a database with one store, keyed by night and id: `act` gets the store, and the
// promise has the result of the request that it returns, once the transaction is complete. `prepare` gets a new store.
/**
 * @typedef {<Result>(
 *   mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<Result>, tries?: number,
 * ) => Promise<Result>} Transact
 * @typedef {(store: IDBObjectStore) => void} Prepare
 * @type {(name: string, durability?: IDBTransactionDurability, prepare?: Prepare) => Transact}
 */
export function transactions(name, durability = "strict", prepare = () => {}) {
  /** @type {Promise<IDBDatabase> | null} */
  let opening = null;

  // The database, reopened if it was closed: the site's data may be deleted while a page is open.
  /** @returns {Promise<IDBDatabase>} */
  function database() {
    opening ??= new Promise((resolve, reject) => {
      const request = indexedDB.open(name, 1);
      request.onupgradeneeded = () =>
        prepare(request.result.createObjectStore(STORE, { keyPath: ["night", "id"] }));
      request.onerror = () => reject(request.error);
      request.onsuccess = () => {
        const close = () => {
          request.result.close();
          opening = null;
        };
        request.result.onclose = request.result.onversionchange = close;
        resolve(request.result);
      };
    }).catch((error) => {
      opening = null;
      throw error;
    });
    return opening;
  }

  // Without an answer in time the transaction is aborted, so that it changes nothing later, and the next one opens the
  // database anew. One that has ended by then cannot be aborted: its answer is about to come.
  /** @type {Transact} */
  const run = (mode, act) => new Promise((resolve, reject) => {
    let isLate = false;
    /** @type {IDBTransaction | null} */
    let begun = null;
    const giveUp = setTimeout(() => {
      try {
        begun?.abort();
      } catch {
        return;
      }
      isLate = true;
      opening = null;
      reject(new Error("no answer"));
    }, PATIENCE);
    database()
      .then((open) => new Promise((complete, fail) => {
        if (isLate) return;
        const transaction = (begun = open.transaction(STORE, mode, { durability }));
        const request = act(transaction.objectStore(STORE));
        transaction.oncomplete = () => complete(request.result);
        transaction.onabort = () => fail(transaction.error);
      }))
      .then(resolve, reject)
      .finally(() => clearTimeout(giveUp));
  });

  // Retried once if the database was closed meanwhile.
  return async function transact(mode, act, tries = 2) {
    try {
      return await run(mode, act);
    } catch (error) {
      if (tries < 2 || !(error instanceof Error) || error.name !== "InvalidStateError") throw error;
      opening = null;
      return transact(mode, act, tries - 1);
    }
  };
}

/** The range of a night's keys. @param {string} night */
export const ofNight = (night) => IDBKeyRange.bound([night], [night, []]);

// `changed` is called whenever it becomes known whether an entry is stored.
/** @param {string} night @param {() => void} changed */
export function storage(night, changed) {
  /** @type {Map<string, Entry>} */
  const unkept = new Map(); // id -> entry that could not be stored
  const noted = `tienlen entry ${night} `;
  const removed = `tienlen gone ${night} `;
  const transact = transactions("tienlen");
  /** @type {Timer | null} */
  let retry = null;

  /** @param {string} name @param {string} text */
  function set(name, text) {
    try {
      localStorage.setItem(name, text);
      return true;
    } catch {
      return false;
    }
  }

  /** @param {string} name */
  function unset(name) {
    try {
      localStorage.removeItem(name);
    } catch {
      // It was never written.
    }
  }

  /** What follows this prefix in the names in localStorage. @param {string} prefix */
  function named(prefix) {
    try {
      const names = Object.keys(localStorage).filter((name) => name.startsWith(prefix));
      return names.map((name) => name.slice(prefix.length));
    } catch {
      return [];
    }
  }

  // The entries in localStorage, read synchronously: all except those it had no room for.
  const notes = () => named(noted).map((id) => parsed(localStorage.getItem(noted + id) ?? "", id));

  // The ids of entries whose removal from IndexedDB is perhaps not complete.
  const gone = () => named(removed);

  // Store an entry. It is in localStorage when this returns; the promise resolves when it is in IndexedDB.
  /** @param {Entry} entry */
  async function keep(entry) {
    const isNoted = set(noted + entry.id, JSON.stringify(entry));
    unset(removed + entry.id);
    if (!isNoted) unkept.set(entry.id, entry);
    try {
      await transact("readwrite", (store) => store.put({ ...entry, night }));
      unkept.delete(entry.id);
    } catch {
      if (!isNoted) retry ??= setTimeout(again, RETRY);
    }
    changed();
  }

  function again() {
    retry = null;
    for (const entry of [...unkept.values()]) keep(entry);
  }

  /** Remove an entry that no longer waits from both, so that it does not come back. @param {string} id */
  async function remove(id) {
    unkept.delete(id);
    set(removed + id, "");
    unset(noted + id);
    await transact("readwrite", (store) => store.delete([night, id])).catch(() => {});
  }

  // The stored values of this night, not validated, and whether these are all: the database may not answer.
  /** @returns {Promise<[Stored[], boolean]>} */
  async function all() {
    const before = gone();
    /** @type {Stored[] | null} */
    const kept = await transact("readonly", (store) => store.getAll(ofNight(night))).catch(() => null);
    const found = new Map((kept ?? []).map((entry) => [entry.id, entry]));
    for (const id of gone()) {
      if (found.delete(id)) remove(id);
      else if (before.includes(id)) unset(removed + id);
    }
    for (const entry of notes()) found.set(entry.id, entry); // a note is at least as new
    return [[...found.values()], kept !== null];
  }

  return { keep, remove, notes, all, gone, isKept: () => !unkept.size };
}

// Parse a note; invalid JSON yields an entry with only an id, so that it can be dropped.
/** @param {string} text @param {string} id @returns {Stored} */
function parsed(text, id) {
  try {
    return JSON.parse(text);
  } catch {
    return { id };
  }
}

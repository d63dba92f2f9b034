// What waits to be recorded, kept in the phone. An entry is noted in localStorage at once, so that a tab that is
// closed a moment later loses nothing and all tabs read the same, and then kept in IndexedDB, which survives a
// phone that loses power. Both stay until the entry waits no more. Where one of the two is denied or full, the
// other does.

const STORE = "entries";
const RETRY = 2000;

// `changed` is called whenever it becomes known whether an entry is kept.
/**
 * @typedef {import("./state.js").Entry} Entry
 * @typedef {{
 *   keep: (entry: Entry) => Promise<void>, remove: (id: string) => Promise<void>,
 *   notes: () => any[], all: () => Promise<any[]>, isKept: () => boolean,
 * }} Storage
 * @type {(night: string, changed: () => void) => Storage}
 */
export function storage(night, changed) {
  const unkept = new Map(); // id -> entry: kept nowhere
  const noted = `tienlen entry ${night} `;
  let opening = null;
  let retry = null;

  function note(entry) {
    try {
      localStorage.setItem(noted + entry.id, JSON.stringify(entry));
      return true;
    } catch {
      return false;
    }
  }

  function forgetNote(id) {
    try {
      localStorage.removeItem(noted + id);
    } catch {
      // It was never written.
    }
  }

  // What is noted, at once: all that is kept, but for what there was no room to note.
  function notes() {
    try {
      const names = Object.keys(localStorage).filter((name) => name.startsWith(noted));
      return names.map((name) => parsed(localStorage.getItem(name), name));
    } catch {
      return [];
    }
  }

  // The database, opened anew if it was closed: the site's data may be deleted while a page is open.
  function database() {
    opening ??= new Promise((resolve, reject) => {
      const request = indexedDB.open("tienlen", 1);
      request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: ["night", "id"] });
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

  // Do something to what is kept, and answer what it comes to once it is complete. One more try where the database was
  // closed meanwhile.
  async function transact(mode, act, tries = 2) {
    try {
      const open = await database();
      return await new Promise((resolve, reject) => {
        const transaction = open.transaction(STORE, mode, { durability: "strict" });
        const request = act(transaction.objectStore(STORE));
        transaction.oncomplete = () => resolve(request.result);
        transaction.onabort = () => reject(transaction.error);
      });
    } catch (error) {
      if (tries < 2 || error?.name !== "InvalidStateError") throw error;
      opening = null;
      return transact(mode, act, tries - 1);
    }
  }

  // Keep an entry as it is now. It is noted when this returns; the promise says when it is complete.
  async function keep(entry) {
    const isNoted = note(entry);
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

  // An entry waits no more: it must not come back.
  async function remove(id) {
    unkept.delete(id);
    forgetNote(id);
    await transact("readwrite", (store) => store.delete([night, id])).catch(() => {});
  }

  // Everything that is kept for this night, as it was written: nobody has looked yet whether it can be read.
  async function all() {
    const range = () => IDBKeyRange.bound([night], [night, []]);
    const kept = await transact("readonly", (store) => store.getAll(range())).catch(() => []);
    const found = new Map(kept.map((entry) => [entry.id, entry]));
    for (const entry of notes()) found.set(entry.id, entry); // a note is at least as new
    return [...found.values()];
  }

  return { keep, remove, notes, all, isKept: () => !unkept.size };
}

// What a note says; what is no JSON is an entry that can be dropped by its id, and not be read.
function parsed(text, name) {
  try {
    return JSON.parse(text);
  } catch {
    return { id: name.split(" ").at(-1) };
  }
}

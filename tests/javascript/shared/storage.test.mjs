// Storing an entry on a phone that denies localStorage, and whose database is closed while a page is open, or hangs.

import assert from "node:assert/strict";
import { test } from "node:test";

import { storage } from "./storage.js";

const ENTRY = { id: "a", place: 1, body: "", told: { kind: "play", text: "3s" }, seq: null };

// A phone whose first `closed` connections are of no use any more, and whose first `hanging` ones never answer, with
// what it stores, what waits for later, and the transactions without an answer.
function phone(closed, hanging = 0) {
  const [stored, later, unanswered] = [[], [], []];
  let opened = 0;
  function connection() {
    const [isClosed, hangs] = [++opened <= closed, opened <= hanging];
    return {
      close() {},
      transaction() {
        if (isClosed) throw new DOMException("closing", "InvalidStateError");
        const begun = { objectStore: () => ({ put: (entry) => stored.push(entry) }), abort() {} };
        if (hangs) unanswered.push(begun);
        else queueMicrotask(() => begun.oncomplete());
        return begun;
      },
    };
  }
  function open() {
    const request = { result: connection(), onsuccess: null };
    queueMicrotask(() => request.onsuccess());
    return request;
  }
  const waits = /** @type {any} */ ((act) => later.push(act));
  Object.assign(globalThis, { indexedDB: { open }, localStorage: null, setTimeout: waits });
  return { stored, later, unanswered, opened: () => opened };
}

test("a database that was closed is opened again, once", async () => {
  for (const [closed, stored] of [[0, 1], [1, 1], [2, 0]]) {
    const one = phone(closed);
    const kept = storage("night", () => {});
    await kept.keep(ENTRY);
    assert.equal(one.stored.length, stored);
    assert.equal(kept.isKept(), Boolean(stored));
    assert.equal(one.opened(), Math.min(closed + 1, 2));
  }
});

test("what could not be stored is stored later", async () => {
  const one = phone(2);
  const kept = storage("night", () => {});
  await kept.keep(ENTRY);
  one.later.forEach((act) => act());
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(one.stored, [{ ...ENTRY, night: "night" }]);
});

test("a database that does not answer is given up, and opened again", async () => {
  const one = phone(0, 1);
  const kept = storage("night", () => {});
  const keeping = kept.keep(ENTRY);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(one.later.length, 1);
  one.later[0]();
  await keeping;
  assert.equal(kept.isKept(), false);
  await kept.keep(ENTRY);
  assert.equal(kept.isKept(), true);
  assert.equal(one.opened(), 2);
});

test("an answer that is about to come when the time is over is an answer", async () => {
  const one = phone(0, 1);
  const kept = storage("night", () => {});
  const keeping = kept.keep(ENTRY);
  await new Promise((resolve) => setImmediate(resolve));
  const [ended] = one.unanswered;
  ended.abort = () => {
    throw new DOMException("The transaction has finished.", "InvalidStateError");
  };
  one.later[0]();
  ended.oncomplete();
  await keeping;
  assert.equal(kept.isKept(), true);
  assert.equal(one.opened(), 1);
});

// The state of a keeper's page: single transitions, and a property over any interleaving of two keepers' taps, news,
// responses, losses and closed tabs, against a server that records an entry only after the one that it names.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Server, chance } from "./phone.mjs";
import * as state from "./state.js";

const SEED = Number(process.env.SEED ?? 1);
const RUNS = Number(process.env.RUNS ?? 200);

const told = (text, kind = "play") => ({ kind, text });
const entry = (id, kind = "play") => ({ id, content: { kind, seat: "p1" }, told: told(id, kind) });
const AT = { now: 10_000, at: "2026-01-01T00:00:00Z" };
const after = (one) => JSON.parse(one.body).after;

test("chosen cards come after what was known when the first was chosen", () => {
  let one = state.opened("night");
  one = state.chosen(one, { cards: ["3s"], seat: null });
  one = state.renewed(one, { after: "foreign", seq: 1 }, 9000);
  one = state.chosen(one, { cards: ["3s", "3c"], seat: null });
  one = state.recorded(one, [entry("a")], AT);
  assert.equal(after(one.entries[0]), "night");
  assert.deepEqual(one.draft.cards, []);
});

test("a pass comes after what has been on the page for a while", () => {
  const one = state.renewed(state.opened("night"), { after: "foreign", seq: 1 }, 9500);
  assert.equal(after(state.recorded(one, [entry("a", "pass")], AT).entries[0]), "night");
  const later = { ...AT, now: 9500 + state.SEEN_AFTER_MS };
  assert.equal(after(state.recorded(one, [entry("a", "pass")], later).entries[0]), "foreign");
});

test("what this phone has recorded itself is no news", () => {
  let one = state.recorded(state.opened("night"), [entry("a")], AT);
  one = state.answered(one, "a", 1);
  one = state.renewed(one, { after: "a", seq: 1 }, 10_100);
  assert.equal(after(state.recorded(one, [entry("b", "pass")], { ...AT, now: 10_101 }).entries[0]), "a");
});

test("of what the page has shown, the newest is remembered however long the evening is", () => {
  let now = state.opened("e0");
  for (let seq = 1; seq <= 1200; seq++) now = state.renewed(now, { after: `e${seq}`, seq }, seq * 1000);
  assert.equal(state.newest(now), "e1200");
  assert.ok(now.shown.length < 1200);
});

test("a form says something without making a draft older", () => {
  let one = state.chosen(state.opened("night"), { cards: ["3s"], seat: null });
  one = state.said(one, entry("note", "note"), AT);
  one = state.recorded(one, [entry("a")], AT);
  assert.equal(after(one.entries[1]), "note");
});

test("what is dropped leaves the rest in its place, and nothing is inferred of it", () => {
  let one = state.opened("night");
  for (const id of ["a", "b", "c"]) one = state.recorded(one, [entry(id)], AT);
  one = state.decided(one, ["a"]);
  assert.deepEqual(one.entries.map(after), ["night", "b"]);
  assert.deepEqual(JSON.parse(one.entries[0].body).passed, []);
});

test("of what is chosen among what waits, the first comes after what is said, and the others after it", () => {
  let one = state.opened("night");
  for (const id of ["a", "b", "c", "d"]) one = state.recorded(one, [entry(id)], AT);
  one = state.decided(state.refused(one, { status: 409, code: "stale", detail: "" }), ["a", "c"], { after: "theirs" });
  assert.deepEqual(one.entries.map(({ id }) => id), ["b", "d"]);
  assert.deepEqual(one.entries.map(after), ["theirs", "b"]);
  assert.equal(one.halt, null);
});

test("what two tabs have counted by their own places is in the order in which it was said", () => {
  const first = state.answered(state.recorded(state.opened("night"), [entry("a"), entry("b")], AT), "a", 1);
  const [a, b] = first.entries;
  const c = state.recorded(state.opened("b"), [entry("c")], AT).entries[0]; // in a tab that already shows both
  const one = state.shared(first, [c, b, a]);
  assert.deepEqual(one.entries.map(({ id }) => id), ["a", "b", "c"]);
  assert.equal(after(state.recorded(one, [entry("d")], AT).entries.at(-1)), "c");
});

test("what the server has lost waits again, as it was made, before what is new", () => {
  let one = state.opened("night");
  for (const id of ["c", "b", "a"]) {
    one = state.recorded(one, [entry(id)], { ...AT, at: `2026-01-01T00:00:0${one.entries.length}Z` });
  }
  const [first, second] = one.entries;
  one = state.answered(state.answered(one, "c", 1), "b", 2);
  one = state.refused(state.renewed(one, { after: "c", seq: 1 }, 11_000), { status: 409, code: "stale", detail: "" });
  one = state.returned(one, [one.entries[0], { ...first, seq: 1 }]);
  assert.deepEqual(state.waiting(one).map(({ id }) => id), ["c", "b", "a"]);
  assert.deepEqual(one.entries.slice(0, 2).map(({ body }) => body), [first.body, second.body]);
  assert.equal(one.halt, null);
});

test("a kept entry that cannot be read is no entry", () => {
  const good = state.recorded(state.opened("night"), [entry("a")], AT).entries[0];
  const kept = [good, { ...good, body: "{" }, { ...good, told: null }, { ...good, body: "{}" }, { id: "b" }];
  assert.deepEqual(state.readable(kept).map((some) => some.length), [1, 4]);
});

// A keeper, who notes the newest entry that each tap was based on, among those shown for long enough.
class Keeper {
  made = 0;
  taps = new Map();
  asked = new Set();
  gone = new Set();

  constructor(name, server, random) {
    this.name = name;
    this.server = server;
    this.random = random;
    this.page = { id: "night", since: -Infinity, mine: true };
    this.now = state.opened("night");
    this.meant = null;
  }

  // The newest entry, as seen by a person looking at the page.
  sees(time) {
    if (this.now.entries.length) return this.now.entries.at(-1).id;
    return time - this.page.since >= state.SEEN_AFTER_MS || this.page.mine ? this.page.id : this.page.before;
  }

  choose() {
    if (!this.now.draft.cards.length) this.meant = this.now.entries.at(-1)?.id ?? this.page.id;
    this.now = state.chosen(this.now, { cards: [...this.now.draft.cards, "x"], seat: null });
  }

  tap(time, kind) {
    const drafted = this.now.draft.cards.length > 0;
    const id = `${this.name}${++this.made}`;
    this.taps.set(id, drafted ? this.meant : this.sees(time));
    this.now = state.recorded(this.now, [entry(id, kind)], { now: time, at: "" });
  }

  send(time) {
    const [first] = state.waiting(this.now);
    if (!first || this.now.halt) return;
    const fate = this.random();
    if (fate < 0.15) return void (this.now = state.lost(this.now, null));
    const answer = this.server.take(first.body);
    if (fate < 0.3) return void (this.now = state.lost(this.now, null)); // the response is lost
    if (answer.problem) this.now = state.refused(this.now, answer.problem);
    else this.now = state.answered(this.now, first.id, answer.seq);
    if (!this.now.halt) this.look(time);
  }

  // Refetch the page, unless entries are queued.
  look(time) {
    if (state.waiting(this.now).length && !this.now.halt) return;
    const { log } = this.server;
    const id = log.at(-1).id;
    if (id !== this.page.id) {
      const mine = id.startsWith(this.name);
      const seen = time - this.page.since >= state.SEEN_AFTER_MS || this.page.mine ? this.page.id : this.page.before;
      this.page = { id, since: time, mine, before: seen };
    }
    this.now = state.renewed(this.now, { after: id, seq: log.length - 1, ids: log.map((one) => one.id) }, time);
  }

  decide() {
    if (!this.now.halt) return;
    const waits = state.waiting(this.now);
    for (const { id } of waits) this.asked.add(id); // the page lists them all
    if (this.random() < 0.5) this.now = state.decided(this.now, [], { after: this.page.id });
    else {
      const some = this.random() < 0.5 ? waits.slice(0, 1) : waits;
      for (const { id } of some) this.gone.add(id);
      this.now = state.decided(this.now, some.map(({ id }) => id));
      if (this.gone.has(this.meant)) this.meant = this.now.entries.at(-1)?.id ?? this.page.id;
    }
  }

  // Close the tab and open it again: only stored entries are left.
  reopen(time) {
    const { log } = this.server;
    const id = log.at(-1).id;
    this.page = { id, since: -Infinity, mine: true };
    const shown = { after: id, seq: log.length - 1, ids: log.map((one) => one.id) };
    this.now = state.renewed(state.opened(id, this.now.entries), shown, time);
  }
}

function evening(seed, steps = 120) {
  const random = chance(seed);
  const server = new Server();
  const keepers = [new Keeper("a", server, random), new Keeper("b", server, random)];
  let time = 5000;
  for (let step = 0; step < steps; step++) {
    time += random() * 700;
    const keeper = keepers[Math.floor(random() * 2)];
    const what = random();
    if (what < 0.25) keeper.choose();
    else if (what < 0.45) keeper.tap(time, keeper.now.draft.cards.length ? "play" : "pass");
    else if (what < 0.7) keeper.send(time);
    else if (what < 0.9) keeper.look(time);
    else if (what < 0.95) keeper.decide();
    else keeper.reopen(time);
  }
  for (const keeper of keepers) {
    for (let left = 300; state.waiting(keeper.now).length; left--) {
      assert.ok(left, "what waits is sent, or stands before a person");
      keeper.look((time += 5000));
      keeper.decide();
      keeper.send(time);
    }
  }
  return { server, keepers };
}

test(`over ${RUNS} evenings of two keepers, a tap is recorded once, as it was shown, or stood before a person`, () => {
  for (let seed = SEED; seed < SEED + RUNS; seed++) {
    const { server, keepers } = evening(seed);
    const recorded = server.log.slice(1);
    for (const { taps, asked, gone } of keepers) {
      for (const [id, against] of taps) {
        const found = recorded.filter((one) => one.id === id);
        if (gone.has(id)) continue;
        assert.equal(found.length, 1, `seed ${seed}: ${id} is recorded once`);
        if (!asked.has(id)) assert.equal(found[0].after, against, `seed ${seed}: ${id} comes after what was shown`);
      }
    }
  }
});

test("undo and redo go back and forth over what waits, and beyond it", () => {
  const CASES = [
    ["a b undo", "a", "b"],
    ["a undo redo", "a", "a a"],
    ["a undo b redo", "b", "a -"],
    ["a note undo", "", "a"],
    ["a undo undo redo", "", "a - -"],
    ["a undo undo redo redo", "a", "a - - a"],
    ["redo undo", "", "- -"],
  ];
  for (const [texts, stays, reached] of CASES) {
    const kinds = ["undo", "redo", "note"];
    const found = state.undoing(texts.split(" ").map((text) => told(text, kinds.includes(text) ? text : "play")));
    assert.equal(found.stays.map(({ text }) => text).join(" "), stays, texts);
    assert.equal([...found.reached.values()].map((one) => one?.text ?? "-").join(" "), reached, texts);
  }
});

test("one keeper alone, however quick, is asked nothing", () => {
  const random = chance(SEED);
  const server = new Server();
  const keeper = new Keeper("a", server, random);
  let time = 5000;
  for (let move = 0; move < 500; move++) {
    time += random() * 300;
    if (random() < 0.7) keeper.choose();
    keeper.tap(time, keeper.now.draft.cards.length ? "play" : "pass");
    while (random() < 0.8) keeper.send((time += random() * 100));
    keeper.look(time);
  }
  for (let left = 5000; left && state.waiting(keeper.now).length; left--) keeper.send((time += 100));
  assert.equal(keeper.asked.size, 0);
  assert.equal(server.log.length, 501);
});

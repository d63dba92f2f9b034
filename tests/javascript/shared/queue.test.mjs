// Queued entries in the tabs of one phone: a property over any interleaving of taps in any tab, messages between tabs,
// storage, lost requests and responses, and killed tabs.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Phone, Server, chance } from "./phone.mjs";

const SEED = Number(process.env.SEED ?? 1);
const RUNS = Number(process.env.RUNS ?? 25);
const STEPS = 250;

// Whether a tab shows an entry, queued or recorded.
const shows = (tab, id) => [...tab.shows, ...tab.queue.entries].some((one) => one.id === id);

// A person who only taps in tabs that show all earlier taps.
class Person {
  taps = [];
  dropped = [];

  constructor(phone) {
    this.phone = phone;
  }

  tap(tab) {
    if (!tab.isReady) return;
    if (this.taps.length && !shows(tab, this.taps.at(-1))) return;
    if (this.phone.random() < 0.7) tab.queue.choose({ cards: ["3s"], seat: null });
    const before = new Set(tab.queue.entries.map(({ id }) => id));
    const told = { kind: "play", text: "3s", then: `after ${this.taps.length}` };
    tab.queue.record([{ content: { kind: "play", seat: "p1" }, told }], this.phone.time);
    this.taps.push(tab.queue.entries.find(({ id }) => !before.has(id)).id);
  }

  // If all tabs ask the same: record the queued entries anyway, or drop all of them or the first. The rest is recorded
  // anyway, or asked about again.
  decide(tab) {
    const asked = (one) => JSON.stringify([Boolean(one.queue.halt), one.queue.waiting().map(({ body }) => body)]);
    if (!tab.queue.halt || this.phone.tabs.some((one) => asked(one) !== asked(tab))) return;
    const how = this.phone.random();
    if (how < 0.4) return tab.queue.decide([], { after: tab.foot.dataset.after });
    const entries = how < 0.5 || how > 0.8 ? tab.queue.waiting() : tab.queue.waiting().slice(0, 1);
    this.dropped.push(...entries.map(({ id }) => id));
    tab.queue.decide(entries, how < 0.55 ? { after: tab.foot.dataset.after } : {});
  }
}

// Another keeper records an entry.
const another = (server, step) => server.take(JSON.stringify({ id: `other ${step}`, after: server.newest }));

async function evening(seed, { lacks = [], others = false } = {}) {
  const random = chance(seed);
  const phone = new Phone(new Server(), random, lacks);
  const person = new Person(phone);
  await phone.open();
  for (let step = 0; step < STEPS; step++) {
    const tab = phone.tabs[Math.floor(random() * phone.tabs.length)];
    const what = random();
    if (what < 0.08) person.tap(tab);
    else if (what < 0.12) tab.again();
    else if (what < 0.14 && phone.tabs.length < 3) await phone.open();
    else if (what < 0.16) {
      phone.kill(tab);
      if (!phone.tabs.length) await phone.open();
    } else if (others && what < 0.18) person.decide(tab);
    else if (others && what < 0.19) another(phone.server, step);
    else await phone.step();
    for (const one of phone.tabs) {
      if (!others) assert.equal(one.queue.halt, null, `seed ${seed}, step ${step}: nothing is asked`);
    }
  }
  phone.weather = false;
  for (let times = others ? 20 : 3; times; times--) {
    if (others) person.decide(phone.tabs[0]);
    for (const tab of phone.tabs) tab.again();
    for (let left = 1000; left && (await phone.step()); left--);
  }
  return { phone, person };
}

for (const lacks of [[], ["locks"]]) {
  const without = lacks.length ? ` without ${lacks.join(" and ")}` : "";
  test(`over ${RUNS} evenings${without}, each tap in any tab is recorded once, in order, unasked`, async () => {
    let unlisted = 0;
    for (let seed = SEED; seed < SEED + RUNS; seed++) {
      const { phone, person } = await evening(seed, { lacks });
      const recorded = phone.server.log.slice(1).map(({ id }) => id);
      assert.deepEqual(recorded, person.taps, `seed ${seed}`);
      for (const tab of phone.tabs) assert.equal(tab.queue.waiting().length, 0, `seed ${seed}: nothing waits`);
      for (const tab of phone.tabs) assert.equal(tab.shows.at(-1), phone.server.log.at(-1), `seed ${seed}: as new`);
      assert.deepEqual(phone.kept, [], `seed ${seed}: nothing is kept`);
      // A form's answer leads to another page, also if this one has been renewed before the entry is stored.
      for (const { id, told, isListed } of phone.tabs.flatMap(({ answers }) => answers)) {
        assert.equal(told.then, `after ${person.taps.indexOf(id)}`, `seed ${seed}: each answer names its entry`);
        if (!isListed) unlisted++;
      }
    }
    assert.ok(unlisted > 0);
  });
}

test(`over ${RUNS} evenings with another keeper, what is dropped in a tab is dropped, the rest stands`, async () => {
  let dropped = 0;
  for (let seed = SEED; seed < SEED + RUNS; seed++) {
    const { phone, person } = await evening(seed, { others: true });
    const recorded = phone.server.log.map(({ id }) => id).filter((id) => person.taps.includes(id));
    const stays = person.taps.filter((id) => !person.dropped.includes(id));
    assert.deepEqual(recorded.toSorted(), stays.toSorted(), `seed ${seed}`);
    dropped += person.dropped.length;
  }
  assert.ok(dropped > RUNS);
});

// The milliseconds between the times at which a tap is sent to a server that refuses it for so many seconds.
async function pauses(busy) {
  const phone = new Phone(new Server(), chance(SEED));
  phone.weather = false;
  phone.server.busy = busy;
  new Person(phone).tap(await phone.open());
  for (let left = 5000; left && (phone.server.asked ?? []).length < 16; left--) {
    await phone.step();
    if (phone.tabs[0].isReady && !phone.tabs[0].queue.entries.length) new Person(phone).tap(phone.tabs[0]);
  }
  const { asked } = phone.server;
  return asked.slice(1).map((time, place) => time - asked[place]);
}

test("a server that says when to come again is not asked before", async () => {
  const found = await pauses(40);
  assert.equal(found.length, 15);
  assert.ok(Math.min(...found) >= 40_000, String(found));
});

test("pauses grow, and not without end", async () => {
  const found = await pauses(0);
  assert.equal(found.length, 15);
  assert.ok(found[0] < 4_000 && found.at(-1) > 4 * found[0], String(found));
  assert.ok(Math.max(...found) < 40_000, String(found));
});

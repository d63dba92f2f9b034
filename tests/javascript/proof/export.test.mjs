// The check of an exported log: what is altered is found, and the entry in which.

import assert from "node:assert/strict";
import { test } from "node:test";

import { codeOf, commitment, eventHash, nightHash, readCode } from "./chain.js";
import { verifyExport } from "./export.js";

const SALT = "00";
const PEOPLE = [["p1", "An"], ["p2", "Bình"], ["p3", "Chi"]].map(([player, name]) => ({ player, name, salt: SALT }));
const paid = (payer, payee, points, reverses = null) => ({ payer, payee, points, reason: "placement", reverses });
const play = (player) => ({ parts: [{ kind: "play", player }], payments: [] });

// Entry 3 settles a round, 4 corrects it, 5 lets Dũng join, 6 renames An.
const ENTRIES = [
  play("p1"),
  play("p2"),
  { parts: [{ kind: "settle" }], payments: [paid("p3", "p1", 2), paid("p2", "p1", 1)] },
  { parts: [{ kind: "correct" }], payments: [paid("p1", "p3", 2, "3.0")] },
  { parts: [{ kind: "join", player: "p4", name: "Dũng" }], payments: [] },
  { parts: [{ kind: "rename", player: "p1", name: "Ân" }], payments: [] },
];
const NAMES = { p1: "Ân", p2: "Bình", p3: "Chi", p4: "Dũng" };

// The lines of a log, with what `change` makes of its bodies before they are hashed.
async function exported(change = (bodies) => bodies) {
  const committed = async (name) => commitment(SALT, name);
  const players = {};
  for (const { player, name } of PEOPLE) players[player] = await committed(name);
  const net = Object.fromEntries(PEOPLE.map(({ player }) => [player, 0]));
  const bodies = /** @type {object[]} */ ([{ night: "n", players }]);
  for (const [place, { parts, payments }] of ENTRIES.entries()) {
    for (const { payer, payee, points } of payments) {
      net[payer] -= points;
      net[payee] += points;
    }
    const written = [];
    for (const part of parts) written.push("name" in part ? { ...part, name: await committed(part.name) } : part);
    if (parts[0].kind === "join") net[parts[0].player] = 0;
    bodies.push({ night: "n", seq: place + 1, parts: written, payments, net: { ...net } });
  }
  const people = Object.entries(NAMES).map(([player, name]) => ({ player, name, salt: SALT }));
  const texts = change(bodies.map((body) => JSON.stringify(body)));
  let hash = await nightHash(texts[0]);
  const lines = [{ line: "night", body: texts[0], hash }, { line: "people", people }];
  for (const body of texts.slice(1)) lines.push({ line: "event", body, hash: (hash = await eventHash(hash, body)) });
  return lines.map((line) => JSON.stringify(line));
}

const GOOD = await exported();
const entry = (seq) => seq + 1; // the place of its line
const verify = (lines, code) => verifyExport(lines.map((line) => `${line}\n`).join(""), code && readCode(code));
const altered = (at, old, instead) => GOOD.map((line, place) => (place === at ? line.replace(old, instead) : line));
const rehashed = (seq, old, instead) =>
  exported((bodies) => bodies.map((body, place) => (place === seq ? body.replace(old, instead) : body)));
const people = (change) => {
  const { line, people: all } = JSON.parse(GOOD[1]);
  return [GOOD[0], JSON.stringify({ line, people: change(all) }), ...GOOD.slice(2)];
};
const renamed = (player, name) => people((all) => all.map((one) => (one.player === player ? { ...one, name } : one)));
const codeAt = (lines, seq) => codeOf({ seq, hash: JSON.parse(lines[seq ? entry(seq) : 0]).hash });

test("a good log is verified, with its names, balances and payments", async () => {
  const found = await verify(GOOD, codeAt(GOOD, 3));
  assert.equal(found.broken, undefined);
  assert.deepEqual(found.names, NAMES);
  assert.deepEqual(found.net, { p1: 1, p2: -1, p3: 0, p4: 0 });
  assert.deepEqual(found.payments.map(({ seq, idx, points }) => [seq, idx, points]), [[3, 0, 2], [3, 1, 1], [4, 0, 2]]);
  assert.deepEqual(found.heads.map(({ seq }) => seq), [0, 1, 2, 3, 4, 5, 6]);
  assert.equal(found.continues.seq, 3);
  assert.deepEqual(found.erased, []);
  assert.equal((await verify([`\ufeff${GOOD[0]}`, ...GOOD.slice(1)])).broken, undefined);
});

const again = JSON.stringify([paid("p1", "p3", 2, "3.0")]);
const swapped = [...GOOD.slice(0, 4), GOOD[5], GOOD[4], ...GOOD.slice(6)];
for (const [name, lines, seq, what] of [
  ["an altered entry", altered(entry(2), "p2", "p3"), 2, "hash"],
  ["an altered night", altered(0, "p3", "p5"), 0, "hash"],
  ["a missing entry", GOOD.toSpliced(entry(2), 1), 2, "seq"],
  ["two entries that changed places", swapped, 3, "seq"],
  ["another night's entry", await rehashed(2, '"n"', '"m"'), 2, "night"],
  ["a number of points that was altered and rehashed", await rehashed(3, '"points":2', '"points":3'), 3, "net"],
  ["a negative number of points", await rehashed(3, '"points":2', '"points":-2'), 3, "payment"],
  ["a payment by nobody", await rehashed(3, '"payer":"p3"', '"payer":"p9"'), 3, "payment"],
  ["a payment to oneself", await rehashed(3, '"payer":"p3"', '"payer":"p1"'), 3, "payment"],
  ["a reversal of nothing", await rehashed(4, '"3.0"', '"3.7"'), 4, "payment"],
  ["a reversal of another payment", await rehashed(4, '"3.0"', '"3.1"'), 4, "payment"],
  ["a second reversal of a payment", await rehashed(5, '"payments":[]', `"payments":${again}`), 5, "payment"],
  ["somebody who joins twice", await rehashed(5, '"player":"p4"', '"player":"p2"'), 5, "players"],
  ["another name", renamed("p2", "X"), 0, "name"],
  ["the name from before it was changed", renamed("p1", "An"), 0, "name"],
  ["another name of who joined", renamed("p4", "Thảo"), 0, "name"],
  ["one player fewer", people((all) => all.slice(0, 3)), 0, "players"],
  ["a player twice", people((all) => [...all.slice(0, 3), all[0]]), 0, "players"],
]) {
  test(`${name} is found`, async () => assert.deepEqual((await verify(lines)).broken, { seq, what }));
}

for (const [name, lines, line] of [
  ["no log at all", ["x", ...GOOD.slice(1)], 1],
  ["a line that is none", [...GOOD.slice(0, 4), "x", ...GOOD.slice(5)], 5],
  ["a log without its people", GOOD.slice(0, 1), 2],
  ["lines in another order", [GOOD[1], GOOD[0], ...GOOD.slice(2)], 1],
]) {
  test(`${name} is unreadable, and the line is said`, async () => assert.equal((await verify(lines)).unreadable, line));
}

test("a head that was seen and is not there is told", async () => {
  const later = codeOf({ seq: 7, hash: JSON.parse(GOOD.at(-1)).hash });
  assert.deepEqual((await verify(GOOD, later)).broken, { seq: 6, what: "tail" });
  const other = await rehashed(1, '"p1"', '"p3"');
  assert.deepEqual((await verify(other, codeAt(GOOD, 5))).broken, { seq: 5, what: "seen" });
  const alone = codeAt(GOOD, 5).split(" · ")[1];
  assert.deepEqual((await verify(other, alone)).broken, { seq: 6, what: "unseen" });
  assert.equal((await verify(GOOD, alone)).continues.seq, 5);
});

test("an erased name is said, and its salt is erased with it", async () => {
  const erased = (fields) => people((all) => all.map((one) => (one.player === "p1" ? { ...one, ...fields } : one)));
  const found = await verify(erased({ name: null, salt: null }));
  assert.equal(found.broken, undefined);
  assert.deepEqual(found.erased, ["p1"]);
  assert.equal(found.names.p1, "p1");
  assert.deepEqual((await verify(erased({ name: null }))).broken, { seq: 0, what: "name" });
});

test("what is no code is none", () => {
  assert.equal(readCode("7K3Q"), null);
  assert.equal(readCode(codeAt(GOOD, 3)).seq, 3);
});

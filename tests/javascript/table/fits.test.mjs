// What was heard is narrowed by taps: the cards that fit are open, those of every play that fits are needed.

import assert from "node:assert/strict";
import { test } from "node:test";

import { narrowed } from "./fits.js";

const pairs = (...cards) => [cards.flatMap((one, place) => cards.slice(place + 1).map((other) => [one, other]))];
const TWOS = [pairs("2s", "2c", "2d", "2h")];
const RUN = [[[["3s"], ["3c"]], [["4s"], ["4c"]], [["5h"]]]];
const suited = (suit) => ["3", "4", "5"].map((rank) => [[rank + suit]]);

test("every card of a pair is open at first, and a tap leaves those that go with it", () => {
  assert.deepEqual(narrowed(TWOS, []), { open: ["2s", "2c", "2d", "2h"], needed: [] });
  assert.deepEqual(narrowed(TWOS, ["2d"]), { open: ["2s", "2c", "2h"], needed: [] });
  assert.deepEqual(narrowed(TWOS, ["2d", "2s"]), { open: [], needed: [] });
});

test("a card of every play is needed", () => {
  assert.deepEqual(narrowed(RUN, []).needed, ["5h"]);
  assert.deepEqual(narrowed(RUN, ["4c", "5h"]), { open: ["3s", "3c"], needed: [] });
  assert.deepEqual(narrowed([[[["7s", "7h"], ["7c", "7h"]]]], []).needed, ["7h"]);
});

test("the last play that fits needs all of its cards", () => {
  const threes = [[[["7s", "7c", "7d"], ["7s", "7c", "7h"]]]];
  assert.deepEqual(narrowed(threes, []), { open: ["7s", "7c", "7d", "7h"], needed: ["7s", "7c"] });
  assert.deepEqual(narrowed(threes, ["7h"]).needed, ["7s", "7c"]);
  assert.deepEqual(narrowed([suited("s"), suited("h")], ["4h"]), { open: ["3h", "5h"], needed: ["3h", "5h"] });
});

test("of plays whose suits must agree nothing is needed before a tap", () => {
  const open = ["3s", "4s", "5s", "3h", "4h", "5h"];
  assert.deepEqual(narrowed([suited("s"), suited("h")], []), { open, needed: [] });
});

test("cards of no play fit nothing", () => {
  assert.equal(narrowed(TWOS, ["3s"]), null);
  assert.equal(narrowed(TWOS, ["2s", "2c", "2d"]), null);
  assert.equal(narrowed([suited("s"), suited("h")], ["3s", "4h"]), null);
});

test("of two packs each copy counts", () => {
  const twins = [[[["7s", "7s"], ["7s", "7c"]]]];
  assert.deepEqual(narrowed(twins, []).needed, ["7s"]);
  assert.deepEqual(narrowed(twins, ["7s"]), { open: ["7s", "7c"], needed: [] });
  assert.equal(narrowed(twins, ["7c", "7c"]), null);
});

// What is offered for tapped cards: of what the server lists as playable the nearest first, a kind whole or not at all.

import assert from "node:assert/strict";
import { test } from "node:test";

import { offered } from "./offers.js";

const ANY = ["scdh"];
const PAIR = { width: 2, length: 1, suits: ANY, lows: "3456789TJQKA2" };
const RUN = { width: 1, length: 3, suits: ANY, lows: "3456789TJQ" };
const HAND = ["3s", "4c", "5s", "5d", "6h", "7s"];

function texts(ways, tapped, { free = HAND, left = 13 } = {}) {
  return offered(ways, { tapped, free, left, face: (card) => card }).map(({ text }) => text);
}

test("the fewest added cards come first, then what goes up from the lowest tapped card", () => {
  assert.deepEqual(texts([RUN, PAIR], ["5s"]), ["5sd", "+6h7s", "+3s4c", "+4c6h"]);
  assert.deepEqual(texts([RUN, PAIR], ["5s", "6h"]), ["+7s", "+4c"]);
});

test("the cards of an offer are the tapped ones and the added", () => {
  const [pair, up] = offered([RUN, PAIR], { tapped: ["5s"], free: HAND, left: 13, face: (card) => card });
  assert.deepEqual([pair.cards, up.cards], [["5s", "5d"], ["5s", "6h", "7s"]]);
});

test("a kind is offered whole or not at all", () => {
  const sixes = ["6s", "6c", "6d", "6h"];
  const free = [...HAND.filter((card) => card[0] !== "6"), ...sixes];
  assert.deepEqual(texts([RUN], ["5s"], { free }), sixes.map((six) => `+${six}7s`));
  const more = { free: [...free, "7c", "7d"] };
  assert.deepEqual(texts([RUN, PAIR], ["5s"], more), ["5sd", "+3s4c", ...sixes.map((six) => `+4c${six}`)]);
});

test("a ninth is not offered, though there be room for its letters", () => {
  const [fours, sevens] = ["4", "7"].map((rank) => [...ANY[0]].map((suit) => rank + suit));
  const free = [...fours, "5s", "5d", "6s", "6h", ...sevens];
  const eight = [...sevens, ...fours].map((card) => `+${card}`);
  assert.deepEqual(texts([RUN, { ...PAIR, length: 2 }], ["5s", "6s"], { free }), eight);
  assert.deepEqual(texts([{ ...PAIR, length: 2 }], ["5s", "6s"], { free }), ["+5d6h"]);
});

test("what is too long for a line is not offered, though it be few", () => {
  const free = [..."3456789TJ"].map((rank) => `${rank}s`);
  assert.deepEqual(texts([{ ...RUN, length: 5 }], ["7s"], { free }), ["+8s9sTsJs"]);
  assert.equal(texts([{ ...RUN, length: 5 }], ["7s"], { free: free.slice(2) }).length, 3);
});

test("nothing is offered without a tapped card, or beyond the cards that a player holds", () => {
  assert.deepEqual(texts([RUN, PAIR], []), []);
  assert.deepEqual(texts([RUN, PAIR], ["5s"], { left: 2 }), ["5sd"]);
});

test("at the edge of what may be played only the cards that reach it are offered, in one suit if it must be", () => {
  assert.deepEqual(texts([{ ...PAIR, lows: "6789", edge: ["5", "5h"] }], ["5s"]), []);
  assert.deepEqual(texts([{ ...PAIR, lows: "6789", edge: ["5", "5d"] }], ["5s"]), ["5sd"]);
  assert.deepEqual(texts([{ ...RUN, suits: ["s"] }], ["5s"], { free: [...HAND, "6s"] }), ["+6s7s"]);
});

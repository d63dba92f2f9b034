// Each button records its entry, read from the fields of its form as the server reads them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { contentOf } from "./contents.js";

const HAND = [["seat", "p1"], ["cards", "3s"], ["cards", "3c"]];
const COVERING = [["payer", "p1"], ["covered", "p1"], ["covered", "p2"], ["why", "let-through"]];
const PLAY = { kind: "play", seat: "p1", cards: ["3s", "3c"] };
const [DECLARED, SETTLED] = [{ ...PLAY, kind: "declare" }, { round: "7" }];
const NOTES = { words: { debt: ["seat", "cards"] }, letters: { b: "s" } };

/** @type {[string, string[][], object, object][]} */
const CASES = [
  ["undo", [], {}, { kind: "undo" }],
  ["play", HAND, {}, PLAY],
  ["play", [...HAND, ["locks", "no"]], {}, { ...PLAY, locks: false }],
  ["forward", HAND, {}, { ...PLAY, forward: true }],
  ["contract two", HAND, {}, { kind: "contract", seat: "p1", contract: "two" }],
  ["declare", HAND, {}, DECLARED],
  ["declare", HAND, SETTLED, { ...DECLARED, round: 7 }],
  ["none", HAND, SETTLED, { ...DECLARED, cards: [], round: 7 }],
  ["cover", COVERING, SETTLED, { kind: "cover", seat: "p1", covered: ["p2"], why: "let-through", round: 7 }],
  ["settle", [], SETTLED, { kind: "settle", round: 7 }],
  ["round", [["seats", "p1"], ["seats", ""]], {}, { kind: "round", opening: true, seats: ["p1"] }],
  ["round", [["leader", "p2"], ["times", ""]], {}, { kind: "round", leader: "p2" }],
  ["round", [["leader", "p2"], ["times", "2"], ["times", "10"]], {}, { kind: "round", leader: "p2", times: 10 }],
  ["note", [["note", "debt"], ["seat", "p1"], ["cards", "3B, 4s"]], {}, { kind: "note", note: "debt p1 3s 4s" }],
];

test("a button records what the fields of its form say", () => {
  for (const [value, fields, dataset, content] of CASES) {
    const data = new FormData();
    for (const [name, text] of fields) data.append(name, text);
    /** @type {any} */
    const button = { name: "kind", value };
    /** @type {any} */
    const form = { dataset, querySelector: () => ({ textContent: JSON.stringify(NOTES) }) };
    assert.deepEqual(contentOf(button, data, form), content, value);
  }
});

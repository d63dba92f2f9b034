// Of a button that was pressed the fields of its form are queued, and what the page counts and shows until the server
// has made an event of them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { pressed } from "./pressed.js";

const HAND = [["seat", "p1"], ["cards", "3s"], ["cards", "3c"]];
const CARDS = { seat: "p1", cards: ["3s", "3c"] };

/** @type {[string, string[][], object][]} */
const CASES = [
  ["undo", [], { kind: "undo" }],
  ["play", HAND, { kind: "play", ...CARDS }],
  ["forward", HAND, { kind: "play", ...CARDS }],
  ["pass-all", [["others", "p2 p3"]], { kind: "pass" }],
  ["contract two", HAND, { kind: "contract", seat: "p1", contract: "two" }],
  ["declare", [...HAND, ["round", "7"]], { kind: "declare", ...CARDS, round: 7 }],
  ["none", HAND, { kind: "declare", seat: "p1", cards: [] }],
  ["settle", [["round", "7"]], { kind: "settle", round: 7 }],
  ["round", [["seats", "p1"], ["seats", ""]], { kind: "round", leader: "", seats: ["p1"] }],
  ["round", [["leader", "p2"], ["times", ""], ["times", "2"], ["times", "10"]],
    { kind: "round", leader: "p2", seats: ["p2"], times: 10 }],
  ["round", [["leader", "p2"], ["times", ""]], { kind: "round", leader: "p2", seats: ["p2"] }],
  ["note", [["note", "gives"], ["cards", "3B, 4s"]], { kind: "note" }],
];

/** @param {string[][]} fields */
function formOf(fields) {
  const data = new FormData();
  for (const [name, text] of fields) data.append(name, text);
  return data;
}

test("the page counts and shows what a button's form says", () => {
  for (const [value, fields, told] of CASES) {
    assert.deepEqual(pressed({ name: "kind", value }, formOf(fields)).told, told, value);
  }
});

test("a form is queued with its button, and without what belongs to the page that showed it", () => {
  const { content } = pressed({ name: "kind", value: "forward" }, formOf([["id", "1"], ["after", "2"], ...HAND]));
  assert.deepEqual(content, { kind: "form", form: { seat: ["p1"], cards: ["3s", "3c"], kind: ["forward"] } });
});

test("a note that is due is queued as its button says it", () => {
  const { content, told } = pressed({ name: "due", value: "deals p1" }, formOf([["id", "1"]]));
  assert.deepEqual(content, { kind: "form", form: { kind: ["note"], due: ["deals p1"] } });
  assert.deepEqual(told, { kind: "note", note: "deals p1" });
});

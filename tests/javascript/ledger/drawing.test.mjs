// The picture of the board, drawn with a pen of which every letter is half as wide as it is high.

import assert from "node:assert/strict";
import { test } from "node:test";

import { draw } from "./drawing.js";
import { letters } from "../shared/naming.js";

const NAMES = ["An", "Bình", "Nguyễn Thị Phương Chi", "Công Tằng Tôn Nữ Hoàng Thị Bích Ngọc Phương Thảo", "Ô"];
const WORDS = { brought: "From earlier nights", left: "Carried on", handed: "Handed over", due: "Still due" };
const EDGE = 64;

// Each text that was drawn, with its size and place; and the number of outlines.
function drawn({ rows = [], brought = [], left = [], handed = [], due = [] }) {
  const texts = [];
  let outlines = 0;
  const nothing = () => {};
  const pen = new Proxy({ font: "", textAlign: "left" }, {
    get(own, name) {
      const size = Number(own.font.match(/([\d.]+)px/)?.[1]);
      const wide = (text) => (letters(text).length * size) / 2;
      if (name === "measureText") return (text) => ({ width: wide(text) });
      if (name === "stroke") return () => (outlines += 1);
      if (name !== "fillText") return own[name] ?? nothing;
      return (text, x, y) => {
        const left = x - wide(text) * { left: 0, center: 0.5, right: 1 }[own.textAlign];
        texts.push({ text, size, y, left, right: left + wide(text) });
      };
    },
  });
  const canvas = { getContext: () => pen };
  Object.assign(globalThis, {
    document: { createElement: () => canvas },
    getComputedStyle: () => ({ fontFamily: "serif" }),
    Path2D: class {},
  });
  const told = { file: "", head: ["Evening", "20 November"], code: "a code" };
  const { width } = draw({ ...told, rows, brought, left, handed, due }, WORDS);
  return { texts, outlines, width };
}

const row = (name) => ({ place: 1, name, points: "+12", worth: "120.000 ₫", side: "won" });
const transfer = (payer, payee) => ({ payer, payee, worth: "120.000 ₫" });
const pairs = NAMES.flatMap((payer) => NAMES.map((payee) => [payer, payee]));
const line = ({ texts }) => texts.find(({ text }) => text.includes(" → "));

test("no text leaves the picture, or lies on another", () => {
  for (const [payer, payee] of pairs) {
    const [there, back] = [transfer(payer, payee), transfer(payee, payer)];
    const lists = { brought: [back], handed: [there], due: [there, back] };
    const { texts, width } = drawn({ rows: NAMES.map(row), ...lists });
    for (const one of texts) {
      assert.ok(one.left >= EDGE - 1 && one.right <= width - EDGE + 1, one.text);
      const [top, bottom] = [one.y - 0.75 * one.size, one.y + 0.2 * one.size];
      const beside = texts.filter(({ y, size }) => y - 0.75 * size < bottom && y + 0.2 * size > top);
      const over = beside.filter(({ left, right }) => left < one.right && right > one.left);
      assert.deepEqual(over, [one]);
    }
  }
});

test("of a name that is too long the end is drawn, and a short one leaves its room to it", () => {
  const [short, , , longest] = NAMES;
  assert.equal(line(drawn({ due: [transfer(short, "Bình")] })).text, "An → Bình");
  const [first, second] = [[short, longest], [longest, short]].map((pair) => line(drawn({ due: [transfer(...pair)] })));
  assert.match(first.text, /^An → ….*Thảo$/);
  assert.match(second.text, /^….*Thảo → An$/);
  assert.equal(letters(first.text).length, letters(second.text).length);
  const both = line(drawn({ due: [transfer(longest, longest)] })).text.split(" → ");
  assert.deepEqual(both.map((name) => name[0]), ["…", "…"]);
  assert.ok(Math.abs(letters(both[0]).length - letters(both[1]).length) <= 1);
});

test("both cards of the sign are outlined, as one lies on the other", () => {
  assert.equal(drawn({}).outlines, 2);
});

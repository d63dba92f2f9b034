// The answer to the newest question only.

import assert from "node:assert/strict";
import { test } from "node:test";

import { newest } from "./newest.js";

const wait = (ms) => new Promise((done) => setTimeout(done, ms));

function asker() {
  const [shown, asked] = [[], []];
  const ask = (question) => new Promise((answer, fail) => asked.push({ question, answer, fail }));
  return { shown, asked, tell: newest(ask, (text) => shown.push(text), 5) };
}

test("an answer is shown, and cleared by the next question", async () => {
  const { shown, asked, tell } = asker();
  tell("2d");
  await wait(20);
  asked[0].answer("+2");
  await wait(5);
  assert.deepEqual(shown, ["", "+2"]);
  tell(null);
  assert.deepEqual(shown, ["", "+2", ""]);
  await wait(20);
  assert.equal(asked.length, 1);
});

test("questions in quick succession are asked once, and a late answer is ignored", async () => {
  const { shown, asked, tell } = asker();
  tell("2d");
  tell("2d 2h");
  await wait(20);
  assert.deepEqual(asked.map(({ question }) => question), ["2d 2h"]);
  tell("2h");
  asked[0].answer("+4");
  await wait(20);
  assert.ok(!shown.includes("+4"));
});

test("without an answer nothing is shown", async () => {
  const { shown, asked, tell } = asker();
  tell("2d");
  await wait(20);
  asked[0].fail(new Error("offline"));
  await wait(5);
  assert.deepEqual(shown, ["", ""]);
});

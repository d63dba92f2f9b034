// A finger that bounces taps once; a keyboard and assistive technology activate whatever they name.

import assert from "node:assert/strict";
import { test } from "node:test";

class Button {
  closest() {
    return this;
  }
}

const listeners = {};
Object.assign(globalThis, {
  Element: Button,
  addEventListener: (kind, listener) => (listeners[kind] = listener),
  document: { addEventListener: () => {} },
});
await import("./bounce.js");

// Whether clicks at these milliseconds, in the same place, are let through.
function clicks(times, pointed) {
  return times.map((timeStamp) => {
    let passes = true;
    const stop = { preventDefault: () => {}, stopImmediatePropagation: () => (passes = false) };
    listeners.click({ clientX: 80, clientY: 40, detail: 1, timeStamp, target: new Button(), ...pointed, ...stop });
    return passes;
  });
}

test("a second tap in the same place within a moment is none", () => {
  assert.deepEqual(clicks([1000, 1040, 1500], { pointerType: "touch" }), [true, false, true]);
  assert.deepEqual(clicks([2000, 2040, 2500], {}), [true, false, true]);
});

test("a keyboard and assistive technology bounce nowhere", () => {
  assert.deepEqual(clicks([3000, 3040], { pointerType: "" }), [true, true]);
  assert.deepEqual(clicks([4000, 4040], { detail: 0 }), [true, true]);
});

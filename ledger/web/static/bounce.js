// A finger that bounces taps once: a second click in the same place, a moment after the first, is the first one again,
// whatever has come to stand there meanwhile.

const MILLISECONDS = 350;
const PIXELS = 24;

let last = { x: -Infinity, y: -Infinity, at: -Infinity };

addEventListener(
  "click",
  (event) => {
    const { clientX: x, clientY: y, timeStamp: at, detail } = event;
    if (!detail) return; // a key that was pressed
    const bounced = at - last.at < MILLISECONDS && Math.hypot(x - last.x, y - last.y) < PIXELS;
    last = { x, y, at: bounced ? last.at : at };
    if (!bounced || !(/** @type {Part} */ (event.target).closest("button"))) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  true,
);

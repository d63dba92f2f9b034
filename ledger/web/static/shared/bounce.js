// Taps: a second click in the same place within a moment is ignored, even if another button has moved there.

const MILLISECONDS = 350;
const PIXELS = 24;

let last = { x: -Infinity, y: -Infinity, at: -Infinity };

addEventListener(
  "click",
  (event) => {
    const { clientX: x, clientY: y, timeStamp: at, detail, pointerType } = event;
    if (!detail || pointerType === "") return; // from the keyboard, or by assistive technology
    const bounced = at - last.at < MILLISECONDS && Math.hypot(x - last.x, y - last.y) < PIXELS;
    last = { x, y, at: bounced ? last.at : at };
    if (!bounced || !(event.target instanceof Element) || !event.target.closest("button")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  true,
);

// WebKit on iPhones applies `:active` only where touches are listened to.
document.addEventListener("touchstart", () => {}, { passive: true });

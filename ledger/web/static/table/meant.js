// What a tap on the pile means: the play that was there when the finger was on its way, also if an answer has moved the
// rows since.

/** @typedef {{ left: number, right: number, top: number, bottom: number, href: string }} Place */

const ON_ITS_WAY = 300; // milliseconds

/** Where the plays were until some times, the oldest first. @type {{ until: number, places: Place[] }[]} */
let before = [];

document.addEventListener("renewing", ({ timeStamp }) => {
  const places = [...document.querySelectorAll(".pile a")].map((link) => {
    const { left, right, top, bottom } = link.getBoundingClientRect();
    return { left, right, top, bottom, href: link.href };
  });
  before = [...before.filter(({ until }) => until > timeStamp - ON_ITS_WAY), { until: timeStamp, places }];
});

/** The address of the play that a tap means; empty if none. @param {Happening} tap */
export function meant({ target, timeStamp, clientX, clientY, pointerType }) {
  const link = target.closest(".pile a");
  const old = before.find(({ until }) => until > timeStamp - ON_ITS_WAY);
  // A keyboard and assistive technology have an empty type; older browsers have none.
  const isPointed = pointerType ?? (clientX || clientY);
  if (!old || !isPointed || target.closest("a, button, label") !== link) return link?.href ?? "";
  const there = old.places.find(({ left, right, top, bottom }) =>
    left <= clientX && clientX < right && top <= clientY && clientY < bottom);
  return there?.href ?? "";
}

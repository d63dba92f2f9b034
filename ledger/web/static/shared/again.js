// Inline in every page: a script or style that failed to load is loaded again, after a pause that grows with each
// failure.
let pause = 500;
addEventListener("error", ({ target: lost }) => {
  if (!(lost instanceof Element) || !["script", "link"].includes(lost.localName)) return;
  const again = document.createElement(lost.localName);
  for (const { name, value } of lost.attributes) again.setAttribute(name, value);
  setTimeout(() => lost.replaceWith(again), pause);
  pause = Math.min(pause * 1.2, 30_000);
}, true);

// Elements that are not wholly on the screen, or lie under another.
(selector) => [...document.querySelectorAll(selector)].filter((one) => {
  const { left, right, top, bottom } = one.getBoundingClientRect();
  const isHit = (y) => one.contains(document.elementFromPoint((left + right) / 2, y));
  return left < 0 || right > innerWidth || !isHit(top + 2) || !isHit(bottom - 2);
}).map((one) => one.innerText);

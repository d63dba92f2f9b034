// Faults of the table's layout, and the sizes of its smallest controls.
() => {
  const page = document.scrollingElement;
  // What is offered lies over the rarer buttons, which are hidden meanwhile.
  const visible = (one) => one.getClientRects().length && getComputedStyle(one).visibility === "visible";
  const shown = (selector) => [...document.querySelectorAll(selector)].filter(visible);
  const controls = shown(".key, .seat, .actions button, .corner, .aside, .bar a, .bar button");
  const boxesOf = (all) => all.map((one) => one.getBoundingClientRect());
  const boxes = boxesOf(controls);
  const name = (control) => control.innerText.trim();
  const over = [];
  for (const all of [controls, shown(".bar, .seats, .felt, .backs, .grid, .actions")])
    boxesOf(all).forEach((a, i, those) => those.slice(i + 1).forEach((b, j) => {
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (wide > 0.5 && high > 0.5) over.push(`${name(all[i])} / ${name(all[i + 1 + j])}`);
    }));
  const size = (selector) => shown(selector).map((one) => one.getBoundingClientRect());
  const NONE = 1000; // the size of what is not on the page: JSON knows no infinity
  const smallest = (selector) => Math.min(NONE, ...size(selector).flatMap((box) => [box.width, box.height]));
  // A button that is pressed is drawn smaller.
  const heightReleased = (one) =>
    one.getBoundingClientRect().height / new DOMMatrix(getComputedStyle(one).transform).d;
  return {
    sideways: page.scrollWidth > innerWidth,
    scrolls: page.scrollHeight > innerHeight || page.scrollWidth > innerWidth,
    outside: controls.filter((_, i) => boxes[i].left < 0 || boxes[i].top < 0 || boxes[i].right > innerWidth + 0.5
      || boxes[i].bottom > innerHeight + 0.5).map(name),
    over,
    cut: shown(".key span, .face, .actions button, .corner, .bar a, .notice, .felt")
      .filter((one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1).map(name),
    key: smallest(".key"),
    seat: smallest(".seat"),
    aside: smallest(".aside"),
    button: Math.min(NONE, ...shown(".actions button:not(.rare *, .offers *)").map(heightReleased)),
  };
}

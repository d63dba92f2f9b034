() => {
  const shown = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
  const name = (one) => (one.innerText || one.name).trim();
  const small = (one, least) => one.getBoundingClientRect().height < least;
  const wide = (one) => one.scrollWidth > one.clientWidth + 1 || one.getBoundingClientRect().right > innerWidth;
  const kinds = [".choice", ".field", "button"].flatMap((one) => [`#beside ${one}`, `.noting ${one}`]);
  const boxes = shown(kinds.join()).map((one) => [one, one.getBoundingClientRect()]);
  const apart = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) <= 0.5
    || Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) <= 0.5;
  const over = boxes.filter(([one, box], i) => boxes.slice(i + 1).some(
    ([other, its]) => !apart(box, its) && !one.contains(other) && !other.contains(one)));
  return {
    cut: shown("main button, main summary, main .choice, main .lines span").filter(wide).map(name),
    small: [...shown("main button, main .choice").filter((one) => small(one, 36)),
      ...shown(".noting input:not([type]), .noting select").filter((one) => small(one, 44))].map(name),
    over: over.map(([one]) => name(one)),
  };
}

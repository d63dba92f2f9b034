// Tables that are wider than their boxes, so that their last columns are out of sight, and pages that are wider than
// the screen, with all that is folded opened.
() => {
  const folded = [...document.querySelectorAll("main details:not([open])")];
  for (const one of folded) one.open = true;
  const found = [...document.querySelectorAll("table")].filter((table) => {
    const box = table.closest(".wide") ?? table.parentElement;
    return table.checkVisibility() && box.scrollWidth > box.clientWidth + 1;
  }).map((table) => `off the edge: ${table.innerText.slice(0, 60)}`);
  if (document.scrollingElement.scrollWidth > innerWidth) found.push("off the edge: the page");
  for (const one of folded) one.open = false;
  return found;
}

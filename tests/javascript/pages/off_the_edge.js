// Tables that are wider than their boxes, also in what is folded: their last columns are out of sight.
() => {
  const folded = [...document.querySelectorAll("details:not([open])")];
  for (const one of folded) one.open = true;
  const found = [...document.querySelectorAll("table")].filter((table) => {
    const box = table.closest(".wide") ?? table.parentElement;
    return table.checkVisibility() && box.scrollWidth > box.clientWidth + 1;
  });
  for (const one of folded) one.open = false;
  return found.map((table) => `off the edge: ${table.innerText.slice(0, 60)}`);
}

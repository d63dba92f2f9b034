// Words that are cut, overlap others or leave the screen, and names in tables broken within a word.
() => {
  // What lies over the page, and what is scrolled in its own frame, is looked at by itself.
  const apart = "svg, select, script, template, dialog, .pending, .offers, [hidden], .unseen, .wide";
  const behind = document.querySelector(".offers:not([hidden])") ? `${apart}, .actions` : apart;
  const shown = (one) => !one.closest(behind) && one.checkVisibility({ visibilityProperty: true });
  const found = [], lines = [], texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (const one of [...document.querySelectorAll("body *")].filter(shown)) {
    const { overflowX, overflowY } = getComputedStyle(one);
    const wide = overflowX !== "visible" && one.scrollWidth > one.clientWidth + 1;
    const high = ["hidden", "clip"].includes(overflowY) && one.scrollHeight > one.clientHeight + 1;
    if ((wide || high) && !one.matches("input, textarea, html, body")) found.push(`cut: ${one.innerText}`);
  }
  for (const name of document.querySelectorAll(".wide table:not(.sheet) tbody th")) {
    if (!name.checkVisibility()) continue;
    const range = document.createRange();
    range.selectNodeContents(name);
    let rows = 0, end = -Infinity;
    for (const { top, bottom } of [...range.getClientRects()].sort((one, other) => one.top - other.top)) {
      // Texts of different sizes in one row have different tops, and about the same middle.
      if ((top + bottom) / 2 > end) [rows, end] = [rows + 1, bottom];
    }
    if (rows > name.innerText.trim().split(/\s+/).length) found.push(`torn: ${name.innerText}`);
  }
  // What stays at the screen's edge lies over what is scrolled below it.
  const stuck = ({ parentElement }) => parentElement.closest(".next, .steps");
  // The em of a line, about its middle: the box of a line is higher, and how much is up to the font.
  const emOf = ({ text, box: { top, bottom } }) => {
    const size = parseFloat(getComputedStyle(text.parentElement).fontSize), middle = (top + bottom) / 2;
    return { size, top: middle - size / 2, bottom: middle + size / 2 };
  };
  while (texts.nextNode()) {
    const text = texts.currentNode, range = document.createRange();
    if (!text.data.trim() || !shown(text.parentElement)) continue;
    range.selectNodeContents(text);
    lines.push(...[...range.getClientRects()].filter(({ width }) => width > 1).map((box) => ({ text, box })));
  }
  lines.sort((one, other) => one.box.top - other.box.top).forEach((line, place) => {
    const { text, box } = line;
    if (box.left < -1 || box.right > innerWidth + 1) found.push(`outside: ${text.data.trim()}`);
    for (let next = place + 1; next < lines.length && lines[next].box.top < box.bottom; next++) {
      const { text: other, box: its } = lines[next];
      const wide = Math.min(box.right, its.right) - Math.max(box.left, its.left);
      if (text === other || wide <= 2 || stuck(text) !== stuck(other)) continue;
      const [em, another] = [line, lines[next]].map(emOf);
      const high = Math.min(em.bottom, another.bottom) - Math.max(em.top, another.top);
      if (high > Math.min(em.size, another.size) / 5)
        found.push(`over each other: ${text.data.trim()} / ${other.data.trim()}`);
    }
  });
  return [...new Set(found)].slice(0, 3);
}

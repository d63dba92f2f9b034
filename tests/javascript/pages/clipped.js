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
    const rows = new Set([...range.getClientRects()].map(({ top }) => Math.round(top / 8)));
    if (rows.size > name.innerText.trim().split(/\s+/).length) found.push(`torn: ${name.innerText}`);
  }
  while (texts.nextNode()) {
    const text = texts.currentNode, range = document.createRange();
    if (!text.data.trim() || !shown(text.parentElement)) continue;
    range.selectNodeContents(text);
    lines.push(...[...range.getClientRects()].filter(({ width }) => width > 1).map((box) => ({ text, box })));
  }
  lines.sort((one, other) => one.box.top - other.box.top).forEach(({ text, box }, place) => {
    if (box.left < -1 || box.right > innerWidth + 1) found.push(`outside: ${text.data.trim()}`);
    for (let next = place + 1; next < lines.length && lines[next].box.top < box.bottom; next++) {
      const { text: other, box: its } = lines[next];
      const wide = Math.min(box.right, its.right) - Math.max(box.left, its.left);
      const high = Math.min(box.bottom, its.bottom) - Math.max(box.top, its.top);
      if (text !== other && wide > 2 && high > Math.min(box.height, its.height) / 3)
        found.push(`over each other: ${text.data.trim()} / ${other.data.trim()}`);
    }
  });
  return [...new Set(found)].slice(0, 3);
}

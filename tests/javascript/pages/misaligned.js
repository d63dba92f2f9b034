// Buttons whose words are not in their middle, `A → B` that breaks behind its arrow, and `Round 1` on two lines.
() => {
  const apart = "svg, select, script, template, dialog, .pending, [hidden], .unseen";
  const shown = (one) => !one.closest(apart) && one.checkVisibility({ visibilityProperty: true });
  const found = [], range = document.createRange();
  const middle = (boxes) => {
    const ends = [Math.min(...boxes.map(({ top }) => top)), Math.max(...boxes.map(({ bottom }) => bottom))];
    return (ends[0] + ends[1]) / 2;
  };
  const textsIn = (root) => {
    const texts = [], walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      if (walker.currentNode.data.trim() && shown(walker.currentNode.parentElement)) texts.push(walker.currentNode);
    }
    return texts;
  };
  for (const button of [...document.querySelectorAll("button, .button")].filter(shown)) {
    const boxes = textsIn(button).flatMap((text) => (range.selectNodeContents(text), [...range.getClientRects()]));
    // Medals and flags are seen by their borders.
    const bordered = [...button.querySelectorAll(".medal, .flag")].filter(shown);
    if (bordered.length) boxes.push(...bordered.map((one) => one.getBoundingClientRect()));
    const off = boxes.length && middle(boxes) - middle([button.getBoundingClientRect()]);
    if (Math.abs(off) > 1.5) found.push(`off its middle by ${off.toFixed(1)}: ${button.innerText}`);
  }
  const topOf = (text, from, to) => {
    range.setStart(text, from);
    range.setEnd(text, to);
    return [...range.getClientRects()].map(({ top }) => Math.round(top));
  };
  const texts = textsIn(document.body);
  texts.forEach((text, place) => {
    for (const { 0: label, index } of text.data.matchAll(/(Ván|Round)\s\d+/g)) {
      if (new Set(topOf(text, index, index + label.length)).size > 1) found.push(`on two lines: ${label}`);
    }
    for (const { index } of text.data.matchAll(/→/g)) {
      if (innerWidth < 320 || !text.parentElement.closest(".lines, .transfer, h1")) continue;  // large text may
      const rest = text.data.slice(index + 1).search(/\S/);
      const next = rest < 0 ? texts[place + 1] : text;
      if (!next) continue;
      const at = rest < 0 ? next.data.search(/\S/) : index + 1 + rest;
      const [arrow] = topOf(text, index, index + 1), [name] = topOf(next, at, at + 1);
      if (name > arrow + 8) found.push(`ends in an arrow: ${text.data.trim()}`);
    }
  });
  return [...new Set(found)].slice(0, 5);
}

// What must be read on the felt, and is cut by its edges or lies under something: the newest play, its player, the
// news.
() => {
  const felt = document.querySelector(".felt").getBoundingClientRect();
  const pile = document.querySelector(".pile").getBoundingClientRect();
  const line = document.querySelector(".say").getBoundingClientRect();
  const range = document.createRange();
  const found = [];
  const look = (name, one, { left, right, top, bottom }, within) => {
    const out = Math.max(within.left - left, right - within.right, within.top - top, bottom - within.bottom);
    if (out > 1.5) found.push(`${name} ${one.textContent} is cut by ${out.toFixed(1)}`);
  };
  const textsOf = (one) => {
    const walker = document.createTreeWalker(one, NodeFilter.SHOW_TEXT), texts = [];
    while (walker.nextNode()) if (walker.currentNode.data.trim()) texts.push(walker.currentNode);
    return texts;
  };
  // The box of a line is higher than its letters: about their em.
  const emOf = (text) => {
    range.selectNodeContents(text);
    const { left, right, top, bottom } = range.getBoundingClientRect();
    const middle = (top + bottom) / 2, half = 0.4 * parseFloat(getComputedStyle(text.parentElement).fontSize);
    const lines = Math.max(1, range.getClientRects().length);
    return lines > 1 ? { left, right, top, bottom } : { left, right, top: middle - half, bottom: middle + half };
  };
  for (const card of document.querySelectorAll(".top .card")) {
    for (const text of textsOf(card)) look("card", card, emOf(text), pile);
    const box = card.getBoundingClientRect();
    look("card", card, { ...box.toJSON(), right: box.left }, pile);
  }
  const hand = document.querySelector(".top .hand").getBoundingClientRect();
  const who = document.querySelector(".top .who");
  for (const text of textsOf(who)) look("who", who, emOf(text), pile);
  if (who.getBoundingClientRect().left < hand.right - 1 && who.getBoundingClientRect().top < hand.bottom - 2)
    found.push("the player lies over the cards");
  if (hand.bottom > line.top + 1 && line.height) found.push("the cards lie over the line below");
  for (const one of document.querySelectorAll(".news li")) {
    const box = one.getBoundingClientRect();
    look("news", one, box, felt);
    if (box.bottom > hand.top + 1) found.push(`${one.textContent} lies over the cards`);
    const wide = [one, ...one.querySelectorAll(".flag")].some((part) => part.scrollWidth > part.clientWidth + 1);
    if (wide) found.push(`${one.textContent} is cut`);
  }
  return found;
}

// What is wrong with the play behind the newest one: its cards are to be read, and to end where the newest ones begin.
() => {
  const row = document.querySelector(".pile .below"), pile = document.querySelector(".pile").getBoundingClientRect();
  const top = document.querySelector(".pile .top .hand").getBoundingClientRect();
  const found = [], range = document.createRange();
  if (Math.abs(row.getBoundingClientRect().bottom - top.top) > 2) found.push("a gap");
  for (const card of row.querySelectorAll(".card")) {
    range.selectNodeContents(card.querySelector("b"));
    const box = range.getBoundingClientRect(), size = parseFloat(getComputedStyle(card).fontSize);
    const middle = (box.top + box.bottom) / 2;
    const [high, low] = [middle - 0.4 * size, middle + 0.4 * size];
    if (high < pile.top - 1 || low > top.top + 1) found.push(`${card.textContent}: not seen`);
    if (card.getBoundingClientRect().bottom < top.top) found.push(`${card.textContent}: its end is seen`);
    if (box.right > pile.right) found.push(`${card.textContent}: cut`);
  }
  return found;
}

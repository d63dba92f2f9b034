() => [...document.querySelectorAll(".hand")].flatMap((hand) => {
  const cards = [...hand.children];
  return cards.slice(1).filter((card, place) => {
    const corner = document.createRange();
    corner.selectNodeContents(cards[place]);
    return corner.getBoundingClientRect().right > card.getBoundingClientRect().left + 0.5;
  }).map((card) => card.textContent);
})

// The rows of the pile at one moment: what each says, how high up it is, and how high.
() => [...document.querySelectorAll(".pile a")].map((row) => {
  const { top, height } = row.getBoundingClientRect();
  const cards = row.querySelector(".cards, .hand").innerText.replace(/\s/g, "");
  return [cards, Math.round(top), Math.round(height)];
})

// Tap keys and the main button within one frame; returns what the page shows in it, before anything that is awaited.
(cards) => new Promise((resolve) => requestAnimationFrame(() => {
  const keys = cards.map((card) => document.querySelector(`.key:not(:has(:disabled)) [value="${card}"]`));
  const main = document.querySelector(".actions button.main");
  const colours = () => keys.map((key) => getComputedStyle(key.nextElementSibling).backgroundColor);
  const before = colours();
  for (const key of keys) key.click();
  const pressed = colours().filter((colour, place) => colour !== before[place]).length;
  const words = main.innerText;
  main.click();
  const rows = [...document.querySelectorAll(".pile .waiting")].map((row) => row.textContent);
  resolve({ pressed, words, rows });
}))

// The form of a hand left after a round: the main button shows what will be recorded of the tapped cards, and buttons
// that do not match them are disabled.

import { factsOf } from "../shared/facts.js";
import { fill, label } from "../shared/naming.js";

const main = document.querySelector("main");

function draw() {
  const chosen = main.querySelector("[data-waits] [name=seat]:checked");
  if (!chosen) return;
  const { form } = chosen;
  const { many, seats } = factsOf(form);
  const seat = seats[chosen.value];
  const cards = [...form.querySelectorAll("[name=cards]:checked")];
  const meant = !cards.length ? "none" : cards.length === seat.left ? "show" : "declare";
  const shown = cards.length > 6 ? [fill(many, { number: cards.length })] : cards.map(label);
  for (const button of form.querySelectorAll("[name=kind]")) {
    const { plain } = button.dataset;
    button.disabled = (button.value === "none") !== !cards.length;
    button.classList.toggle("main", button.value === meant);
    button.textContent = button.value === meant ? [plain, ...shown, "→", seat.name].join(" ") : plain;
  }
}

for (const news of ["change", "renewed", "queue"]) document.addEventListener(news, draw);

draw();

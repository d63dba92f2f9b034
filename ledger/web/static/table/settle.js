// The form of a hand left after a round: the main button shows what will be recorded of the tapped cards, and buttons
// that do not match them are disabled.

import "../shared/asks.js";
import { factsOf, the } from "../shared/facts.js";
import { fill, label } from "../shared/naming.js";

const main = the("main");

function draw() {
  const chosen = main.querySelector("[data-waits] [name=seat]:checked");
  if (!chosen?.form) return;
  const { form } = chosen;
  /** @type {HandFacts | null} */
  const facts = factsOf(form);
  const seat = facts?.seats[chosen.value];
  if (!facts || !seat) return;
  const cards = [...form.querySelectorAll("[name=cards]:checked")];
  const meant = !cards.length ? "none" : cards.length === seat.left ? "show" : "declare";
  const shown = cards.length > 6 ? [fill(facts.many, { number: cards.length })] : cards.map(label);
  for (const button of form.querySelectorAll("[name=kind]")) {
    const { plain } = button.dataset;
    button.disabled = (button.value === "none") !== !cards.length;
    button.classList.toggle("main", button.value === meant);
    button.textContent = button.value === meant ? [plain, ...shown, "→", seat.name].join(" ") : plain;
  }
}

// Do not renew the page under cards that are tapped: it shows what is new once they are recorded.
document.addEventListener("news", (event) => main.querySelector(".grid :checked") && event.preventDefault());
for (const news of ["change", "renewed", "queue"]) document.addEventListener(news, draw);

draw();

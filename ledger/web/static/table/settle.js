// The form of a hand left after a round: the main button shows what will be recorded of the tapped cards, and buttons
// that do not match them are disabled. What any declaration of the page would change is asked of the server after each
// tap; while entries wait, which it does not know, and without an answer, nothing is said.

import { ask } from "../shared/asking.js";
import { factsOf, fieldsOf, the } from "../shared/facts.js";
import { fill, label } from "../shared/naming.js";
import { newest } from "../shared/newest.js";
import { queue } from "../shared/queue.js";

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

/** @type {Map<string, (fields: FormData | null) => Promise<void>>} */
const askers = new Map(); // id of an output -> asks what its form would change

/** @param {Part} output */
function changes({ id }) {
  const shown = () => document.querySelector(`#${id}`);
  return newest(
    /** @param {FormData} fields */
    async (fields) => {
      const options = { method: "POST", headers: { Accept: "text/html" }, body: new URLSearchParams([...fields]) };
      const response = await ask(shown()?.closest("form")?.action ?? "", options);
      const answer = new DOMParser().parseFromString(await response.text(), "text/html");
      return response.ok ? (answer.getElementById(id)?.textContent.trim() ?? "") : "";
    },
    (text) => {
      const place = shown();
      if (place) place.textContent = text;
    },
  );
}

/** @param {Part} output */
function askAgain(output) {
  const asker = askers.get(output.id) ?? changes(output);
  askers.set(output.id, asker);
  const fields = fieldsOf(output.closest("form"));
  fields.append("kind", output.dataset.asks);
  asker(queue.waiting().length ? null : fields);
}

document.addEventListener("change", ({ target }) => {
  const output = target.form?.querySelector("[data-asks]");
  if (output) askAgain(output);
});
for (const news of ["renewed", "queue"]) {
  document.addEventListener(news, () => {
    for (const output of main.querySelectorAll("[data-asks]")) if (askers.has(output.id)) askAgain(output);
  });
}

// Do not renew the page under cards that are tapped: it shows what is new once they are recorded.
document.addEventListener("news", (event) => main.querySelector(".grid :checked") && event.preventDefault());
for (const news of ["change", "renewed", "queue"]) document.addEventListener(news, draw);

draw();

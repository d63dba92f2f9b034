// What a form would change, asked of the server after each change of its fields: `data-asks` of its output is the value
// of the button that asks. While entries wait, which the server does not know, and without an answer, nothing is said.

import { ask } from "./asking.js";
import { fieldsOf } from "./facts.js";
import { newest } from "./newest.js";
import { queue } from "./queue.js";

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
    for (const output of document.querySelectorAll("[data-asks]")) if (askers.has(output.id)) askAgain(output);
  });
}

// The button that corrects a move says what will be recorded, as the table's does, or what to tap first. What it takes
// with it is asked of the server, and sent along as seen.

import "../shared/asks.js";
import { factsOf, the } from "../shared/facts.js";
import { sayOn, words } from "../table/saying.js";

const form = the("form.record");
const button = the("button.main", form);
/** @type {MendFacts | null} */
const facts = factsOf(form);

/** @param {string} text */
const sorted = (text) => text.trim().split(" ").sort().join(" ");

function say() {
  const seat = form.querySelector("[name=seat]:checked");
  const cards = [...form.querySelectorAll("[name=cards]:checked")];
  const now = [seat?.value ?? "", ...cards.map((key) => key.value)].join(" ");
  const [{ plain }, { was }] = [button.dataset, form.dataset];
  const changed = seat && sorted(now) !== sorted(was ?? "");
  button.disabled = Boolean(was) && !changed;
  if (!facts) return;
  const what = cards.length ? words(facts.naming, cards) : facts.pass;
  const name = seat ? the("b", seat.closest(".seat")).textContent : "";
  sayOn(button, facts.naming, changed ? { what, name, cards: cards.length } : { what: plain, name: "", cards: 0 });
}

// A page that is gone back to is as it was left: what was recorded meanwhile is loaded.
addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
form.addEventListener("change", say);
form.addEventListener("submit", () => {
  the("[name=seen]", form).value = the("#changes", form).textContent;
});
say();

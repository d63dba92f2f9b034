// The form that opens a table, and the one by which it agrees on other rules: filters the presets by a search and by
// the number of players named, marks house rules and payment schemes that change nothing under the chosen rules, and
// shows the default in each empty price. Without this script the server does the same. With it the night is dated in
// the phone's time zone instead of the server's.

import { fieldsOf, the } from "../shared/facts.js";

const main = the("#open");
const presets = [...document.querySelectorAll(".presets .choice")];
const names = [...document.querySelectorAll("[name=players]")];
const switches = [...document.querySelectorAll(".switch[data-idle]")];
/** House rules, ways of paying and prices. */
const RULES = ".switch[data-idle], #prices :is(tr:has(input), .places, .field)";
const search = the("#search");
const none = the("#none");
const notes = the("#notes").dataset;

/** @param {string} text */
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").replace(/đ/gi, "d").toLowerCase();

function shorten() {
  const wanted = plain(search.value).split(/[\s,]+/).filter(Boolean);
  const named = names.filter((name) => name.value.trim()).length;
  /** @param {string} words */
  const matches = (words) => wanted.every((word) => plain(words).includes(word));
  let shown = 0;
  for (const preset of presets) {
    const fits = named < 2 || Number(preset.dataset.players) <= named;
    const found = matches(preset.dataset.words);
    preset.hidden = !(the("input", preset).checked || (fits && found));
    shown += found && fits ? 1 : 0;
  }
  for (const rule of document.querySelectorAll(RULES)) {
    rule.hidden = !matches(`${rule.textContent} ${rule.closest("[data-words]")?.dataset.words}`);
    shown += rule.hidden ? 0 : 1;
    // Unfold the lists that contain a match.
    const found = wanted.length && !rule.hidden;
    for (let at = found ? rule : null; at; at = at.parentElement?.closest("details") ?? null) at.open = true;
  }
  if (wanted.length) the(".presets details").open = true;
  none.textContent = shown ? "" : none.dataset.none;
}

function note() {
  const chosen = document.querySelector("[name=ruleset]:checked")?.value;
  for (const one of switches) {
    one.querySelector("small")?.remove();
    if (!chosen) continue;
    const words = JSON.parse(one.dataset.refused)[chosen];
    if (!words && !one.dataset.idle.split(" ").includes(chosen)) continue;
    const small = document.createElement("small");
    small.textContent = words ? ` – ${notes.refused}: ${words}` : ` – ${notes.idle}`;
    the("span", one).append(small);
  }
}

/** Leave the page as it is, without an answer: Firefox and Safari also give none to a page that is being left. */
const stay = () => {};
let asking = 0;

/** Replace the prices by those of the chosen rules, with the usual number of what these need, and keep what was typed;
 * and say which of these rules have no effect. What was chosen stays where it is on the screen: the next finger is on
 * its way to what is beside it. @param {Part} choice */
async function reprice(choice) {
  const turn = ++asking;
  const form = fieldsOf(main);
  const chosen = new URLSearchParams([["ruleset", String(form.get("ruleset"))]]);
  for (const line of form.getAll("rule")) if (line) chosen.append("rule", line);
  const answer = await fetch(`?${chosen}`);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const [before, now] = [document, page].map((one) => one.querySelector("#prices"));
  if (turn !== asking || !before || !now) return;
  const fields = () => [...document.querySelectorAll("#prices :is(input, select)")];
  const [at, chosenAt] = [document.activeElement, choice].map((place) => fields().findIndex((one) => one === place));
  const chosenNow = () => fields()[chosenAt] ?? choice;
  const stood = chosenNow().getBoundingClientRect().top;
  the("#told").replaceWith(the("#told", page));
  now.open = before.open;
  the("#apart", now).checked ||= the("#apart", before).checked;
  for (const filled of now.querySelectorAll("input[name]")) if (filled.value) filled.dataset.usual = filled.value;
  for (const field of before.querySelectorAll("input, select")) {
    // A number that was filled in, and not changed, goes with the choice that needed it.
    if (field.value && field.dataset.usual === field.value) continue;
    const [here, there] = [before, now].map((one) => [...one.querySelectorAll(`[name="${field.name}"]`)]);
    const same = there[here.indexOf(field)];
    if (same) same.value = field.value || same.value;
    else if (field.name && field.value) {
      // A typed price that the new rules do not have stays: the server will refuse it, and nothing typed is lost.
      const row = field.closest("tr, fieldset");
      if (row) (field.closest("td") ? the("table", now) : now).append(row);
    }
  }
  before.replaceWith(now);
  if (at >= 0) fields()[at]?.focus({ preventScroll: true });
  shorten();
  if (chosenNow().isConnected) scrollBy(0, chosenNow().getBoundingClientRect().top - stood);
}

/** Say the rules and the money of the form in the line that folds them. */
async function sayTerms() {
  const form = fieldsOf(main);
  form.set("act", "check");
  const answer = await fetch("", { method: "POST", body: new URLSearchParams([...form]) });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const [before, now] = [document, page].map((one) => one.querySelector("#rules > summary"));
  if (before && now) before.replaceChildren(...now.childNodes);
}

/** Complete the typed prices of places. A single empty one balances the others; if no sign was typed, the last places
 * pay what the first win. @param {Part} places */
function balance(places) {
  const fields = [...places.querySelectorAll("input")];
  const numbers = fields.map(({ value }) => (/^\s*[+−-]?\d+\s*$/.test(value) ? Number(value.replace("−", "-")) : NaN));
  /** @param {number[]} some */
  const sum = (some) => some.reduce((all, number) => all + (number || 0), 0);
  if (numbers.some((number, place) => fields[place].value.trim() && !Number.isInteger(number))) return;
  const empty = fields.filter((field) => !field.value.trim());
  if (empty.length === 1) empty[0].value = String(-sum(numbers));
  const won = numbers.findIndex((_, place) => sum(numbers.slice(0, place)) === sum(numbers.slice(place)));
  const unsigned = !empty.length && won > 0 && numbers.every((number) => number >= 0);
  for (const [place, number] of numbers.entries()) {
    if (unsigned && place >= won && number) fields[place].value = String(-number);
  }
  const over = unsigned || empty.length ? 0 : sum(numbers);
  the("output", places).textContent = over ? `${places.dataset.off}${over}` : "";
}

main.addEventListener("focusout", ({ target, relatedTarget }) => {
  const places = target.closest(".places[data-off]");
  if (places && !places.contains(relatedTarget)) balance(places);
});
main.addEventListener("change", ({ target }) => {
  if (["ruleset", "rule"].includes(target.name)) void reprice(target).catch(stay);
});

const rules = document.querySelector("#rules");
rules?.addEventListener("toggle", () => rules.open || void sayTerms().catch(stay));

the(":has(> #search)").hidden = false;
search.addEventListener("input", shorten);
// Enter in the search must not send the form.
search.addEventListener("keydown", (event) => event.key === "Enter" && event.preventDefault());
for (const name of names) name.addEventListener("input", shorten);
for (const preset of presets) preset.addEventListener("change", () => (shorten(), note()));
shorten();
note();

// The phone's offset from UTC: +07:00.
const ahead = -new Date().getTimezoneOffset();
/** @param {number} number */
const two = (number) => String(Math.trunc(Math.abs(number))).padStart(2, "0");
for (const zone of document.querySelectorAll("[name=zone]")) {
  zone.value = `${ahead < 0 ? "-" : "+"}${two(ahead / 60)}:${two(ahead % 60)}`;
}

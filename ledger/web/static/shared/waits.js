// Forms that are queued like moves: the next round's beginning, hands left, settling, notes. They are sent in order
// with tapped entries; one that is refused alone is shown again as its page, with the error.

import { pressed } from "./pressed.js";
import { fieldsOf, the } from "./facts.js";
import { focusOn, focused, post } from "./page.js";
import { queue } from "./queue.js";

const main = the("main");
const UNSAID = "[name=seats] *, option[value='']";

/** A form's content as a text, in its own labels. @param {Part} form @param {Part} button */
function textOf(form, button) {
  const described = document.getElementById(button.getAttribute("aria-describedby") ?? "");
  if (button.name === "due" && described) return described.textContent;
  /** @param {Part} one */
  const said = (one) => {
    if (one.matches("option")) return one.textContent;
    return one.type === "text" ? one.value : the("span", one.closest(".key, label")).firstChild.textContent;
  };
  const shown = [...form.querySelectorAll(":checked, input:not([type])")];
  /** @param {Part} one */
  const isSeen = (one) => (one.closest("select") ?? one).getClientRects().length && !one.matches(UNSAID);
  const seen = shown.filter(isSeen);
  return [button.dataset.plain ?? button.textContent.trim(), ...seen.map(said)].filter(Boolean).join(" · ");
}

document.addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  // A form that record.js has taken may have become another one by now, since the page was drawn anew.
  if (event.defaultPrevented || !("waits" in form.dataset)) return;
  event.preventDefault();
  const button = submitter ?? the("button", form);
  const { content, told } = pressed(button, fieldsOf(form));
  const shown = { ...told, text: textOf(form, button), then: form.dataset.waits, form: { action: form.action } };
  form.reset();
  // Prevent a second note by a second tap.
  if (button.value === "note") button.disabled = true;
  queue.say(content, shown);
});
document.addEventListener("input", ({ target }) => {
  for (const button of target.form?.querySelectorAll("[value=note]") ?? []) button.disabled = false;
});

/** @type {Part | null} */
let held = null; // what had the focus in a form before that was inert

/** @param {Part | null} form */
const roundOf = (form) => Number(form && fieldsOf(form).get("round"));

// Disable what is already queued, and select the next hand. While an answer is pending, the forms are inert.
function draw() {
  const waiting = queue.waiting().map(({ told }) => told);
  /** @type {(button: Part) => (told: Told) => boolean} */
  const answers = ({ name, value, form }) => (one) =>
    name === "due" ? one.note === value : one.kind === value && one.round === roundOf(form);
  for (const button of main.querySelectorAll("[data-waits] :is([name=due], [value=settle])")) {
    button.disabled ||= waiting.some(answers(button));
  }
  const underWay = waiting.length > 0 && !queue.offline && !queue.halt;
  for (const form of main.querySelectorAll("[data-waits]")) {
    if (underWay && form.contains(focused())) held = focused();
    form.inert = underWay;
  }
  if (held && !underWay) {
    if (focused() === document.body) focusOn(held);
    held = null;
  }
  const asked = [...main.querySelectorAll("[data-waits] [name=seat]")];
  const told = waiting.filter(({ kind }) => kind !== "cover").map(({ seat }) => seat);
  for (const radio of asked) radio.disabled = told.includes(radio.value);
  const rest = asked.filter((radio) => !radio.disabled);
  if (rest.length && !rest.some((radio) => radio.checked)) rest[0].checked = true;
  if (asked[0]?.form) asked[0].form.hidden = !rest.length;
}

// A refused form with nothing queued after it is shown again, filled in: nothing was recorded under its id. If no page
// can show it, a person decides about it as about a move.
const unplaced = new Set();
document.addEventListener("refused", (event) => {
  const { halt, waiting } = event.detail;
  const [{ id, body, told }] = waiting;
  const { after, form: fields } = JSON.parse(body);
  if (waiting.length > 1 || !told.form || !fields || unplaced.has(id)) return;
  if (![400, 409, 422].includes(halt.status)) return;
  event.preventDefault();
  /** @type {[string, string[]][]} */
  const rest = Object.entries(fields);
  const each = rest.flatMap(([name, values]) => values.map((value) => /** @type {[string, string]} */ ([name, value])));
  post(told.form.action, [["id", id], ["after", after], ...each])
    .then((placed) => {
      if (placed !== false) return queue.decide(waiting);
      unplaced.add(id);
      document.dispatchEvent(new CustomEvent("queue"));
    })
    .catch(() => queue.decide([]));
});

document.addEventListener("renewed", draw);
document.addEventListener("queue", ({ detail }) => {
  const [told, round] = [detail?.told, detail?.recorded.board.round];
  const stays = told?.kind === "undo" && round?.over && !round.posted; // it is still to be settled, here
  if (told?.then && !queue.waiting().length) location.assign(stays ? location.href : told.then);
  draw();
});

draw();

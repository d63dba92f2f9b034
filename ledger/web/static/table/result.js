// The form of a result: taps are drawn at once, and the server computes the payments in the background. The fields are
// kept in the address, so that they survive a reload and the back button. Without a network the result is queued.

import { pressed } from "../shared/pressed.js";
import { fieldsOf, the } from "../shared/facts.js";
import { post, renew } from "../shared/page.js";
import { newId, queue } from "../shared/queue.js";

const main = the("main");
const RESULT = "form[data-result]";
const form = () => the(RESULT, main);
const isResult = () => main.querySelector(RESULT) !== null;
const order = () => the("[data-order]", main);

/** @param {string} name */
const typed = (name) => [...order().querySelectorAll(`input[name=${name}]`)].map(({ value }) => value);
/** @param {Part} button */
const playerOf = (button) => button.value.split(" ")[1];
const buttons = () => [...order().querySelectorAll(".came")];

/** The effect of a tap, as in `tapped` of pages/result.py. @param {string} player */
function tap(player) {
  const onePlace = order().dataset.onePlace === "true";
  let [places, out] = [typed("places"), typed("knocked_out")];
  if (out.includes(player)) out = out.filter((one) => one !== player);
  else if (places.includes(player)) {
    places = places.filter((one) => one !== player);
    if (order().dataset.knocks === "true") out.push(player);
  } else places = onePlace ? [player] : [...places, player];
  const free = buttons().map(playerOf).filter((one) => ![...places, ...out].includes(one));
  if (free.length === 1 && !onePlace) places.push(...free);
  for (const old of order().querySelectorAll("input")) old.remove();
  for (const one of places) order().append(hidden("places", one));
  for (const one of out) order().append(hidden("knocked_out", one));
  for (const button of buttons()) {
    const place = places.indexOf(playerOf(button)) + 1;
    button.dataset.place = the(".medal", button).textContent = String(place || "");
    the(".flag", button).hidden = !out.includes(playerOf(button));
  }
  const settle = main.querySelector(`${RESULT} button.main`);
  if (settle) settle.disabled = !places.length || (!onePlace && free.length > 1);
}

/** @param {string} name @param {string} value */
const hidden = (name, value) => Object.assign(document.createElement("input"), { type: "hidden", name, value });



// Show the server's answer to the newest tap; answers to older ones are ignored.
let taps = 0;
let shown = 0;
let asking = false;
async function refresh() {
  taps += 1;
  const said = [...fieldsOf(form())].filter(([name]) => !["id", "ids", "after"].includes(name));
  history.replaceState(null, "", `${form().action}?${new URLSearchParams(said)}`);
  if (asking) return;
  asking = true;
  while (shown !== taps && !queue.entries.length) {
    shown = taps;
    await renew().catch(() => {});
  }
  asking = false;
}
document.addEventListener("news", (event) => shown !== taps && event.preventDefault());

main.addEventListener("click", (event) => {
  const button = event.target.closest(".came");
  if (!button) return;
  event.preventDefault();
  tap(playerOf(button));
  if (isResult()) refresh();
});

main.addEventListener("change", () => isResult() && refresh());

// The extra payment being filled in, as a field's value: `bomb p1 p2 2d`, `left p4 2s`; empty while incomplete.
/** @param {FormData} data */
function lineInHand(data) {
  const [what, who, whom, cards] = [data.get("what"), data.get("who"), data.get("whom"), data.getAll("cards")];
  const players = what === "bomb" ? [who, whom] : [who];
  return players.every(Boolean) && cards.length ? [what, ...players, ...cards].join(" ") : "";
}

/** Add the extra payment that was filled in, or remove one. @param {Part} button */
function line({ value }) {
  const [act, which] = value.split(" ");
  const chosen = [...form().querySelectorAll("[data-extras] :is([name=who], [name=whom], [name=cards]):checked")];
  const list = the("[data-extras] .lines", form());
  if (act === "without" && which !== "this") return list.children[Number(which)]?.remove();
  if (act === "extra") {
    const said = lineInHand(fieldsOf(form()));
    if (!said) return;
    const row = list.appendChild(document.createElement("li"));
    const shownAs = chosen.map((one) => one.closest("label, .key")?.textContent.trim());
    row.append(Object.assign(document.createElement("span"), { textContent: shownAs.join(" · ") }));
    row.append(hidden("extra", said));
  }
  for (const one of chosen) one.checked = false;
}

// The entries to record, in the server's order: the beginning, the result, the hands entered.
/** @param {FormData} data */
function entries(data) {
  const inHand = lineInHand(data);
  if (!inHand) for (const name of ["what", "who", "whom", "cards"]) data.delete(name);
  const lines = [...data.getAll("extra"), inHand].filter(Boolean).map((text) => text.split(" "));
  /** @param {string} kind @param {string} text @param {FormData} fields */
  function entry(kind, text, fields = data) {
    const { content, told } = pressed({ name: "kind", value: kind }, fields);
    return { content, told: { ...told, text } };
  }
  /** The cards left in a hand. @param {string[]} line */
  function left([, player, ...held]) {
    const fields = new FormData();
    fields.set("seat", player);
    fields.set("round", form().dataset.result);
    for (const card of held) fields.append("cards", card);
    return entry("declare", `${nameOf(player)}: ${held.join(" ")}`, fields);
  }
  /** @param {string} player */
  const nameOf = (player) => the("span", buttons().find((one) => playerOf(one) === player) ?? null).textContent;
  const places = data.getAll("places").map((one, place) => `${place + 1}. ${nameOf(one)}`);
  return [
    ...(form().elements.namedItem("leader") ? [entry("round", form().dataset.begins)] : []),
    entry("result", [the("h1", main).textContent, ...places].join(" · ")),
    ...lines.filter(([kind]) => kind === "left").map(left),
  ];
}

/** Ids are made here, so that sending again is idempotent. @param {Part} settle */
async function send(settle) {
  const data = fieldsOf(form());
  const ids = Array.from({ length: 20 }, newId);
  for (const id of ids) data.append("ids", id);
  data.append(settle.name, settle.value);
  settle.disabled = true;
  if (!queue.waiting().length) {
    const answered = await post(form().action, [...data]).catch(() => null);
    if (answered === false) return location.assign(form().action);
    if (answered !== null) return;
  }
  const { dataset } = form();
  const then = `${dataset.table}/rounds/${dataset.result}/settle`;
  await queue.record(
    entries(data).map(({ content, told }, place) => ({ id: ids[place], content, told: { ...told, then } })),
  );
  if (queue.kept && queue.waiting().length) location.assign(dataset.table);
}

main.addEventListener("submit", (event) => {
  const { submitter: button } = event;
  if (!button || !event.target.matches(RESULT)) return;
  if (button.formMethod === "get") {
    event.preventDefault();
    line(button);
    refresh();
  } else if (button.name === "kind" && ["result", "cover"].includes(button.value)) {
    event.preventDefault();
    send(button);
  }
});

// The table's form, made livelier: the button says what will be recorded, keys dim for the chosen seat, what is recorded
// stands on the table at once and is sent behind. Everything works without this, and nothing here judges a move: cards
// are only named, and seats only counted on, until the server has said what is so.

import { follow } from "./live.js";
import { RANKS, fill, named } from "./naming.js";
import { offered } from "./offers.js";
import { restore } from "./page.js";
import { mayStand, stood } from "./pending.js";
import { queue } from "./queue.js";

const draftPlace = `draft ${location.pathname}`;
const main = document.querySelector("main");
const foot = document.querySelector(".proof");

const form = () => main.querySelector("form.record");
const keys = () => [...form().elements.namedItem("cards")];
const seats = () => [...form().querySelectorAll("[name=seat]")];
const naming = JSON.parse(form().dataset.naming);

const label = (key) => key.closest(".key").querySelector("span").firstChild.textContent + key.value.slice(2);
const nameOf = (player) => seats().find((seat) => seat.value === player)?.dataset.name ?? player;
const words = (some) => named(naming, some.map((key) => key.value), some.map(label));

// What is chosen and not recorded yet. It outlives the page being drawn anew, and a reload.
let chosen = { cards: [], seat: null };
// What is wrong with what was recorded last: {words, clause, stood: what would be recorded if it stood}.
let notice = null;

const capital = (text) => text.charAt(0).toLocaleUpperCase(document.documentElement.lang) + text.slice(1);
const taken = () => keys().filter((key) => key.checked && !key.disabled);
const seat = () => seats().find((one) => one.checked);

// What waits to be recorded, without what was taken back again.
function standing() {
  const stack = [];
  for (const { told } of queue.entries) {
    if (told.kind === "undo") stack.pop();
    else stack.push(told);
  }
  return stack;
}

// Whose turn it is, and who may come in before the pile is won, by the page and by what waits. Seats are only counted on:
// what the rules make of it, the server says.
function position() {
  const order = seats().map((one) => one.value);
  const marked = (mark) => new Set(seats().filter((one) => mark in one.dataset).map((one) => one.value));
  const from = (player) => [...order.slice(order.indexOf(player)), ...order.slice(0, order.indexOf(player))];
  const [gone, passed] = [marked("gone"), marked("passed")];
  const left = Object.fromEntries(seats().map((one) => [one.value, Number(one.dataset.left)]));
  let { turn, last } = form().dataset;
  const free = (player) => !gone.has(player) && !passed.has(player);
  for (const { kind, seat: player, cards } of standing()) {
    if (kind === "play") {
      for (const skipped of turn ? from(turn) : []) {
        if (skipped === player) break;
        passed.add(skipped);
      }
      // Nobody else was left to come in: the pile was won, and this leads the next one.
      if (last === player || !order.some((one) => one !== player && free(one))) passed.clear();
      passed.delete(player);
      last = player;
      left[player] -= cards.length;
      if (left[player] <= 0) gone.add(player);
    } else if (kind === "pass") passed.add(player);
    else continue;
    const [self, ...others] = from(player);
    turn = [...others, self].find(free) ?? player;
    if (turn === last) passed.clear();
  }
  return { turn, waiting: turn ? from(turn).filter((player) => free(player) && player !== last) : order };
}

// What a button asks to be recorded, entry by entry; a text where something is missing.
function contents(button) {
  const [kind, contract] = button.value.split(" ");
  const cards = taken().map((key) => key.value);
  const player = seat()?.value;
  const { waiting } = queue.entries.length ? position() : { waiting: form().elements.namedItem("others").value.split(" ") };
  const passes = (players) => players.filter(Boolean).map((one) => ({ kind: "pass", seat: one }));
  const locks = form().querySelector("[name=locks]:checked");
  if (kind === "undo" || kind === "redo") return [{ kind }];
  if (kind === "pass-all") return passes(waiting);
  if (!player) return form().dataset.nobody;
  if (kind === "contract") return [{ kind, seat: player, contract }];
  if (kind === "pass") return passes(waiting.includes(player) ? waiting.slice(0, waiting.indexOf(player) + 1) : [player]);
  if (!cards.length) return form().dataset.nothing;
  if (kind === "claim") return [{ kind, seat: player, cards }];
  return [{ kind: "play", seat: player, cards, ...(kind === "forward" ? { forward: true } : {}), ...(locks ? { locks: locks.value === "yes" } : {}) }];
}

// Put it on the table at once; it is sent behind.
function record(asked) {
  notice = typeof asked === "string" ? { words: asked } : null;
  if (notice) return restore();
  choose({ cards: [], seat: null });
  for (const content of asked) queue.add(content, foot.dataset.after, { ...content, text: textOf(content) });
}

function textOf({ kind, seat: player, cards, contract }) {
  const shown = cards?.map((card) => label(keys().find((key) => key.value === card))) ?? [form().dataset[kind] ?? contract];
  return [player && nameOf(player), ...shown].filter(Boolean).join(" ");
}

function choose(what) {
  chosen = what;
  try {
    sessionStorage.setItem(draftPlace, JSON.stringify({ ...what, after: foot.dataset.after }));
  } catch {
    // Storage may be denied: then a reload forgets the selection.
  }
}

// Lay what waits, and what is chosen, on the page as the server wrote it.
function draw() {
  queue.forget(Number(foot.dataset.seq), form().dataset.events.split(" "));
  const { turn } = position();
  const laid = standing().flatMap((told) => told.cards ?? []);
  for (const key of keys()) {
    const place = laid.indexOf(key.value);
    if (place < 0 || key.disabled) continue;
    key.disabled = true;
    laid.splice(place, 1);
  }
  const wanted = [...chosen.cards];
  for (const key of keys()) {
    const place = wanted.indexOf(key.value);
    key.checked = place >= 0 && !key.disabled;
    if (place >= 0) wanted.splice(place, 1);
  }
  const player = chosen.seat ?? (queue.entries.length ? turn : null);
  for (const one of seats()) if (player) one.checked = one.value === player;
  if (queue.entries.length) {
    for (const what of ["undo", "pass-all"]) main.querySelector(`[value=${what}]`).disabled = false;
    // Who passes is told by a page that does not know of what waits.
    for (const ghosts of main.querySelectorAll(".ghosts")) ghosts.hidden = true;
    if (turn) main.querySelector(".say .turn").textContent = fill(form().dataset.next, { name: nameOf(turn) });
  }
  drawRows();
  drawNotice();
  show();
}

function drawRows() {
  if (!queue.entries.length) return;
  let pile = main.querySelector(".pile");
  if (!pile) {
    pile = document.createElement("ol");
    pile.className = "pile";
    main.querySelector(".felt").prepend(pile);
  }
  const stands = standing();
  for (const { told, seq } of queue.entries) {
    const row = pile.appendChild(document.createElement("li"));
    row.className = seq === null ? "waiting" : "waiting sent";
    const text = document.createElement(stands.includes(told) || told.kind === "undo" ? "span" : "s");
    text.textContent = told.text;
    row.append(text);
  }
}

function drawNotice() {
  if (!notice) return;
  main.querySelector(".notice")?.remove();
  const drawn = document.querySelector("#notice").content.firstElementChild.cloneNode(true);
  const link = drawn.querySelector("a");
  drawn.querySelector("p").prepend(`${notice.words} `);
  if (notice.clause) {
    link.href += `#${notice.clause}`;
    link.textContent = notice.clause;
  } else link.remove();
  if (!notice.stood) drawn.querySelector(".buttons").remove();
  main.querySelector(".felt").append(drawn);
}

// What may be played with the cards that are tapped: one tap more records it all. The offers lie over the rarer buttons,
// so not where one of those says how a card is played.
function drawOffers(cards) {
  const row = main.querySelector(".offers");
  const covers = form().querySelector("[value=forward], [name=locks]");
  const player = !queue.entries.length && !covers && seat();
  const plan = player && JSON.parse(form().dataset.together).find(({ seats }) => seats.includes(player.value));
  const byCard = Object.fromEntries(keys().filter((key) => !key.disabled).map((key) => [key.value, key]));
  const found = plan ? offered(plan.ways, { tapped: cards.map((key) => key.value), free: Object.keys(byCard), left: Number(player.dataset.left), face: (card) => label(byCard[card]) }) : [];
  row.replaceChildren(...found.map((one) => button(one, one.cards.map((card) => byCard[card]))));
  row.hidden = !found.length;
}

function button({ cards, text }, whole) {
  const drawn = document.createElement("button");
  drawn.type = "button";
  drawn.dataset.offer = cards.join(" ");
  drawn.setAttribute("aria-label", words(whole));
  drawn.textContent = text;
  return drawn;
}

function show() {
  const bright = new Set((seat()?.dataset.playable ?? "").split(" "));
  const known = !queue.entries.length && seat();
  for (const key of keys()) key.closest(".key").classList.toggle("dim", Boolean(known) && !key.disabled && !bright.has(key.value));
  const confirm = form().querySelector("button.main");
  const cards = taken();
  drawOffers(cards);
  const shown = cards.length ? words(cards) : confirm.dataset.plain;
  confirm.textContent = capital(cards.length && seat() ? fill(naming.to, { cards: shown, name: seat().dataset.name }) : shown);
}

main.addEventListener("submit", (event) => {
  const button = event.submitter ?? form().querySelector("button.main");
  if (!event.target.matches("form.record, #undo") || button.name === "stood") return;
  event.preventDefault();
  record(contents(button));
});

main.addEventListener("click", (event) => {
  const offered = event.target.closest("[data-offer]");
  if (event.target.closest("[data-stood]")) record([notice.stood]);
  else if (offered) record([{ kind: "play", seat: seat().value, cards: offered.dataset.offer.split(" ") }]);
});

// Where the phone is set so, a single that beats a single records itself.
function recordsItself(key) {
  const alone = form().dataset.alone.split(" ");
  return key.checked && taken().length === 1 && !queue.entries.length && seat() && alone.includes(key.value) && seat().dataset.playable.split(" ").includes(key.value);
}

main.addEventListener("change", (event) => {
  const isSeat = event.target.name === "seat";
  choose({ cards: taken().map((key) => key.value), seat: isSeat ? event.target.value : chosen.seat });
  if (event.target.name === "cards" && recordsItself(event.target)) record(contents(form().querySelector("button.main")));
  else show();
});

// Typed on a keyboard: a rank, then a suit, by the letters of the language. Enter records, as a tap on the button does.
let rank = "";
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input:not([type=checkbox], [type=radio]), textarea, select")) return;
  const letter = event.key.toLowerCase();
  const suit = JSON.parse(form().dataset.letters)[letter];
  if (event.key === "Enter" && !event.target.closest?.("button, a, summary") && taken().length) {
    event.preventDefault();
    record(contents(form().querySelector("button.main")));
  } else if (event.key === "Backspace" || event.key === "Escape") {
    choose({ ...chosen, cards: event.key === "Escape" ? [] : chosen.cards.slice(0, -1) });
    restore();
  } else if (rank && suit) {
    const key = keys().find((one) => one.value === rank + suit && !one.disabled && !one.checked);
    rank = "";
    if (!key) return;
    choose({ ...chosen, cards: [...chosen.cards, key.value] });
    restore();
  } else if (letter === "0" && rank === "1") rank = "T";
  else rank = letter === "1" ? "1" : RANKS.includes(letter.toUpperCase()) && letter.length === 1 ? letter.toUpperCase() : "";
});

// A single entry that was refused goes back to where it was chosen, with what is wrong and what to do.
document.addEventListener("refused", (event) => {
  const { halt, waiting } = event.detail;
  if (waiting.length > 1 || halt.status !== 422) return;
  event.preventDefault();
  const [{ told }] = waiting;
  notice = { words: halt.detail, clause: halt.clause, stood: mayStand(halt, told.kind) && stood(told, halt) };
  if (told.cards) choose({ cards: told.cards, seat: told.seat });
  queue.drop(waiting);
});

document.addEventListener("renewed", draw);

// Where the answer to what was sent leads, the page goes then, and no sooner.
document.addEventListener("news", (event) => queue.waiting().length && !queue.halt && event.preventDefault());

document.addEventListener("queue", ({ detail }) => {
  if (detail?.recorded && !queue.waiting().length) {
    const { seq, board } = detail.recorded;
    const { round } = board;
    if (round?.over && !round.posted) return location.assign(`${location.pathname}/rounds/${round.number}/settle`);
    follow(seq);
  }
  restore();
});

// The keeper's phone stays awake, where it may.
const stayAwake = () => document.visibilityState === "visible" && navigator.wakeLock?.request("screen").catch(() => {});
document.addEventListener("visibilitychange", stayAwake);
stayAwake();

try {
  const draft = JSON.parse(sessionStorage.getItem(draftPlace));
  if (draft?.after === foot.dataset.after) chosen = { cards: draft.cards, seat: draft.seat };
} catch {
  // See above.
}
if (taken().length) chosen = { cards: taken().map((key) => key.value), seat: seat()?.value };
draw();

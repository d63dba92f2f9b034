// The table as it stands with what waits laid on it, also where a round waits to begin. Seats are only counted on and
// cards only crossed out: what the rules make of it, the server says.

import { fill } from "./naming.js";
import { BESIDE, queue } from "./queue.js";

const main = document.querySelector("main");

export const form = () => main.querySelector("form.record");
export const keys = () => [...form().elements.namedItem("cards")];
export const seats = () => [...form().querySelectorAll("[name=seat]")];
export const label = (key) => key.closest(".key").querySelector("span").firstChild.textContent + key.value.slice(2);
export const nameOf = (player) => JSON.parse(form().dataset.names)[player] ?? player;

// What waits to be recorded, without what was taken back again: `moves` are of the round whose `header` waits with them,
// or where that is null, of the one on the page; `begun` is how many rounds wait to begin.
export function standing() {
  const [stack, undone] = [[], []];
  for (const { told } of queue.entries) {
    if (told.kind === "undo") undone.push(...stack.splice(-1));
    else if (told.kind === "redo" && undone.length) stack.push(undone.pop());
    else if (!BESIDE.includes(told.kind)) {
      stack.push(told);
      undone.length = 0;
    }
  }
  const last = stack.findLastIndex(({ kind }) => kind === "round");
  return { header: stack[last] ?? null, moves: stack.slice(last + 1), begun: stack.filter(({ kind }) => kind === "round").length };
}

// Each entry since the last round that waits began, with whether it was taken back.
export function rows() {
  const { header, moves } = standing();
  const since = queue.entries.findIndex(({ told }) => told === header) + 1;
  const stays = (told) => moves.includes(told) || ["undo", "redo", ...BESIDE].includes(told.kind);
  return queue.entries.slice(since).map(({ told, seq }) => ({ text: told.text, sent: seq !== null, struck: !stays(told) }));
}

// Clear the table for a round that waits to begin: nothing has been seen of it yet.
export function deal({ seats: sitting, leader }) {
  if (!form()) lay();
  for (const key of keys()) key.disabled = false;
  for (const old of main.querySelectorAll(".pile, .ghosts, .notice, .say small, .say a[href$=result]")) old.remove();
  const strip = form().querySelector(".seats");
  const [pattern, ...others] = strip.querySelectorAll(".seat");
  const left = JSON.parse(form().dataset.hands)[sitting.length] ?? 0;
  pattern.before(...sitting.map((player) => seatOf(pattern, player, left)));
  for (const old of [pattern, ...others]) old.remove();
  strip.classList.toggle("many", sitting.length > 4);
  Object.assign(form().dataset, { turn: leader ?? "", last: "" });
}

// A page without a table carries one in little: a key of each block, and a list of all.
function lay() {
  main.replaceChildren(document.querySelector("#blank").content.cloneNode(true));
  for (const block of main.querySelectorAll("[data-keys]")) {
    const [pattern, ...rest] = block.children;
    const made = JSON.parse(block.dataset.keys).map((facts) => keyOf(pattern, facts, block.dataset.another));
    block.replaceChildren(...made, ...rest);
  }
}

function keyOf(pattern, [card, text, name], another) {
  const key = pattern.cloneNode(true);
  const [span, boxes] = [key.querySelector("span"), [...key.querySelectorAll("input")]];
  key.className = `key suit-${card[1]}${boxes.length > 1 ? " two" : ""}${"dh".includes(card[1]) ? " red" : ""}`;
  span.firstChild.data = text;
  span.className = text.length > 2 ? "ten" : "";
  boxes.forEach((box, place) => {
    box.value = card;
    box.setAttribute("aria-label", place ? fill(another, { card: name }) : name);
  });
  return key;
}

function seatOf(pattern, player, left) {
  const seat = pattern.cloneNode(true);
  const radio = seat.querySelector("input");
  seat.className = "seat";
  Object.assign(radio, { value: player, checked: false });
  Object.assign(radio.dataset, { name: nameOf(player), playable: "", passes: "", left });
  for (const mark of ["gone", "passed"]) delete radio.dataset[mark];
  seat.querySelector("b").textContent = nameOf(player);
  seat.querySelector(".state").textContent = "";
  return seat;
}

// Whose turn it is, who may come in before the pile is won, and how many cards everybody holds, by the page and by what
// waits.
export function position() {
  const order = seats().map((one) => one.value);
  const marked = (mark) => new Set(seats().filter((one) => mark in one.dataset).map((one) => one.value));
  const from = (player) => [...order.slice(order.indexOf(player)), ...order.slice(0, order.indexOf(player))];
  const [gone, passed] = [marked("gone"), marked("passed")];
  const left = Object.fromEntries(seats().map((one) => [one.value, Number(one.dataset.left)]));
  let { turn, last } = form().dataset;
  const free = (player) => !gone.has(player) && !passed.has(player);
  for (const { kind, seat: player, cards } of standing().moves) {
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
  return { turn, last, left, waiting: turn ? from(turn).filter((player) => free(player) && player !== last) : order };
}

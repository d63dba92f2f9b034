// The table as it stands with what waits laid on it, also where a round waits to begin. Seats are only counted on and
// cards only crossed out: what the rules make of it, the server says.

import { fill } from "./naming.js";
import { BESIDE, queue } from "./queue.js";
import * as turns from "./turns.js";

const main = document.querySelector("main");

export const form = () => main.querySelector("form.record");
export const keys = () => [...form().elements.namedItem("cards")];
export const seats = () => [...form().querySelectorAll("[name=seat]")];
export const label = (key) => key.closest(".key").querySelector("span").firstChild.textContent + key.value.slice(2);
export const nameOf = (player) => JSON.parse(form().dataset.names)[player] ?? player;

export const standing = () => turns.standing(queue.entries.map(({ told }) => told), BESIDE);

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
  Object.assign(form().dataset, { turn: leader ?? "", last: "", to: "lead" });
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
  const marked = (mark) => seats().filter((one) => mark in one.dataset).map((one) => one.value);
  const { turn, last, to, counts } = form().dataset;
  const { moves, beyond } = standing();
  const table = {
    order: seats().map((one) => one.value),
    turn: beyond ? "" : turn,
    last,
    leading: to !== "answer",
    left: Object.fromEntries(seats().map((one) => [one.value, Number(one.dataset.left)])),
    gone: marked("gone"),
    passed: marked("passed"),
    counts: counts !== undefined && !beyond,
  };
  return turns.counted(table, moves);
}

// The position on the table including this phone's waiting entries, also of a round that waits to begin. Turns and
// cards are only counted: the rules are the server's.

import { tableFacts, the } from "../shared/facts.js";
import { fill, label } from "../shared/naming.js";
import { queue } from "../shared/queue.js";
import { NOT_UNDOABLE } from "../shared/state.js";
import * as turns from "./turns.js";

const main = the("main");
export const UNDOES = ["undo", "redo"];

export const form = () => main.querySelector("form.record");
export const confirming = () => the("form.record button.main", main);
export const keys = () => [...main.querySelectorAll("form.record [name=cards]")];
export const seats = () => [...main.querySelectorAll("form.record [name=seat]")];
/** @param {string} player */
export const nameOf = (player) => table().names[player] ?? player;

/** @param {string} card */
export function faceOf(card) {
  const key = keys().find((one) => one.value === card);
  return key ? label(key) : card;
}

/** @type {TableFacts | null} */
let dealt = null; // the facts of a round that waits to begin, as far as a page can know them

/** The facts of the round on the page, which has one. */
export function table() {
  const facts = dealt ?? tableFacts();
  if (!facts) throw new Error("no table");
  return facts;
}

export const standing = () => turns.standing(queue.entries.map(({ told }) => told));

// The entries since the last waiting beginning of a round, each with whether it was undone.
export function rows() {
  const { header, moves } = standing();
  const since = queue.entries.findIndex(({ told }) => told === header) + 1;
  /** @param {Told} told */
  const stays = (told) => moves.includes(told) || UNDOES.includes(told.kind) || NOT_UNDOABLE.includes(told.kind);
  return queue.entries.slice(since).map(({ id, told, seq }) => {
    return { id, told, sent: seq !== null, struck: !stays(told) };
  });
}

/** Clear the table for a round that waits to begin, if there is one. @param {Told | null} header */
export function deal(header) {
  dealt = null;
  if (!header) return;
  if (!form()) lay();
  for (const key of keys()) key.disabled = false;
  for (const old of main.querySelectorAll(".pile, .ghosts, .notice, .say small, .say a[href$=result]")) old.remove();
  const [facts, { seats: sitting = [] }] = [table(), header];
  const left = facts.hands[sitting.length] ?? 0;
  const strip = the("form.record .seats", main);
  const [pattern, ...others] = strip.querySelectorAll(".seat");
  pattern.before(...sitting.map((player) => seatOf(pattern, player)));
  for (const old of [pattern, ...others]) old.remove();
  strip.classList.toggle("many", sitting.length > 4);
  /** @type {SeatFacts} */
  const fresh = { playable: [], left, passes: [], gone: false, passed: false };
  const seated = Object.fromEntries(sitting.map((player) => [player, fresh]));
  dealt = { ...facts, moves: 0, turn: header.leader ?? "", last: "", leading: true, seats: seated };
}

// Build the table on a page without one from a template with one key of each block and a list of all.
function lay() {
  main.replaceChildren(the("#blank").content.cloneNode(true));
  for (const block of main.querySelectorAll("[data-keys]")) {
    const [pattern, ...rest] = block.querySelectorAll(":scope > *");
    /** @type {string[][]} */
    const listed = JSON.parse(block.dataset.keys);
    const made = listed.map((facts) => keyOf(pattern, facts, block.dataset.another));
    block.replaceChildren(...made, ...rest);
  }
}

/** @param {Part} pattern @param {string[]} facts @param {string} another */
function keyOf(pattern, [card, text, name], another) {
  const key = pattern.cloneNode(true);
  const [span, boxes] = [the("span", key), [...key.querySelectorAll("input")]];
  key.className = `key suit-${card[1]}${boxes.length > 1 ? " two" : ""}${"dh".includes(card[1]) ? " red" : ""}`;
  span.firstChild.data = text;
  span.className = text.length > 2 ? "ten" : "";
  boxes.forEach((box, place) => {
    box.value = card;
    box.setAttribute("aria-label", place ? fill(another, { card: name }) : name);
  });
  return key;
}

/** @param {Part} pattern @param {string} player */
function seatOf(pattern, player) {
  const seat = pattern.cloneNode(true);
  seat.className = "seat";
  Object.assign(the("input", seat), { value: player, checked: false });
  the("b", seat).textContent = nameOf(player);
  Object.assign(the(".state", seat), { className: "state", textContent: "" });
  return seat;
}

// Whose turn it is, who may still play on the pile, and how many cards each player holds, from the page and the waiting
// entries.
export function position() {
  const { turn, last, leading, counts, seats: sitting } = table();
  const { moves, beyond } = standing();
  const order = seats().map((one) => one.value);
  const before = {
    order,
    turn: beyond ? "" : turn,
    last,
    leading,
    left: Object.fromEntries(order.map((player) => [player, sitting[player].left])),
    gone: order.filter((player) => sitting[player].gone),
    passed: order.filter((player) => sitting[player].passed),
    counts: counts && !beyond,
  };
  return turns.counted(before, moves);
}

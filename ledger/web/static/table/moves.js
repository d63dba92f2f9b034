// The events that the buttons of the table record, and the words for them while they wait. Nothing here judges a move:
// until the server answers, turns are only counted.

import { pressed } from "../shared/pressed.js";
import { fieldsOf, the } from "../shared/facts.js";
import { fill, named } from "../shared/naming.js";
import { UNDOES, faceOf, form, keys, nameOf, position, seats, table } from "./position.js";
import { queue } from "../shared/queue.js";

// The keys of the chosen cards, and the chosen seat.
export const taken = () => keys().filter((key) => key.checked && !key.disabled);
export const seat = () => seats().find((one) => one.checked);
const waiting = () => (queue.entries.length ? position() : table()).waiting;

/** What a button records; a message if something is missing. @param {Part} button */
export function asked(button) {
  const [kind] = button.value.split(" ");
  const [data, player] = [fieldsOf(button.form ?? the("form.record")), seat()?.value];
  const { nobody, nothing } = table().texts;
  if (UNDOES.includes(kind)) return pressed(button, data);
  if (kind === "pass-all" ? !waiting().length : !player) return nobody;
  if (kind.startsWith("pass")) return passes(button, data, player && kind === "pass" ? upTo(player) : waiting());
  return kind === "contract" || kind === "none" || taken().length ? pressed(button, data) : nothing;
}

/**
 * Passes of several players are one entry, so that one undo reverts them.
 * @param {Part} button
 * @param {FormData} data
 * @param {string[]} players
 */
function passes(button, data, players) {
  data.set("others", players.join(" "));
  const { content, told } = pressed(button, data);
  const [before, last] = [players.slice(0, -1), players.at(-1)];
  return { content, told: { ...told, seat: last, ...(before.length ? { passed: before } : {}) } };
}

/** A play of a player that no button of the form has. @param {string} player @param {string[]} cards */
export function playOf(player, cards) {
  const data = new FormData();
  data.set("seat", player);
  for (const card of cards) data.append("cards", card);
  return pressed({ name: "kind", value: "play" }, data);
}

/** The players who pass when this one does: those waited for, up to this one. @param {string} player */
function upTo(player) {
  const place = waiting().indexOf(player);
  return place < 0 ? [player] : waiting().slice(0, place + 1);
}

/** What the page shows of an entry, including the passes before it. @param {Unworded} told @returns {Told} */
export function worded(told) {
  if (told.kind === "pass") return { ...told, text: textOf(told) };
  const passed = told.kind === "play" && told.seat ? passing(told.seat) : [];
  return { ...told, text: textOf(told), passed, passing: passed.length ? passingText(passed) : "" };
}

/**
 * The players who pass if this one plays next: from the server, or counted if entries wait.
 * @param {string} player
 * @returns {string[]}
 */
export function passing(player) {
  return queue.entries.length ? position().passing(player) : (table().seats[player]?.passes ?? []);
}

/** @param {string[]} players */
export const passingText = (players) => fill(table().texts.passing, { names: players.map(nameOf).join(", ") });

/** @param {Unworded} told */
function textOf({ kind, seat: player, cards, contract, passed = [] }) {
  const shown = (cards ?? []).map(faceOf);
  const who = [...(kind === "pass" ? passed : []), ...(player ? [player] : [])].map(nameOf).join(", ");
  return [who, wordOf(kind, shown, contract), ...shown].filter(Boolean).join(" ");
}

/**
 * The word for a kind of move; empty for a play or a claim, whose cards say enough.
 * @param {string} kind
 * @param {string[]} shown
 * @param {string} [contract]
 */
function wordOf(kind, shown, contract) {
  const { texts } = table();
  if (kind === "play" || kind === "claim") return "";
  if (kind === "contract") return contract;
  return kind === "declare" && !shown.length ? texts.none : texts[kind];
}

/** An entry as it is read aloud: `Tí, đôi 7 rô 7 cơ`. @param {Told} told */
export function spoken({ kind, seat: player = "", cards = [], text }) {
  if (kind !== "play" || !form()) return text;
  const held = cards.map((card) => keys().find((key) => key.value === card)?.getAttribute("aria-label") ?? card);
  return `${nameOf(player)}, ${named(table().naming, cards, held)}`;
}

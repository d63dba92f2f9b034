// The events that the buttons of the table record, and the words for them while they wait. Nothing here judges a move:
// until the server answers, turns are only counted.

import { contentOf } from "../shared/contents.js";
import { fieldsOf, the } from "../shared/facts.js";
import { fill, named } from "../shared/naming.js";
import { faceOf, form, keys, nameOf, position, seats, table } from "./position.js";
import { queue } from "../shared/queue.js";

// The keys of the chosen cards, and the chosen seat.
export const taken = () => keys().filter((key) => key.checked && !key.disabled);
export const seat = () => seats().find((one) => one.checked);
const waiting = () => (queue.entries.length ? position() : table()).waiting;

/** Passes of several players are one entry, so that one undo reverts them. @param {string[]} players */
function passes(players) {
  const [before, last] = [players.slice(0, -1), players.at(-1)];
  return [{ kind: "pass", seat: last, ...(before.length ? { passed: before } : {}) }];
}

/** The entries that a button records; a message if something is missing. @param {Part} button */
export function contents(button) {
  const [kind] = button.value.split(" ");
  const [on, player] = [the("form.record"), seat()?.value];
  const { nobody, nothing } = table().texts;
  if (kind === "pass-all") return waiting().length ? passes(waiting()) : nobody;
  if (kind !== "undo" && kind !== "redo") {
    if (!player) return nobody;
    if (kind === "pass") return passes(upTo(player));
    if (kind !== "contract" && kind !== "none" && !taken().length) return nothing;
  }
  return [contentOf(button, fieldsOf(on), on)];
}

/** The players who pass when this one does: those waited for, up to this one. @param {string} player */
function upTo(player) {
  const place = waiting().indexOf(player);
  return place < 0 ? [player] : waiting().slice(0, place + 1);
}

/** What the page shows of an entry, including the passes before it. @param {Content} content @returns {Told} */
export function toldOf(content) {
  if (content.kind === "pass") return { ...content, text: textOf(content) };
  const passed = content.kind === "play" && content.seat ? passing(content.seat) : [];
  return { ...content, text: textOf(content), passed, passing: passed.length ? passingText(passed) : "" };
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

/** @param {Content} content */
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

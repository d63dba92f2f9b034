// What a button says that records cards: what they are, and whose.

import { fill, label, letters, named } from "../shared/naming.js";

const LONGEST = 24;
// With at most so many cards, the button shows their suits in large.
export const FEW = 4;
const SUIT = /([♠♣♦♥])/;

/** @param {Naming} naming @param {Part[]} keys */
export const words = (naming, keys) => named(naming, keys.map((key) => key.value), keys.map(label));

/** @param {string} text */
const capital = (text) => text.charAt(0).toLocaleUpperCase(document.documentElement.lang) + text.slice(1);

/**
 * Write on a button what it records, with the player's name if there is one: `Pair 7♦ 7♥ → An`.
 * @param {Part} button
 * @param {Naming} naming
 * @param {{ what: string, name: string, cards: number }} said
 */
export function sayOn(button, { to }, { what, name, cards }) {
  const said = capital(name ? fill(to, { cards: what, name: ending(name) }) : what);
  const spelled = document.createElement("span");
  spelled.append(...(cards <= FEW ? said.split(SUIT).map(large) : [said]));
  button.replaceChildren(spelled);
  fit();
}

// Write the button's text smaller where it would be cut, also after the phone was turned.
function fit() {
  const button = document.querySelector("main form.record button.main");
  if (!button) return;
  button.classList.remove("long");
  button.classList.toggle("long", button.scrollHeight > button.clientHeight);
}

addEventListener("resize", fit);

/**
 * A part of the button's text; suits are larger, since a wrong suit is the most likely mistake.
 * @param {string} part
 */
function large(part) {
  return SUIT.test(part) ? Object.assign(document.createElement("b"), { className: "suit", textContent: part }) : part;
}

/**
 * The end of a long name, so that the button's text fits into two lines, or three small ones.
 * @param {string} name
 */
function ending(name) {
  if (name.length <= LONGEST) return name;
  const all = letters(name);
  return all.length > LONGEST ? `…${all.slice(1 - LONGEST).join("")}` : name;
}

// Dictated or typed plays, if the phone is set so: the server returns the plays that a phrase may mean. A sure one is
// chosen on the grid, others are offered. Where only suits are missing, the cards that fit are lit, and taps or further
// words finish the play. Nothing is recorded without a tap.

import { the } from "../shared/facts.js";
import { narrowed, without } from "./fits.js";
import { fill, label } from "../shared/naming.js";

const PAUSE = 600;
const TRIES = 10;
/** @type {Timer | undefined} */
let waits;
let asked = 0;

/**
 * What was heard of a play whose suits are missing.
 * @typedef {{ text: string, cards: string[] }} Play
 * @typedef {{ phrase: string, text: string, fits: string[][][][] }} Heard
 */

/** What was heard last, and after which entry of the night. @type {Heard & { plays: Play[], after: string } | null} */
let heard = null;

/** The cards that were chosen by words, not by taps. @type {string[]} */
let named = [];

const field = () => document.querySelector(".said input");
const texts = () => the(".said").dataset;
const keys = () => [...document.querySelectorAll("form.record [name=cards]")];
const taken = () => keys().filter((key) => key.checked && !key.disabled).map((key) => key.value);
const newest = () => the(".proof").dataset.after;

/** Choose these cards on the grid, and no others. @param {string[]} cards */
function choose(cards) {
  const wanted = [...cards];
  for (const key of keys()) {
    const place = key.disabled ? -1 : wanted.indexOf(key.value);
    if (key.checked !== place >= 0) key.checked = place >= 0;
    if (place >= 0) wanted.splice(place, 1);
  }
  document.querySelector("form.record")?.dispatchEvent(new Event("change", { bubbles: true }));
}

/** Light the keys of these cards, and no others. @param {string[]} cards */
function light(cards) {
  for (const key of keys()) key.closest(".key")?.classList.toggle("fits", cards.includes(key.value));
}

/** @param {string} text @param {() => void} act */
function chip(text, act) {
  const drawn = { type: "button", textContent: text, className: "chip" };
  const button = Object.assign(document.createElement("button"), drawn);
  button.addEventListener("click", () => {
    forget();
    act();
  });
  return button;
}

/** @param {Play} play */
const offer = ({ text, cards }) => chip(text, () => choose((named = cards)));

/** A chip that clears the table, as that of a notice does. */
function clearing() {
  const drawn = chip("✕", () => {});
  drawn.dataset.clear = "";
  drawn.setAttribute("aria-label", texts().clears);
  return drawn;
}

/** @param {string} words @param {HTMLElement[]} chips */
function answer(words = "", chips = []) {
  the(".said [role=status]").replaceChildren(words, ...chips);
}

// Drop what was heard; the chosen cards stay.
function drop() {
  heard = null;
  light([]);
  if (field()) answer();
}

function forget() {
  const typed = field();
  if (typed) typed.value = "";
  drop();
}

/**
 * Light the cards that fit what was heard and the chosen cards, and choose those that every such play has.
 * @param {{ chooses?: boolean, apart?: string }} how `apart` are words that do not go with what was heard
 */
function narrow({ chooses = true, apart = "" } = {}) {
  if (!heard) return;
  const { text, fits, plays } = heard;
  const needed = chooses ? (narrowed(fits, taken())?.needed ?? []) : [];
  if (needed.length) {
    named.push(...needed);
    choose([...taken(), ...needed]);
  }
  const found = narrowed(fits, taken());
  const open = (found ?? narrowed(fits, []))?.open ?? [];
  light(open);
  const what = apart || (found ? "" : keys().filter((key) => key.checked).map(label).join(" "));
  const chips = plays.filter(({ cards }) => open.length && without(cards, taken())).map(offer);
  const says = what ? texts().apart : chips.length ? "" : open.length ? texts().which : "{play}";
  answer(fill(says, { play: text, what }), [...chips, clearing()]);
}

/**
 * Show what was heard. The tapped cards stay if they fit it, or if it goes on from what was heard before.
 * @param {Heard} found
 * @param {Play[]} plays
 */
function hear(found, plays) {
  const tapped = taken().filter((card) => !named.includes(card));
  const goesOn = heard && found.phrase.startsWith(heard.phrase);
  const stays = goesOn || narrowed(found.fits, tapped);
  heard = { ...found, plays, after: newest() };
  named = [];
  choose(stays ? tapped : []);
  narrow();
}

/** @param {number} tries */
async function ask(tries = TRIES) {
  const said = field()?.value.trim();
  if (!said) return drop();
  const mine = (asked += 1);
  // The server does not know the entries that wait to be recorded.
  if (document.querySelector(".pile .waiting")) {
    if (!tries) answer(texts().away);
    else waits = setTimeout(ask, PAUSE / 2, tries - 1);
    return;
  }
  const seat = document.querySelector("form.record [name=seat]:checked")?.value ?? "";
  try {
    const asks = new URLSearchParams({ said, seat, before: heard?.phrase ?? "" });
    // Without a network, the service worker would answer with what the last phrase meant.
    const response = await fetch(`${texts().heard}?${asks}`, { cache: "no-store" });
    if (!response.ok) throw new Error(response.statusText);
    const answered = await response.json();
    if (mine === asked) take(said, answered);
  } catch {
    if (mine !== asked) return;
    drop();
    answer(texts().away);
  }
}

/**
 * Show what the server makes of a phrase; if it makes nothing of it, what was heard before stays.
 * @param {string} said
 * @param {{ pass: boolean, plays: Play[], sure: boolean, heard: Heard | null }} answered
 */
function take(said, { pass, plays, sure, heard: found }) {
  if (found && !pass) return hear(found, plays);
  if (!plays.length && !pass && heard) return narrow({ chooses: false, apart: said });
  drop();
  if (sure && plays.length && !pass) {
    choose((named = plays[0].cards));
    return answer(plays[0].text);
  }
  const chips = plays.map(offer);
  const passes = document.querySelector("form.record [value=pass]");
  if (pass && passes) chips.unshift(chip(passes.textContent.trim(), () => passes.click()));
  answer(chips.length ? "" : fill(texts().none, { said }), chips);
}

document.addEventListener("input", (event) => {
  if (event.target !== field()) return;
  clearTimeout(waits);
  waits = setTimeout(ask, PAUSE, TRIES);
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && heard) return forget();
  if (event.target !== field() || event.key !== "Enter") return;
  event.preventDefault();
  clearTimeout(waits);
  ask();
});

// Taps narrow what was heard; a card that was tapped away is not chosen again.
document.addEventListener("change", ({ target, isTrusted }) => {
  if (!heard || !isTrusted) return;
  if (target.matches("form.record [name=cards]")) narrow({ chooses: target.checked });
  else if (target.matches("form.record [name=seat]")) ask();
});

document.addEventListener("click", ({ target }) => {
  if (heard && target.closest("[data-clear]")) forget();
});

const show = () => document.querySelector(".said")?.removeAttribute("hidden");
document.addEventListener("renewed", () => {
  show();
  if (!heard) return;
  if (!field() || heard.after !== newest() || document.querySelector(".pile .waiting")) forget();
  else narrow({ chooses: false });
});
show();

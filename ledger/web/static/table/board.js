// Draws over the table that the server wrote: entries that wait, the chosen cards and seat, and what is wrong with the
// last refused entry.

import { draw as drawStops } from "./arrows.js";
import { the } from "../shared/facts.js";
import { passing, passingText, seat, taken } from "./moves.js";
import { RANKS, fill, label } from "../shared/naming.js";
import { offered } from "./offers.js";
import { restore } from "../shared/page.js";
import {
  UNDOES, confirming, deal, faceOf, form, keys, nameOf, position, rows, seats, standing, table,
} from "./position.js";
import { queue } from "../shared/queue.js";
import { FEW, sayOn, words } from "./saying.js";

const main = the("main");

// The number of the round on the table, counting those that wait to begin.
export const number = () => table().begun + standing().begun;

/**
 * The notice about the last refused entry; `stood` is the entry to record if the table accepts it.
 * @type {Notice | null}
 */
let notice = null;

/** Set the notice, or remove it with null; `draw` shows it. @param {Notice | null} next */
export const notify = (next) => (notice = next);
export const noticed = () => notice;

// Draw the waiting entries and the draft onto the server's page.
export function draw() {
  deal(standing().header);
  document.body.classList.toggle("table", Boolean(form()));
  for (const opener of main.querySelectorAll("[data-closing]")) {
    opener.hidden = !queue.entries.length && !queue.offline;
  }
  if (!form()) return;
  drawKeys();
  const player = queue.draft.seat ?? (queue.entries.length ? position().turn : null);
  for (const one of seats()) if (player !== null) one.checked = one.value === player;
  if (queue.entries.length) drawAhead();
  drawRows();
  drawNotice();
  show();
}

// Cards of waiting entries are shown as played, those of the draft as chosen.
function drawKeys() {
  const laid = standing().moves.flatMap((told) => told.cards ?? []);
  const wanted = [...queue.draft.cards];
  for (const key of keys()) {
    const place = key.disabled ? -1 : laid.indexOf(key.value);
    if (place >= 0) {
      key.disabled = true;
      laid.splice(place, 1);
    }
    const chosen = wanted.indexOf(key.value);
    key.checked = chosen >= 0 && !key.disabled;
    if (chosen >= 0) wanted.splice(chosen, 1);
  }
  for (const mark of main.querySelectorAll(".key sub")) {
    mark.textContent = String(mark.closest(".key")?.querySelectorAll("input:enabled").length || "");
  }
  drawStops();
}

// The table while entries wait: turns and cards as counted, with undo and *All others pass* enabled.
function drawAhead() {
  const { turn, last, leading, left, passed } = position();
  const { draws, texts, seats: sitting } = table();
  for (const { value, parentElement: place } of seats()) {
    if (!draws) the(".left", place).firstChild.data = `${left[value]}`;
    if (turn && !sitting[value].gone) the(".state", place).textContent = passed.includes(value) ? texts.passed : "";
  }
  for (const what of ["undo", "pass-all"]) the(`[value=${what}]`, main).disabled = false;
  // The server's page lists passes without knowing of waiting entries.
  for (const ghosts of main.querySelectorAll(".ghosts")) ghosts.remove();
  for (const one of seats()) drawGhosts(one.value);
  const opening = standing().header && !last ? texts.opens : texts.whose;
  const say = turn ? (leading ? texts.leads : texts.next) : opening;
  the(".say .turn", main).textContent = fill(say, { name: nameOf(turn) });
  const title = fill(texts.round, { number: number() });
  for (const heading of main.querySelectorAll("h1, .say .number")) heading.textContent = title;
  const { header } = standing();
  if (header) drawFactor(header.times ?? 1);
}

/** @param {number} times */
function drawFactor(times) {
  const factor = the(".say .times", main);
  factor.hidden = times === 1;
  factor.textContent = `×${times}`;
}

/** @param {string} player */
function drawGhosts(player) {
  const passed = passing(player);
  if (!passed.length) return;
  const ghosts = Object.assign(document.createElement("p"), { className: "ghosts", textContent: passingText(passed) });
  ghosts.dataset.seat = player;
  the(".felt", main).append(ghosts);
}

// While an answer is due, the rows are those that it will bring, so that none moves under a finger: a play has its
// pencil, a pass, which its seat shows, has no row, and what is undone has gone. What waits for a decision is a line.
function drawRows() {
  const { turn, led } = position();
  const isDue = !queue.offline && !queue.halt;
  /** @param {Told} told @param {boolean} struck */
  const shows = ({ kind }, struck) => !isDue || !(struck || UNDOES.includes(kind) || (kind === "pass" && turn));
  const some = rows().filter(({ told, struck }) => shows(told, struck));
  if (isDue && standing().beyond) takeBack();
  if (!some.length) return;
  if (!main.querySelector(".pile")) {
    the(".heap", main).append(Object.assign(document.createElement("ol"), { className: "pile" }));
  }
  const pile = the(".pile", main);
  for (const { id, told, sent, struck } of some) {
    const [row, plays] = [document.createElement("li"), told.kind === "play" && !struck && !queue.halt];
    if (plays) setBack(pile, led.includes(told));
    row.className = `waiting${sent ? " sent" : ""}${plays ? " top" : ""}`;
    const drawn = isDue && !standing().header ? toMend(id, told.text) : document.createElement("span");
    if (plays) drawn.append(written("span", nameOf(told.seat ?? ""), "who"), " ", handOf(told.cards ?? []));
    row.append(plays ? drawn : written(struck ? "s" : "span", told.text));
    the("*", row).dataset.mark = queue.offline ? table().texts.unjudged : "⋯";
    pile.append(row);
  }
}

// Take the newest play off the pile if it is what an undo takes back: the newest entry on the page, and no correction.
function takeBack() {
  const [top, { dataset }] = [main.querySelector(".top"), the(".proof")];
  const link = top?.querySelector("a");
  const next = top?.previousElementSibling;
  if (!link?.href.includes(`target=${dataset.seq}.`) || link.querySelector(".flag")) return;
  if (next?.matches(".earlier")) return; // whose pile it is, the server knows
  top?.remove();
  next?.classList.replace("below", "top");
  const below = next?.previousElementSibling;
  if (!below || below.matches(".earlier")) return;
  below.className = "below";
  const cards = the(".cards", below);
  cards.className = "hand";
  for (const card of cards.children) drawOn(card, card.textContent);
}

/**
 * Make room for a new play: the last one shows from behind it, or is of an earlier pile.
 * @param {Part} pile
 * @param {boolean} leads
 */
function setBack(pile, leads) {
  const [top, below] = [pile.querySelector(".top"), pile.querySelector(".below")];
  for (const row of leads ? [top, below] : [below]) inLine(row);
  top?.classList.replace("top", "below");
  if (leads) for (const row of pile.children) row.className = "earlier";
}

/** Write the cards of a row instead of drawing them. @param {Part | null} row */
function inLine(row) {
  const hand = row?.querySelector(".hand");
  for (const card of hand?.children ?? []) {
    Object.assign(card, { textContent: card.textContent, className: card.classList[1] });
  }
  if (hand) hand.className = "cards";
  row?.classList.remove("below");
}

/** Cards as the server draws them. @param {string[]} cards */
function handOf(cards) {
  const hand = written("span", "", `hand${cards.length > 6 ? " fan" : ""}`);
  hand.append(...cards.map((card) => drawOn(written("span", "", `suit-${card[1]}`), faceOf(card))));
  return hand;
}

/** @param {Element} card with its suit as class @param {string} face */
function drawOn(card, face) {
  card.className = `card ${card.className}`;
  const [, rank, suit, back] = /(\w+)(.)(.*)/u.exec(face) ?? [];
  card.replaceChildren(written("b", rank + back), suit);
  return card;
}

/** A link that corrects a play, once it is recorded. @param {string} id @param {string} text */
function toMend(id, text) {
  const { mend, texts } = table();
  const link = Object.assign(document.createElement("a"), { href: `${mend}?target=${id}` });
  link.setAttribute("aria-label", `${text}: ${texts.correct}`);
  return link;
}

/** @param {string} tag @param {string} textContent */
const written = (tag, textContent, className = "") =>
  Object.assign(document.createElement(tag), { textContent, className });

function drawNotice() {
  if (!notice) return;
  main.querySelector(".notice")?.remove();
  const drawn = the("*", the("#notice").content).cloneNode(true);
  const link = the("a", drawn);
  the("p", drawn).prepend(`${notice.words} `);
  if (notice.clause) link.href += `#${notice.clause}`;
  else link.remove();
  if (notice.forgot) the("p", drawn).append(" ", toForgotten());
  const buttons = the(".buttons", drawn);
  if (!notice.stood) the("[data-stood]", buttons).remove();
  if (!taken().length) the("[data-clear]", buttons).remove();
  for (const [href, text] of notice.links ?? []) {
    buttons.append(Object.assign(document.createElement("a"), { href, textContent: text, className: "button" }));
  }
  if (!buttons.children.length) buttons.remove();
  the(".felt", main).append(drawn);
}

/** A link for inserting a move that was forgotten before the last one. */
function toForgotten() {
  const { mend, moves, texts } = table();
  const said = { href: `${mend}?move=${moves}&how=before`, textContent: texts.forgot, className: "forgot" };
  return Object.assign(document.createElement("a"), said);
}

/**
 * Tell which move showed a card, with links that correct that move, or only the suit of this card.
 * @param {string} card
 */
export function tellShown(card) {
  const { shown, mend, texts } = table();
  if (!shown[card]) return;
  const [move, player] = shown[card];
  const free = keys().filter((key) => isLike(key.value, card) && !key.disabled).map((key) => key.value);
  free.sort((one, other) => Number(other[0] === card[0]) - Number(one[0] === card[0]));
  /** @type {[string, string][]} */
  const links = [[`${mend}?move=${move}`, fill(texts.mend, { number: move })]];
  for (const other of new Set(free)) {
    const query = new URLSearchParams({ move: String(move), swap: `${card} ${other}` });
    links.push([`${mend}?${query}`, faceOf(other)]);
  }
  notice = { words: fill(texts.shown, { card: faceOf(card), name: nameOf(player), number: move }), links };
  restore();
}

/**
 * Whether a card is easily mistaken for another: of the same rank, or next to it in the same suit.
 * @type {(one: string, other: string) => boolean}
 */
function isLike([rank, suit], [other, its]) {
  return rank === other || (suit === its && Math.abs(RANKS.indexOf(rank) - RANKS.indexOf(other)) === 1);
}

/**
 * Offer plays that contain the tapped cards, or that were probably meant if these were refused, or if nobody's turn is
 * known, the names; one more tap records one. The offers cover the rarer buttons: combinations are not shown if one of
 * those is needed.
 * @param {Part[]} cards
 */
function drawOffers(cards) {
  const [row, player] = [the(".offers", main), seat()];
  const covered = main.querySelector("form.record :is([value=forward], [name=locks])");
  const combined = queue.entries.length || covered || !player ? [] : offers(player.value, cards);
  const chosen = cards.map((key) => key.value);
  const refused = notice?.instead?.filter((one) => String(one.cards) === String(chosen)) ?? [];
  const sitting = seats().filter(({ value }) => !table().seats[value].gone);
  const meant = chosen.length && !player ? sitting.map(({ value }) => whose(value, chosen)) : refused;
  const found = meant.length ? meant.map(reading) : combined;
  row.replaceChildren(...found);
  row.hidden = !found.length;
}

/** @param {string} player @param {Part[]} cards */
function offers(player, cards) {
  const { together, seats: sitting } = table();
  const byCard = Object.fromEntries(keys().filter((key) => !key.disabled).map((key) => [key.value, key]));
  const ways = together.find(({ seats }) => seats.includes(player))?.ways ?? [];
  const hand = {
    tapped: cards.map((key) => key.value),
    free: Object.keys(byCard),
    left: sitting[player].left,
    /** @param {string} card */
    face: (card) => label(byCard[card]),
  };
  return offered(ways, hand).map(({ cards: some, text }) => {
    const drawn = button(player, some, text);
    drawn.setAttribute("aria-label", words(table().naming, some.map((card) => byCard[card])));
    return drawn;
  });
}

/** A button that records a play. @param {string} player @param {string[]} cards @param {string} text */
function button(player, cards, text) {
  const drawn = Object.assign(document.createElement("button"), { type: "button", value: player, textContent: text });
  drawn.dataset.offer = cards.join(" ");
  return drawn;
}

/** The play as a player's. @param {string} player @param {string[]} cards */
const whose = (player, cards) => ({ seat: player, passes: passing(player), cards, text: nameOf(player) });

/** A play that was probably meant. @param {Meant} meant */
function reading({ seat: player, passes, cards, text: named }) {
  const { to } = table().naming;
  const faces = cards.map(faceOf);
  const shown = faces.length > FEW ? [faces[0], "…", ...faces.slice(-1)] : faces;
  const text = named ?? fill(to, { cards: shown.join(" "), name: nameOf(player) });
  const drawn = Object.assign(button(player, cards, text), { className: "meant" });
  if (passes.length) drawn.append(" ", written("small", passingText(passes)));
  return drawn;
}

export function show() {
  const player = seat();
  const bright = new Set(player ? table().seats[player.value].playable : []);
  const known = !queue.entries.length && Boolean(player);
  for (const key of keys()) {
    key.closest(".key")?.classList.toggle("dim", known && !key.disabled && !bright.has(key.value));
  }
  const cards = taken();
  drawOffers(cards);
  const confirm = confirming();
  const { naming } = table();
  const what = cards.length ? words(naming, cards) : confirm.dataset.plain;
  const name = cards.length ? (player ? nameOf(player.value) : "?") : "";
  sayOn(confirm, naming, { what, name, cards: cards.length });
}

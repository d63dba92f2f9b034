// Motion on the table: a played card moves from its key to the pile, and a new bomb stands out. Only transforms and
// opacity change, and nothing waits for it. Phones that ask for less motion get none.

import { the } from "../shared/facts.js";

const MILLISECONDS = 140;
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const main = the("main");

/** @typedef {{ text: string, suit: string, box: DOMRect }} Lifted */

/** Where the keys of cards are now: `land` moves them from there. @param {Part[]} keys @returns {Lifted[]} */
export function lift(keys) {
  if (calm.matches) return [];
  return keys.filter((key) => key.getClientRects().length).map((key) => {
    const face = the("span", key.closest(".key"));
    return { text: face.firstChild.data, suit: `suit-${key.value[1]}`, box: face.getBoundingClientRect() };
  });
}

/**
 * Move cards to the newest row of the pile, where they vanish: from the next frame on, which lays out the page anyway.
 * @param {Lifted[]} lifted
 */
export function land(lifted) {
  if (lifted.length) requestAnimationFrame(() => fly(lifted));
}

/** @param {Lifted[]} lifted */
function fly(lifted) {
  const row = [...main.querySelectorAll(".pile li")].at(-1);
  if (!row) return;
  const { left, top, bottom } = row.getBoundingClientRect();
  const cards = lifted.map(({ text, suit, box }, place) => {
    const card = document.createElement("span");
    card.className = `flying ${suit}`;
    card.textContent = text;
    card.setAttribute("aria-hidden", "true");
    card.style.width = `${box.width}px`;
    card.style.height = `${box.height}px`;
    const [x, y] = [left + (1 + place / 2) * box.width, (top + bottom - box.height) / 2];
    const from = { transform: `translate(${box.left}px, ${box.top}px)`, opacity: 1 };
    const to = { transform: `translate(${x}px, ${y}px) scale(0.6)`, opacity: 0.6 };
    const flight = card.animate([from, to], { duration: MILLISECONDS, easing: "ease-out", fill: "forwards" });
    flight.onfinish = () => card.remove();
    return card;
  });
  document.body.append(...cards);
}

// The bombs on the table, by their moves.
const bombs = () => [...main.querySelectorAll(".felt .bomb")];
const known = new Set(bombs().map(({ dataset }) => dataset.bomb));

document.addEventListener("renewed", () => {
  for (const bomb of bombs()) {
    if (known.has(bomb.dataset.bomb)) continue;
    known.add(bomb.dataset.bomb);
    if (!calm.matches) flash(bomb);
  }
});

/** @param {Part} bomb */
function flash(bomb) {
  const [small, whole] = [{ transform: "scale(0.6)", opacity: 0 }, { transform: "none", opacity: 1 }];
  bomb.animate([small, whole], { duration: MILLISECONDS, easing: "ease-out" });
  const twice = { duration: MILLISECONDS, iterations: 2, direction: /** @type {const} */ ("alternate") };
  bomb.closest(".felt")?.animate([{ opacity: 0 }, { opacity: 1 }], { ...twice, pseudoElement: "::after" });
}

/**
 * Let the phone that recorded a bomb be felt, where it can vibrate.
 * @param {{ seq: number, board: { round?: { payments: { reason: string, cause?: string }[] } } }} recorded
 */
export function feel({ seq, board: { round } }) {
  const payments = round?.payments ?? [];
  if (payments.some(({ reason, cause }) => reason === "bomb-bonus" && cause?.startsWith(`${seq}.`))) {
    navigator.vibrate?.([60, 40, 120]);
  }
}

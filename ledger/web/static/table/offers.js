// Suggestions for the tapped cards: of the combinations that the server lists as playable, those that need a few more
// cards, as many kinds as there is room for. Nothing is judged here.

import { RANKS } from "../shared/naming.js";

// The room in one line of the narrowest phone: the number of buttons, and of letters on and between them.
const [MOST, ROOM] = [8, 48];

// The combinations that contain the tapped cards, as {cards, text}, those with the fewest added cards first. Of a kind
// all are offered or none: the same number added, of one rank, upwards from the lowest tapped card, or otherwise.
/**
 * @param {Way[]} ways
 * @param {{ tapped: string[], free: string[], left: number, face: (card: string) => string }} hand
 */
export function offered(ways, { tapped, free, left, face }) {
  /** @type {Map<number, string[][][][]>} */
  const kinds = new Map();
  for (const way of tapped.length ? ways : []) {
    const more = way.width * way.length - tapped.length;
    if (more < 1 || more + tapped.length > left) continue;
    for (const low of way.lows + (way.edge?.[0] ?? "")) {
      const ranks = RANKS.substr(RANKS.indexOf(low), way.length);
      if (tapped.some(([rank]) => !ranks.includes(rank))) continue;
      const kind = 3 * more + (way.length === 1 ? 0 : tapped.some(([rank]) => rank === low) ? 1 : 2);
      const needed = way.lows.includes(low) ? [] : (way.edge ?? []).slice(1);
      const block = [...ranks].map((rank) => choices(rank, way, needed, tapped, free));
      kinds.set(kind, [...(kinds.get(kind) ?? []), block]);
    }
  }
  const found = [];
  for (const [, blocks] of [...kinds].sort(([one], [other]) => one - other)) {
    const several = blocks.reduce((sum, block) => sum + block.reduce((product, some) => product * some.length, 1), 0);
    if (several > MOST - found.length) continue;
    const some = blocks.flatMap(all).map((cards) => ({ cards, text: text(cards, tapped, face) }));
    if ([...found, ...some].reduce((sum, one) => sum + one.text.length + 2, 0) <= ROOM) found.push(...some);
  }
  return found;
}

// The choices of a block's cards of one rank: as many as the block is wide, including the tapped ones.
/**
 * @param {string} rank
 * @param {Way} way
 * @param {string[]} needed
 * @param {string[]} tapped
 * @param {string[]} free
 */
function choices(rank, { width, suits }, needed, tapped, free) {
  const here = free.filter((card) => card[0] === rank);
  const must = here.filter((card) => tapped.includes(card));
  const needs = needed.some((card) => card[0] === rank);
  /** @param {string} group */
  const more = (group) => here.filter((card) => !must.includes(card) && group.includes(card[1]));
  return suits
    .filter((group) => must.every((card) => group.includes(card[1])))
    .flatMap((group) => subsets(more(group), width - must.length))
    .map((rest) => here.filter((card) => must.includes(card) || rest.includes(card)))
    .filter((some) => !needs || some.some((card) => needed.includes(card)));
}

/** @param {string[]} list @param {number} size @returns {string[][]} */
function subsets(list, size) {
  if (size === 0) return [[]];
  return list.flatMap((one, place) => subsets(list.slice(place + 1), size - 1).map((rest) => [one, ...rest]));
}

/** All combinations of one choice for each rank. @param {string[][][]} blocks @returns {string[][]} */
function all(blocks) {
  const [some, ...others] = blocks;
  return others.length ? some.flatMap((one) => all(others).map((rest) => [...one, ...rest])) : some;
}

// A button's text: all cards if they are of one rank, else the added ones: `3♠♥`, `+6♠7♣`.
/** @param {string[]} cards @param {string[]} tapped @param {(card: string) => string} face */
function text(cards, tapped, face) {
  const whole = cards.every((card) => card[0] === cards[0][0]);
  const shown = whole ? cards : cards.filter((card) => !tapped.includes(card));
  const written = shown.map((card, place) => (card[0] === shown[place - 1]?.[0] ? face(card).at(-1) : face(card)));
  return (whole ? "" : "+") + written.join("");
}

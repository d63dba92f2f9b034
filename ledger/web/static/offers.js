// What goes with the cards that were tapped: of the combinations that the server says can be played now, those that are
// a few cards away, as many kinds as there is room for. Nothing is judged here, only counted and laid together.

import { RANKS } from "./naming.js";

// One line of the narrowest phone: so many buttons at the most, and in letters what stands on them and between them.
const [MOST, ROOM] = [8, 48];

// The combinations in which the tapped cards are, each as {cards, text}. Of one kind all are offered or none: with as
// many more cards, of one rank or upwards from the lowest tapped card or otherwise. The nearest come first.
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
      const needed = way.lows.includes(low) ? [] : way.edge.slice(1);
      if (!kinds.has(kind)) kinds.set(kind, []);
      kinds.get(kind).push([...ranks].map((rank) => choices(rank, way, needed, tapped, free)));
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

// The cards that a block may hold of one rank: as many as it is wide, the tapped ones among them.
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

/**
 * @param {string[]} list
 * @param {number} size
 * @returns {string[][]}
 */
function subsets(list, size) {
  if (size === 0) return [[]];
  return list.flatMap((one, place) => subsets(list.slice(place + 1), size - 1).map((rest) => [one, ...rest]));
}

// One of the choices of each rank, in every way.
/**
 * @param {string[][][]} blocks
 * @returns {string[][]}
 */
function all(blocks) {
  const [some, ...others] = blocks;
  return others.length ? some.flatMap((one) => all(others).map((rest) => [...one, ...rest])) : some;
}

// All cards where they are of one rank, else those that are added: `3♠♥`, `+6♠7♣`.
/** @param {string[]} cards @param {string[]} tapped @param {(card: string) => string} face */
function text(cards, tapped, face) {
  const whole = cards.every((card) => card[0] === cards[0][0]);
  const shown = whole ? cards : cards.filter((card) => !tapped.includes(card));
  const written = shown.map((card, place) => (card[0] === shown[place - 1]?.[0] ? face(card).at(-1) : face(card)));
  return (whole ? "" : "+") + written.join("");
}

// Names of combinations, from the shape of the cards and the patterns in the page. Whether they may be played is not
// checked.

import { the } from "./facts.js";

export const RANKS = "3456789TJQKA2";

// Split a text into graphemes, letters with their marks. The segmenter is made late: that takes longer than a page.
/** @type {Intl.Segmenter | undefined} */
let segmenter;
/** @param {string} text */
export function letters(text) {
  if (!Intl.Segmenter) return [...text];
  segmenter ??= new Intl.Segmenter();
  return Array.from(segmenter.segment(text), (part) => part.segment);
}

/** The label of a key of the grid, with the mark of its back. @param {Part} key */
export const label = (key) => the("span", key.closest(".key")).firstChild.textContent + key.value.slice(2);

/** Fill a pattern's `{names}` with facts. @param {string} pattern @param {Record<string, string | number>} facts */
export const fill = (pattern, facts) => pattern.replace(/\{(\w+)\}/g, (whole, name) => String(facts[name] ?? whole));

// The kind of combination by shape: of one rank, a sequence, a sequence of pairs and so on; null for other cards.
/** @param {string[]} cards */
function kindOf(cards) {
  const ranks = [...new Set(cards.map((card) => RANKS.indexOf(card[0])))].sort((a, b) => a - b);
  const each = cards.length / ranks.length;
  const even = ranks.every((rank) => cards.filter((card) => RANKS.indexOf(card[0]) === rank).length === each);
  if (!even) return null;
  if (ranks.length === 1) return ["single", "pair", "triple", "four-of-a-kind"][each - 1] ?? "more-of-a-kind";
  if (each === 4) return "fours";
  const run = ranks.length > (each === 2 ? 1 : 2) && ranks[ranks.length - 1] - ranks[0] === ranks.length - 1;
  return run ? ["sequence", "pair-sequence", "triple-sequence"][each - 1] : null;
}

// The name of some cards by their kind; `labels` are the cards' own labels.
/** @param {Naming} naming @param {string[]} cards @param {string[]} labels */
export function named({ kinds, numbers, cards: many }, cards, labels) {
  const kind = kindOf(cards);
  const ranks = new Set(cards.map((card) => card[0])).size;
  /** @param {number} count */
  const numbered = (count) => numbers[count] ?? count;
  if (cards.length > 6 && kind !== "sequence" && kind !== "pair-sequence") return fill(many, { number: cards.length });
  const listed = labels.length > 6 ? `${labels[0]} … ${labels.at(-1)}` : labels.join(" ");
  return kind ? fill(kinds[kind], { cards: listed, number: numbered(ranks), count: numbered(cards.length) }) : listed;
}

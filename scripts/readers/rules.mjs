// What totals.mjs reads of a ruleset in the lines of `tienlen rules ID --lines`, and what cards are worth by it.

const UNREAD =
  /chain=[adfgl]|payee=[st]|several=f|ties=[le]|:bombs=|(_lead|opens|equal|leaves|_cards|twos|doubles)=yes/;
export const [RANKS, SUITS, ACE, TWO] = ["3456789TJQKA2", "scdh", 11, 12];
const BACKS = ["", "'"];

export const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const range = (size) => [...Array(size).keys()];
const product = (lists) => lists.reduce((rows, list) => rows.flatMap((row) => list.map((one) => [...row, one])), [[]]);
const chosen = (list, size) => // every choice of so many
  size ? list.flatMap((one, at) => chosen(list.slice(at + 1), size - 1).map((rest) => [one, ...rest])) : [[]];

const pack = product([range(13), range(4), range(2)]); // in the order of cards
export const CARDS = Object.fromEntries(
  pack.map(([rank, suit, back], order) => [RANKS[rank] + SUITS[suit] + BACKS[back], { rank, suit, back, order }]),
);

function quit(text) {
  console.error(`${text} is not read here`);
  process.exit(1);
}

/** 2x3@2, three pairs up to 2s: width 2, length 3, not loose, top TWO. */
export function readPattern(text) {
  const [, width, joined, length, top] = text.match(/^(\d)([x+]?)(\d*)(?:@(.))?$/) ?? quit(text);
  return { width: +width, length: +length || 1, loose: joined === "+", top: top && RANKS.indexOf(top) };
}

/** The fields of a ruleset by their last names: numbers, truth values, words, or lists of what a field holds. */
export function readRules(text) {
  if (UNREAD.test(text)) quit(text.match(UNREAD)[0]);
  const said = [...text.matchAll(/^rule (?!debts|kneeling).*?(\w+)=(.*)/gm)].map(([, name, value]) => [name, value]);
  const words = { yes: true, no: false };
  const rules = Object.fromEntries(
    said.map(([name, value]) => [name, /^\d+$/.test(value) ? +value : (words[value] ?? value)]),
  );
  const rows = (name) => `${rules[name]}`.split(",").filter((row) => row !== "none").map((row) => row.split(":"));
  const sets = (name) => rows(name).map(([shape, points, suits]) => (
    { pattern: readPattern(shape), points: +points, suits: suits?.slice("suits=".length) ?? SUITS }));
  const bombs = rows("bombs").filter((row) => !row.includes("plain"));
  return {
    ...rules,
    special_sets: sets("special_sets"),
    captured: sets("captured"),
    bombs: bombs.map((row) => readPattern(row[0] + (row.includes("rank=2") ? "@2" : ""))),
    hands: rows("hands").map((row) => Object.fromEntries(row.slice(1).map((part) => part.split("=")))),
    contracts: Object.fromEntries(rows("contracts").map(([name, gain, loss]) => [name, [+gain, +loss]])),
    places: rows("places").flatMap(readPlaces),
  };
}

/** Who pays whom: players, payer, payee, points. The last place pays first, to the best not yet paid in full. */
function readPlaces(row) {
  if (row.length > 1) return [row.map(Number)];
  const due = row[0].split("/").map((points, place) => [place + 1, +points]);
  const places = (some) => some.flatMap(([place, points]) => Array(Math.max(points, 0)).fill(place));
  const payees = places(due);
  const payers = places(due.toReversed().map(([place, points]) => [place, -points]));
  return payers.map((payer, unit) => [due.length, payer, payees[unit], 1]);
}

/** All blocks of a pattern in some cards: of one `suit` or `colour`, if asked, in a row up to the highest. */
export function blocks(cards, { width, length, loose, top }, rules, suits, highest) {
  const inRow = highest ?? RANKS.indexOf(rules[width === 1 ? "top_of_sequences" : "top_of_pair_sequences"]);
  const ranks = range((length === 1 || loose ? TWO : (top ?? inRow)) + 1);
  const inRows = ranks.slice(length - 1).map((last) => ranks.slice(last - length + 1, last + 1));
  const rows = (loose ? chosen(ranks, length) : inRows).filter((row) => top === undefined || row.at(-1) === top);
  const alike = (some) => new Set(some.map((card) => (suits === "suit" ? card.suit : card.suit >> 1))).size === 1;
  return rows.flatMap((row) => {
    const parts = product(row.map((rank) => chosen(cards.filter((card) => card.rank === rank), width)));
    const paired = width === 2 && rules.one_colour && !(rules.follow_suits && row[0] === TWO);
    const agree = parts.filter((some) => (suits ? alike(some.flat()) : !paired || some.every(alike)));
    return agree.map((some) => some.flat());
  });
}

/**
 * The highest total of special sets in some cards, each card in at most one set; with `whole`, cards that are exactly
 * one set have its points.
 */
export function worth(cards, sets, rules, whole = false) {
  const own = cards.map((card) => ({ ...card })).sort((one, other) => one.order - other.order); // now twins differ
  const found = sets.filter(({ points }) => points > 0).flatMap(({ pattern, points, suits }) =>
    blocks(own.filter((card) => suits.includes(SUITS[card.suit])), pattern, rules)
      .map((block) => ({ points, block, loose: pattern.loose })));
  const asOne = found.filter(({ block }) => whole && block.length === cards.length);
  if (asOne.length) return Math.max(...asOne.map(({ points }) => points));
  const known = new Map();
  const best = (left) => {
    const key = left.map((card) => own.indexOf(card)).join();
    if (!left.length || known.has(key)) return known.get(key) ?? 0;
    const fits = ({ block, loose }) => !loose && block.includes(left[0]) && block.every((card) => left.includes(card));
    const ways = found.filter(fits).map(({ points, block }) =>
      points + best(left.filter((card) => !block.includes(card))));
    known.set(key, Math.max(best(left.slice(1)), ...ways));
    return known.get(key);
  };
  return best(own);
}

// The plays that fit what was heard, narrowed by the chosen cards. They come from the server as lists of plays: for
// each rank the choices of its cards, of which any makes a play with any of the others. Nothing is judged here.

/** @typedef {string[][][]} Plays */

/**
 * Of the plays with all chosen cards, the cards that are still to be chosen: `open` are those of some of them, `needed`
 * those of all. Null if no play has the chosen cards; one play is left if every open card is needed.
 * @param {Plays[]} fits
 * @param {string[]} chosen
 * @returns {{ open: string[], needed: string[] } | null}
 */
export function narrowed(fits, chosen) {
  const left = fits.map((plays) => rests(plays, chosen)).filter((plays) => plays !== null);
  if (!left.length) return null;
  const open = left.flatMap((ranks) => ranks.flat(2));
  const needed = left.map((ranks) => ranks.flatMap((choices) => choices.reduce(common))).reduce(common);
  return { open: [...new Set(open)], needed };
}

/**
 * What each rank's choices have besides the chosen cards; null if these are not part of any play.
 * @param {Plays} plays
 * @param {string[]} chosen
 */
function rests(plays, chosen) {
  const here = plays.map(([[card]]) => chosen.filter((one) => one[0] === card[0]));
  if (here.flat().length < chosen.length) return null;
  const left = plays.map((choices, place) =>
    choices.map((cards) => without(cards, here[place])).filter((cards) => cards !== null));
  return left.every((choices) => choices.length) ? left : null;
}

/**
 * Cards without some of them, each copy once; null if they do not have them all.
 * @param {string[]} cards
 * @param {string[]} some
 */
export function without(cards, some) {
  const left = [...cards];
  for (const card of some) {
    if (!left.includes(card)) return null;
    left.splice(left.indexOf(card), 1);
  }
  return left;
}

/** The cards that both have, each copy once. @param {string[]} some @param {string[]} others */
function common(some, others) {
  const left = [...others];
  return some.filter((card) => left.includes(card) && left.splice(left.indexOf(card), 1));
}

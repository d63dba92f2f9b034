// What everybody won in nights of southern-classic, from the moves alone: `node totals.mjs NIGHT.tln…` prints the totals;
// exit 1 names the first round whose `=` lines say otherwise. totals.py is the same in Python, and says what it reads.

import { readFileSync } from "node:fs";

const RANKS = "3456789TJQKA2";
const PLACES = { 2: { 2: [1, 2] }, 3: { 2: [1, 1], 3: [1, 2] }, 4: { 3: [2, 1], 4: [1, 2] } }; // players, place: payee's place, points

/** The most that special sets in some cards come to, each card in one set. */
function worth(cards) {
  const twos = cards.filter(([rank]) => rank === "2").map(([, suit]) => ("dh".includes(suit) ? 2 : 1));
  return sum(twos) + blocks([...RANKS.slice(0, -1)].map((rank) => cards.filter((card) => card[0] === rank).length));
}

/** The same of fours of a kind and three or four pairs in sequence, by how many cards there are of each rank. */
function blocks(counts) {
  if (!counts.length) return 0;
  let best = blocks(counts.slice(1)) + (counts[0] === 4 ? 3 : 0);
  for (const [length, points] of [[3, 2], [4, 4]]) {
    if (counts.length < length || Math.min(...counts.slice(0, length)) < 2) continue;
    best = Math.max(best, points + blocks(counts.map((count, place) => (place < length ? count - 2 : count))));
  }
  return best;
}

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/** What each player wins in a round. */
function scored(seats, moves) {
  const net = Object.fromEntries(seats.map((seat) => [seat, 0]));
  const played = Object.fromEntries(seats.map((seat) => [seat, []]));
  const shown = {};
  let [active, free, places, knocked, pile, leader] = [seats, seats, [], [], [], null];
  const pay = (payer, payee, points) => {
    net[payer] -= points;
    net[payee] += points;
  };
  // A pile is over: a bomb on top takes what lies below, unless whose play it beat went out with that.
  const close = () => {
    const [beaten, top] = pile.slice(-2);
    if (!top || beaten.out || top.cards.length < 4) return;
    if (2 * new Set(top.cards.map(([rank]) => rank)).size > top.cards.length) return;
    pay(beaten.seat, top.seat, sum(pile.slice(0, -1).map(({ cards }) => worth(cards))));
  };
  for (const [seat, ...words] of moves) {
    if (words[0] === "claims") seats.forEach((other) => pay(other, seat, 2));
    else if (words[0] === "shows") shown[seat] = words.slice(1);
    else if (words[0] === "-") free = free.filter((one) => one !== seat);
    else {
      if (seat === leader) {
        close();
        [pile, free] = [[], active];
      }
      played[seat].push(...words);
      const out = played[seat].length === 13;
      pile.push({ seat, cards: words, out });
      if (out) {
        if (!places.length) knocked = seats.filter((one) => !played[one].length);
        places.push(seat);
        active = active.filter((one) => one !== seat && !knocked.includes(one));
        free = free.filter((one) => active.includes(one));
      }
    }
    const winner = pile.at(-1)?.seat ?? seats[0];
    const inTurn = [...seats.slice(seats.indexOf(winner)), ...seats.slice(0, seats.indexOf(winner))];
    leader = free.some((one) => one !== winner) ? null : inTurn.find((one) => active.includes(one));
  }
  if (!places.length) return net;
  close();
  const latest = places.at(-1);
  places = [...places, ...active];
  const seen = [...Object.values(played), ...Object.values(shown)].flat();
  const rest = [...RANKS].flatMap((rank) => [..."scdh"].map((suit) => rank + suit)).filter((card) => !seen.includes(card));
  [...places, ...knocked].forEach((seat, place) => {
    const [payee, points] = knocked.includes(seat) ? [1, 4] : (PLACES[seats.length][place + 1] ?? [1, 0]);
    pay(seat, places[payee - 1], points);
    const known = seats.length === 4 && rest.length === 13 - played[seat].length ? rest : [];
    pay(seat, knocked.includes(seat) ? places[0] : latest, worth(shown[seat] ?? known));
  });
  return net;
}

for (const path of process.argv.slice(2)) {
  const [seats, rounds] = [[], []];
  for (const words of readFileSync(path, "utf-8").split("\n").map((line) => line.split(" "))) {
    if (words[0] === "round") rounds.push({ moves: [], paid: Object.fromEntries(seats.map((seat) => [seat, 0])) });
    else if (words[0] === "=" && words[1] !== "none") {
      rounds.at(-1).paid[words[1]] -= Number(words[3]);
      rounds.at(-1).paid[words[2]] += Number(words[3]);
    } else if (/^p\d+$/.test(words[0])) rounds.length ? rounds.at(-1).moves.push(words) : seats.push(words[0]);
  }
  const nets = rounds.map(({ moves }) => scored(seats, moves));
  const wrong = rounds.findIndex(({ paid }, number) => seats.some((seat) => paid[seat] !== nets[number][seat]));
  if (wrong >= 0) {
    console.error(`${path}: round ${wrong + 1}: ${JSON.stringify([nets[wrong], rounds[wrong].paid])} by the moves, and by its = lines`);
    process.exit(1);
  }
  const totals = seats.map((seat) => `${seat} ${sum(nets.map((net) => net[seat]))}`.replace(/ (?=\d+$)/, " +"));
  console.log([path, ...totals].join(" "));
}

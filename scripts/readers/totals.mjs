// An independent scorer of southern-classic: `node totals.mjs NIGHT.tln…` prints the totals from the moves alone; exit 1
// names the first round whose `=` lines differ. totals.py, the same in Python, says what it reads.

import { readFileSync } from "node:fs";

const PRICES = `places.2=2/-2 places.3=3/-1/-2 places.4=2/1/-1/-2 full-hand=4
  black-two=1 red-two=2 three-pairs=2 four-of-a-kind=3 four-pairs=4`;
const SETS = [["three-pairs", 3, 2], ["four-of-a-kind", 1, 4], ["four-pairs", 4, 2]]; // ranks in a row, cards of each
const RANKS = [..."3456789TJQKA"];

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const points = (value) => (value.includes("/") ? value.split("/").map(Number) : Number(value));
const times = (seat, count) => Array(Math.max(count, 0)).fill(seat);

/** The highest total value of special sets in some cards, each card in at most one set. */
function worth(cards, price) {
  const twos = cards.filter((card) => card[0] === "2").map((card) => ("dh".includes(card[1]) ? "red" : "black"));
  const counts = RANKS.map((rank) => cards.filter((card) => card[0] === rank).length);
  return sum(twos.map((colour) => price[`${colour}-two`])) + blocks(counts, price);
}

/** The same without twos, from the number of cards of each rank. */
function blocks(counts, price) {
  let best = counts.length ? blocks(counts.slice(1), price) : 0;
  for (const [name, length, width] of SETS) {
    if (counts.length < length || Math.min(...counts.slice(0, length)) < width) continue;
    const rest = counts.map((count, at) => (at < length ? count - width : count));
    best = Math.max(best, price[name] + blocks(rest, price));
  }
  return best;
}

/** The payment for a bomb on top: it captures the cards below, unless the beaten player went out with them. */
function* bombed(pile, price) {
  const [beaten, top] = pile.slice(-2);
  if (!top || beaten.out || top.cards.length < 4) return;
  if (2 * new Set(top.cards.map(([rank]) => rank)).size > top.cards.length) return;
  yield [beaten.seat, top.seat, sum(pile.slice(0, -1).map(({ cards }) => worth(cards, price)))];
}

/** The payments of a round: payer, payee, points. */
function* payments(seats, moves, price) {
  const played = Object.fromEntries(seats.map((seat) => [seat, []]));
  const [shown, places] = [{}, []];
  let [knocked, pile, free] = [[], [], seats];
  const active = () => seats.filter((seat) => !places.includes(seat) && !knocked.includes(seat));
  for (const [seat, ...words] of moves) {
    if (words[0] === "claims") yield* seats.map((other) => [other, seat, 2]);
    else if (words[0] === "shows") shown[seat] = words.slice(1);
    else if (words[0] === "-") free = free.filter((one) => one !== seat);
    else {
      const winner = pile.at(-1)?.seat ?? seats[0];
      const leads = [...seats, ...seats].slice(seats.indexOf(winner)).find((one) => active().includes(one));
      const others = active().filter((one) => one !== winner && free.includes(one));
      if (seat === leads && !others.length) { // a lead; else a play on the pile
        yield* bombed(pile, price);
        [pile, free] = [[], seats];
      }
      played[seat].push(...words);
      const out = played[seat].length === 13;
      pile.push({ seat, cards: words, out });
      if (out && !places.length) knocked = seats.filter((one) => !played[one].length);
      if (out) places.push(seat);
    }
  }
  if (!places.length) return;
  yield* bombed(pile, price);
  const [latest, everybody] = [places.at(-1), [...places, ...active(), ...knocked]];
  const due = everybody.map((seat, place) => [seat, price[`places.${seats.length}`][place]]);
  const payers = due.toReversed().flatMap(([seat, points]) => times(seat, -points));
  const payees = due.flatMap(([seat, points]) => times(seat, points));
  yield* payers.map((payer, unit) => [payer, payees[unit], 1]).filter(([payer]) => !knocked.includes(payer));
  yield* knocked.map((seat) => [seat, places[0], price["full-hand"]]);
  const seen = [...Object.values(played), ...Object.values(shown)].flat();
  const pack = [...RANKS, "2"].flatMap((rank) => [..."scdh"].map((suit) => rank + suit));
  const rest = pack.filter((card) => !seen.includes(card));
  const left = Object.fromEntries(Object.keys(price).map((name) => [name, price[`${name}.left`] ?? price[name]]));
  for (const seat of seats) {
    const hand = shown[seat] ?? (rest.length === 13 - played[seat].length ? rest : []);
    yield [seat, knocked.includes(seat) ? places[0] : latest, worth(hand, left)];
  }
}

/** Each seat's net points from payments. */
function post(seats, payments) {
  const net = Object.fromEntries(seats.map((seat) => [seat, 0]));
  for (const [payer, payee, points] of payments) {
    net[payer] -= points;
    net[payee] += points;
  }
  return net;
}

for (const path of process.argv.slice(2)) {
  const lines = readFileSync(path, "utf-8").split("\n").map((line) => line.split(" "));
  const agreed = lines.filter(([word]) => word === "rule").map(([, price]) => price.replace("price.", ""));
  const said = [...PRICES.split(/\s+/), ...agreed].map((price) => price.split("="));
  const price = Object.fromEntries(said.map(([name, value]) => [name, points(value)]));
  const [seats, rounds] = [[], []];
  for (const words of lines) {
    if (words[0] === "round") rounds.push({ moves: [], stated: [] });
    else if (words[0] === "=" && words[1] !== "none") rounds.at(-1).stated.push([words[1], words[2], Number(words[3])]);
    else if (/^p\d+$/.test(words[0])) rounds.length ? rounds.at(-1).moves.push(words) : seats.push(words[0]);
  }
  const nets = rounds.map(({ moves }) => post(seats, payments(seats, moves, price)));
  const paid = rounds.map(({ stated }) => post(seats, stated));
  const wrong = nets.findIndex((net, number) => seats.some((seat) => net[seat] !== paid[number][seat]));
  if (wrong >= 0) {
    const both = JSON.stringify([nets[wrong], paid[wrong]]);
    console.error(`${path}: round ${wrong + 1}: ${both} by the moves, and by its = lines`);
    process.exit(1);
  }
  const totals = seats.map((seat) => `${seat} ${sum(nets.map((net) => net[seat]))}`.replace(/ (?=\d+$)/, " +"));
  console.log([path, ...totals].join(" "));
}

// An independent scorer, which shares no code with the program: `node totals.mjs RULES NIGHT.tln…` prints totals from
// the moves alone; exit 1 names the first round whose `=` lines differ. totals.py, the same in Python, says what it
// reads.

import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { ACE, CARDS, SUITS, TWO, blocks, readPattern, readRules, sum, worth } from "./rules.mjs";

/** The payments for the bombs of a closed pile: payer, payee, points. */
function bonuses(pile, rules) {
  const sets = rules.captured.length ? rules.captured : rules.special_sets;
  const values = pile.slice(0, -1).map(({ cards }) => worth(cards, sets, rules, rules.captured_whole));
  const beaten = values.map((value, at) => ({ payer: pile[at], bomb: pile[at + 1], value }));
  let chops = beaten.filter(({ bomb }) => bomb.bomb);
  if (["whole-pile", "cut"].includes(rules.chain)) {
    const taken = sum(rules.chain === "cut" ? chops.map(({ value }) => value) : values);
    chops = chops.slice(-1).filter(({ bomb }) => bomb === pile.at(-1)).map((chop) => ({ ...chop, value: taken }));
  }
  return chops
    .map(({ payer, bomb, value }, before) =>
      [payer, bomb, rules.chain === "counting" ? rules.chop_unit * (before + 1) : value])
    .filter(([payer]) => !(payer.out && rules.chop_free_if_out))
    .map(([payer, bomb, points]) => [payer.seat, bomb.seat, points]);
}

/** The blocks by which a hand meets the condition of an instant win; none if it does not. */
function winning(win, hand, opening, rules) {
  if ("opening_only" in win && !opening) return [];
  const suits = "in_one_suit" in win ? "suit" : "one_colour_pairs" in win ? "colour" : undefined;
  const least = (name) => Number(win[name]);
  if ("one_colour" in win) {
    const colours = [0, 1].map((colour) => hand.filter((card) => card.suit >> 1 === colour));
    return colours.filter((cards) => cards.length >= least("one_colour"));
  }
  if ("block" in win) return blocks(hand, readPattern(win.block), rules, suits, ACE);
  if ("bomb_with" in win) {
    const found = rules.bombs.flatMap((bomb) => blocks(hand, bomb, rules, suits, ACE));
    return found.filter((block) => block.includes(CARDS[win.bomb_with]));
  }
  const [name, width] = [["pairs", 2], ["triples", 3], ["fours", 4]].find(([one]) => one in win);
  const [pattern, strict] = [readPattern(`${width}`), { ...rules, one_colour: rules.one_colour || suits === "colour" }];
  const enough = worth(hand, [{ pattern, points: 1, suits: SUITS }], strict) >= least(name);
  return enough ? blocks(hand, pattern, strict) : [];
}

/** The payments for claims of instant wins, pairs of seat and hand: payer, payee, points. */
function instantWins(claims, opening, seats, rules) {
  const won = claims.map(([seat, hand]) => {
    const ways = rules.hands.map((win) => winning(win, hand, opening, rules));
    const place = ways.findIndex((found) => found.length);
    const highest = Math.max(...ways[place].flat().map((card) => card.order));
    return { seat, strength: [-place, highest], points: Number(rules.hands[place].points ?? rules.points) };
  });
  won.sort((one, other) => other.strength[0] - one.strength[0] || other.strength[1] - one.strength[1]);
  const paid = rules.several === "strongest" ? won.slice(0, 1) : won;
  return paid.flatMap(({ seat, points }) => seats.map((other) => [other, seat, points]));
}

/** The payments for places and hands when a round has ended: payer, payee, points. */
function* atTheEnd(seats, places, latest, knocked, left, played, hands, rules) {
  const [winner, last] = [places[0], played[places[0]].at(-1)];
  const isLowest = (cards) => cards.length === 1 && cards[0] === CARDS["3s"];
  const twos = last.filter((card) => card.rank === TWO).length;
  if (rules.last_twos && twos) {
    yield* seats.map((seat) => [winner, seat, twos * rules.last_twos]);
    return;
  }
  for (const seat of seats) {
    const [hand, untouched, place] = [hands[seat], !played[seat].length, places.indexOf(seat) + 1];
    const full = knocked.includes(seat) || untouched || left[seat] >= (rules.full_from || 99);
    if (rules.full_hand && full) yield [seat, winner, rules.full_hand];
    else if (!place) yield [seat, winner, rules.left];
    else {
      const rows = rules.places.filter(([players, payer]) => players === seats.length && payer === place);
      yield* rows.map(([, , payee, points]) => [seat, places[payee - 1], points]);
    }
    if (rules.card && left[seat]) {
      const fixed = untouched && rules.unplayed;
      const instead = rules.unplayed_replaces || !fixed; // sets cost their value instead of their cards
      const cost = ({ width, length }) => (instead ? rules.card * width * length : 0);
      const sets = rules.special_sets.map((one) => ({ ...one, points: one.points - cost(one.pattern) }));
      yield [seat, winner, (fixed || rules.card * left[seat]) + worth(hand, sets, rules)];
    } else if (rules.hoarding && !rules.card) {
      const toWinner = knocked.includes(seat) || rules.hoard_payee === "winner";
      yield [seat, toWinner ? winner : latest, worth(hand, rules.special_sets, rules)];
    }
    yield [seat, winner, rules.lowest_left * isLowest(hand) + rules.lowest_last * isLowest(last)];
  }
}

/** The payments of a round: payer, payee, points. */
function* payments(seats, opening, moves, rules) {
  const pack = Object.values(CARDS).filter((card) => rules.backs || !card.back);
  const rest = Array(rules.backs ? 1 : rules.packs).fill(pack).flat();
  let stock = rules.draw_pile ? rest.length - rules.hand * seats.length : 0;
  const all = (value) => Object.fromEntries(seats.map((seat) => [seat, value()]));
  const [left, played] = [all(() => rules.hand), all(() => [])];
  const [told, places, late] = [{ contract: {}, claims: {}, shows: {} }, [], []];
  let [knocked, pile, active, free, leader] = [[], [], seats, seats, undefined];
  for (const [seat, word, ...words] of moves) {
    const cards = [word, ...words].filter((one) => one in CARDS).map((one) => CARDS[one]);
    for (const card of cards) rest.splice(rest.indexOf(card), 1);
    if (word in told) {
      told[word][seat] = cards.length ? cards : words[0];
      continue;
    }
    if (word === "-") {
      free = free.filter((one) => one !== seat);
      left[seat] += stock > 0;
      stock -= stock > 0;
    } else {
      if (seat === leader && word !== "forward") {
        yield* bonuses(pile, rules);
        [pile, free] = [[], active];
      }
      played[seat].push(cards);
      left[seat] -= cards.length;
      const [out, isAll] = [!left[seat], (block) => block.length === cards.length];
      pile.push({ seat, cards, out, bomb: rules.bombs.some((bomb) => blocks(cards, bomb, rules).some(isAll)) });
      if (out) {
        const idle = seats.filter((one) => !played[one].length);
        late.push(...idle.map((one) => [one, seat, rules.got_to_get_in]));
        if (rules.knock_out && !places.length) knocked = idle;
        places.push(seat);
      }
      active = seats.filter((one) => !places.includes(one) && !knocked.includes(one));
      if (!rules.locks) free = active;
      if (word === "forward" || (rules.last_play_stands && out)) free = [];
    }
    const top = pile.at(-1).seat;
    const waiting = active.some((one) => free.includes(one) && one !== top);
    const after = [...seats, ...seats].slice(seats.indexOf(top));
    leader = waiting ? undefined : after.find((one) => active.includes(one));
  }
  if (Object.keys(told.claims).length) {
    yield* instantWins(Object.entries(told.claims), opening, seats, rules);
  } else if (places.length) {
    yield* [...bonuses(pile, rules), ...late];
    const known = (seat) => told.shows[seat] ?? (rest.length === left[seat] ? rest : []); // the rest is one player's
    const hands = Object.fromEntries(seats.map((seat) => [seat, known(seat)]));
    const ended = rules.at_first_out ? places : [...places, ...active];
    yield* atTheEnd(seats, ended, places.at(-1), knocked, left, played, hands, rules);
    for (const [seat, name] of Object.entries(told.contract)) {
      const [[gain, loss], won] = [rules.contracts[name], seat === places[0]];
      yield* seats.map((other) => (won ? [other, seat, gain] : [seat, other, loss]));
    }
  }
}

/** Each seat's net points from payments. */
function post(payments, seats) {
  const net = Object.fromEntries(seats.map((seat) => [seat, 0]));
  for (const [payer, payee, points] of payments) {
    net[payer] -= points;
    net[payee] += points;
  }
  return net;
}

/** The fields of a ruleset after what a table agrees on below a round. */
function agreed(fields, known, text) {
  for (const [line, word, what] of text.matchAll(/^(rule\w*) (.*)/gm)) {
    if (word === "ruleset" && what in known) fields = known[what];
    else if (/^(?!price)\w+\./.test(what)) fields += `\n${line}`;
    else {
      console.error(`${line} is not read here`);
      process.exit(1);
    }
  }
  return fields;
}

const known = {};
let opened;
for (const path of process.argv.slice(2)) {
  const [head, ...rounds] = readFileSync(path, "utf-8").split("\nround ");
  if (head.startsWith("rule ")) {
    known[basename(path, ".rules")] = opened = head;
    readRules(opened);
    continue;
  }
  const [everybody, nets] = [head.match(/^p\d+/gm), []];
  let [seats, fields, above] = [everybody, opened, head.split("\np1 ")[1]];
  for (const [before, text] of rounds.entries()) {
    fields = agreed(fields, known, above);
    above = text;
    const rules = readRules(fields);
    const words = text.split("\n").filter(Boolean).map((line) => line.replace(/ !$/, "").split(" "));
    const [[, how, ...listed], ...lines] = words;
    const times = listed.at(-1)?.startsWith("x") ? Number(listed.pop().slice(1)) : 1;
    const named = how === "lead" ? listed.slice(1) : listed;
    if (named.length) seats = named;
    const isVoid = lines.some(([word]) => word === "void");
    const moves = lines.filter(([word]) => seats.includes(word) && !isVoid);
    const stated = lines.filter((words) => words[0] === "=" && words.length > 2);
    const made = [...payments(seats, how === "opening", moves, rules)];
    const net = post(made.map(([payer, payee, points]) => [payer, payee, points * times]), everybody);
    const paid = post(stated.map(([, payer, payee, points]) => [payer, payee, Number(points)]), everybody);
    if (everybody.some((seat) => net[seat] !== paid[seat])) {
      console.error(`${path}: round ${before + 1}: ${JSON.stringify([net, paid])} by the moves, and by its = lines`);
      process.exit(1);
    }
    nets.push(net);
    if (rules.direction === "alternating" && !isVoid) seats = seats.toReversed();
  }
  const totals = everybody.map((seat) => `${seat} ${sum(nets.map((net) => net[seat]))}`.replace(/ (?=\d+$)/, " +"));
  console.log([path, ...totals].join(" "));
}

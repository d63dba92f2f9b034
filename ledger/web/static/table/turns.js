// Whose turn it is after the waiting entries, as far as that can be counted without the rules: by seats and numbers of
// cards only. If it cannot be known, no turn is shown, and a person chooses the seat.

import { undoing } from "../shared/state.js";

/** The waiting entries without those undone. @type {(entries: Told[]) => Standing} */
export function standing(entries) {
  const { stays, reached } = undoing(entries);
  const last = stays.findLastIndex(({ kind }) => kind === "round");
  const begun = stays.filter(({ kind }) => kind === "round").length;
  const beyond = last < 0 && [...reached.values()].includes(null);
  return { header: stays[last] ?? null, moves: stays.slice(last + 1), begun, beyond };
}

/** Split passes that were recorded together into single ones. @param {Move} move @returns {Move[]} */
function oneByOne(move) {
  const before = move.kind === "pass" ? (move.passed ?? []) : [];
  return [...before.map((seat) => ({ kind: "pass", seat })), move];
}

/** The position after some moves. @type {(table: Table, moves: Move[]) => Position} */
export function counted(table, moves) {
  const { order, counts } = table;
  const left = { ...table.left };
  let { turn, last, leading } = table;
  let passed = new Set(table.passed);
  let known = counts;

  /** @param {string} player */
  const from = (player) => [...order.slice(order.indexOf(player)), ...order.slice(0, order.indexOf(player))];
  /** @param {string} player */
  const free = (player) => !table.gone.includes(player) && !passed.has(player);
  const waiting = () => (turn && !leading ? from(turn).filter((player) => free(player) && player !== last) : []);
  /** @param {string} player */
  const before = (player) => (waiting().includes(player) ? waiting().slice(0, waiting().indexOf(player)) : []);

  /** @type {Move[]} */
  const led = [];
  for (const move of moves.flatMap(oneByOne)) {
    const { kind, seat: player = "", cards = [] } = move;
    if (kind === "contract") continue;
    if (kind === "play") left[player] -= cards.length;
    // After a pass or play out of turn, or the end of a hand, only the rules know what follows.
    const leads = kind === "play" && (player === turn || !turn);
    const follows = kind === "play" ? waiting().includes(player) : player === turn;
    const due = leading ? leads : follows;
    known &&= due && left[player] > 0;
    if (!known) continue;
    if (leading) passed = new Set();
    if (kind === "play") {
      for (const skipped of before(player)) passed.add(skipped);
      if (leading) led.push(move);
      last = player;
    } else passed.add(player);
    const next = from(player).find((one) => free(one) && one !== last);
    leading = !next;
    turn = next ?? last;
    known = Boolean(next) || !table.gone.includes(last); // only the rules know who leads for a winner who is out
  }
  if (!known && moves.length) turn = "";
  const comingIn = known || !moves.length ? waiting() : [];
  const passing = known ? before : () => [];
  return { turn, last, leading, left, led, passed: [...passed], waiting: comingIn, passing };
}

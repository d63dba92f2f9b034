// Whose turn it is after what waits, as far as that can be counted without the rules: seats and cards are counted, and
// what the cards are is not asked. Where it cannot be known, nobody's turn is said, and a person chooses the seat.

// What waits without what was taken back again: `entries` as they were told. Answers {header, moves, begun,
// beyond}: `moves` are of the round whose `header` waits with them, or where that is null, of the one on the page;
// `begun` is how many rounds wait to begin; `beyond` whether something was taken back that does not wait.
/**
 * @typedef {{
 *   order: string[], turn: string, last: string, leading: boolean, left: Record<string, number>, gone: string[],
 *   passed: string[], counts: boolean,
 * }} Table
 * @typedef {{
 *   turn: string, last: string, leading: boolean, left: Record<string, number>, waiting: string[],
 *   passing: (player: string) => string[],
 * }} Position
 */

/** @type {(entries: Told[], beside: string[]) => Standing} */
export function standing(entries, beside) {
  const [stack, undone] = [[], []];
  let beyond = false;
  for (const told of entries) {
    if (told.kind === "undo") {
      beyond ||= !stack.length;
      undone.push(...stack.splice(-1));
    } else if (told.kind === "redo") {
      beyond ||= !undone.length;
      if (undone.length) stack.push(undone.pop());
    } else if (!beside.includes(told.kind)) {
      stack.push(told);
      undone.length = 0;
    }
  }
  const last = stack.findLastIndex(({ kind }) => kind === "round");
  const begun = stack.filter(({ kind }) => kind === "round").length;
  return { header: stack[last] ?? null, moves: stack.slice(last + 1), begun, beyond: beyond && last < 0 };
}

// Passes that were said together, each by itself.
/** @param {Move} move @returns {Move[]} */
function oneByOne(move) {
  const before = move.kind === "pass" ? (move.passed ?? []) : [];
  return [...before.map((seat) => ({ kind: "pass", seat })), move];
}

// Some moves later. `table` is {order, turn, last, leading, left, gone, passed, counts}: seats in playing order;
// who is to act and who laid the top, or ""; whether whoever is to act leads a pile; how many cards each holds; who
// is out, and who may not come in again on this pile; and whether the rules let turns be counted at all. Answers
// {turn, last, leading, left, waiting, passing}: `turn` is "" where it is not known; `waiting` are those who may
// still come in, in their order; `passing` says who passes if a player plays next.
/** @typedef {Pick<Told, "kind" | "seat" | "cards" | "passed">} Move */
/** @type {(table: Table, moves: Move[]) => Position} */
export function counted(table, moves) {
  const { order, counts } = table;
  const left = { ...table.left };
  let { turn, last, leading } = table;
  let passed = new Set(table.passed);
  let known = counts;

  const from = (player) => [...order.slice(order.indexOf(player)), ...order.slice(0, order.indexOf(player))];
  const free = (player) => !table.gone.includes(player) && !passed.has(player);
  const waiting = () => (turn && !leading ? from(turn).filter((player) => free(player) && player !== last) : []);
  const before = (player) => (waiting().includes(player) ? waiting().slice(0, waiting().indexOf(player)) : []);

  for (const { kind, seat: player, cards } of moves.flatMap(oneByOne)) {
    if (kind === "contract") continue;
    if (kind === "play") left[player] -= cards.length;
    // A pass of another, a play of who may not come in, or the end of a hand: what follows is for the rules to say.
    const leads = kind === "play" && (player === turn || !turn);
    const follows = kind === "play" ? waiting().includes(player) : player === turn;
    const due = leading ? leads : follows;
    known &&= due && left[player] > 0;
    if (!known) continue;
    if (leading) passed = new Set();
    if (kind === "play") {
      for (const skipped of before(player)) passed.add(skipped);
      last = player;
    } else passed.add(player);
    const next = from(player).find((one) => free(one) && one !== last);
    leading = !next;
    turn = next ?? last;
    known = Boolean(next) || !table.gone.includes(last); // who leads for a winner who is out, the rules say
  }
  if (!known && moves.length) turn = "";
  const comingIn = known || !moves.length ? waiting() : [];
  return { turn, last, leading, left, waiting: comingIn, passing: known ? before : () => [] };
}

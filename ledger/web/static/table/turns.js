// Whose turn it is after the waiting entries, as far as that can be counted without the rules: by seats and numbers of
// cards only. If it cannot be known, no turn is shown, and a person chooses the seat.

// The waiting entries without those undone: `entries` are their `told`. Returns {header, moves, begun, beyond}: `moves`
// are of the round whose waiting `header` precedes them, or if that is null, of the round on the page; `begun` is the
// number of rounds that wait to begin; `beyond` is whether an entry was undone that does not wait.
/** @type {(entries: Told[], beside: string[]) => Standing} */
export function standing(entries, beside) {
  /** @type {Told[][]} */
  const [stack, undone] = [[], []];
  let beyond = false;
  for (const told of entries) {
    if (told.kind === "undo") {
      beyond ||= !stack.length;
      undone.push(...stack.splice(-1));
    } else if (told.kind === "redo") {
      beyond ||= !undone.length;
      stack.push(...undone.splice(-1));
    } else if (!beside.includes(told.kind)) {
      stack.push(told);
      undone.length = 0;
    }
  }
  const last = stack.findLastIndex(({ kind }) => kind === "round");
  const begun = stack.filter(({ kind }) => kind === "round").length;
  return { header: stack[last] ?? null, moves: stack.slice(last + 1), begun, beyond: beyond && last < 0 };
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

  for (const { kind, seat: player = "", cards = [] } of moves.flatMap(oneByOne)) {
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
      last = player;
    } else passed.add(player);
    const next = from(player).find((one) => free(one) && one !== last);
    leading = !next;
    turn = next ?? last;
    known = Boolean(next) || !table.gone.includes(last); // only the rules know who leads for a winner who is out
  }
  if (!known && moves.length) turn = "";
  const comingIn = known || !moves.length ? waiting() : [];
  return { turn, last, leading, left, waiting: comingIn, passing: known ? before : () => [] };
}

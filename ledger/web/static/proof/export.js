// Check an exact log (`tienlen export --exact`) from its first line to its last: chain, names, payments, nets.

import { commitment, follow, hex, isOf, nightHash, unhex } from "./chain.js";

// An error of the log: `what`, and the `seq` of its entry (0 is the night itself).
class Broken extends Error {
  /** @param {number} seq @param {string} what */
  constructor(seq, what) {
    super(what);
    this.seq = seq;
  }
}

// Returns {night, names, erased, heads, payments, net}; with {broken: {seq, what}} they hold up to there only, and
// {unreadable: line} means no exact log. `seen` is a code from readCode; `continues` is the head that it matches.
/** @param {string} written @param {Code | null} seen @returns {Promise<Verdict>} */
export async function verifyExport(written, seen = null) {
  const lines = written.replace(/^\ufeff/, "").replace(/\n$/, "").split("\n");
  /** @type {Checked} */
  const found = { night: "", names: {}, erased: [], heads: [], payments: [], net: {} };
  let line = 0;
  try {
    const [night, people, ...events] = lines.map((each, at) => {
      line = at;
      return parsed(each, ["night", "people"][at] ?? "event");
    });
    line = 0;
    const committed = await takeNight(found, night);
    line = 1;
    if (!people) throw new TypeError("the log ends before its people");
    for (line = 2; line < lines.length; line++) await takeEvent(found, events[line - 2], committed);
    line = 1;
    await takePeople(found, people.people, committed);
    if (seen) found.continues = continued(found.heads, seen);
  } catch (error) {
    if (error instanceof Broken) return { ...found, broken: { seq: error.seq, what: error.message } };
    return { unreadable: line + 1 };
  }
  return found;
}

/** @param {string} line @param {string} kind */
function parsed(line, kind) {
  const fields = JSON.parse(line);
  if (fields.line !== kind) throw new TypeError(`a line of the kind ${kind} comes here`);
  return kind === "people" ? fields : { ...fields, hash: hex(unhex(fields.hash)) };
}

/** @param {Checked} found @param {{ body: string, hash: string }} night @returns {Promise<Map<string, string>>} */
async function takeNight(found, { body, hash }) {
  if ((await nightHash(body)) !== hash) throw new Broken(0, "hash");
  const { night, players } = JSON.parse(body);
  found.night = night;
  found.heads.push({ seq: 0, hash });
  found.net = Object.fromEntries(Object.keys(players).map((player) => [player, 0]));
  return new Map(Object.entries(players));
}

// Check the names. Players join and are renamed during a night: the last commitment of each counts.
/**
 * @param {Checked} found
 * @param {({ player: string } & ({ name: string, salt: string } | { name: null, salt: null }))[]} people
 * @param {Map<string, string>} committed
 */
async function takePeople(found, people, committed) {
  if (people.length !== committed.size) throw new Broken(0, "players");
  for (const { player, name, salt } of people) {
    if (!committed.has(player)) throw new Broken(0, "players");
    if (name === null && salt === null) found.erased.push(player);
    else if ((await commitment(salt, name)) !== committed.get(player)) throw new Broken(0, "name");
    found.names[player] = name ?? player;
  }
  if (Object.keys(found.names).length !== committed.size) throw new Broken(0, "players");
}

/** @param {Checked} found @param {{ body: string, hash: string }} entry @param {Map<string, string>} committed */
async function takeEvent(found, entry, committed) {
  const { head, broken } = await follow(found.night, lastOf(found.heads), [entry]);
  if (broken) throw new Broken(broken.seq, broken.what);
  const { parts, payments, net } = JSON.parse(entry.body);
  for (const { kind, player, name } of parts) {
    if (kind === "join" && Object.hasOwn(found.net, player)) throw new Broken(head.seq, "players");
    if (kind === "join") found.net[player] = 0;
    if (kind === "join" || kind === "rename") committed.set(player, name);
  }
  for (const [idx, payment] of payments.entries()) {
    const paid = { seq: head.seq, idx, ...payment };
    if (!isPayment(found, paid)) throw new Broken(head.seq, "payment");
    found.payments.push(paid);
    found.net[paid.payer] -= paid.points;
    found.net[paid.payee] += paid.points;
  }
  const players = Object.keys(found.net);
  const same = players.every((player) => net[player] === found.net[player]);
  if (!same || Object.keys(net).length !== players.length) throw new Broken(head.seq, "net");
  found.heads.push(head);
}

// A valid payment is from one player of the night to another, and reverses at most one earlier payment.
/** @param {Checked} found @param {PostedPayment} payment */
function isPayment(found, { payer, payee, points, reverses }) {
  /** @param {string} player */
  const known = (player) => Object.hasOwn(found.net, player);
  if (!known(payer) || !known(payee) || payer === payee || !Number.isSafeInteger(points) || points < 1) return false;
  if (reverses === null) return true;
  const back = found.payments.find((each) => `${each.seq}.${each.idx}` === reverses);
  const again = found.payments.some((each) => each.reverses === reverses);
  return back !== undefined && !again && back.payer === payee && back.payee === payer && back.points === points;
}

/** @param {Head[]} heads never empty */
const lastOf = (heads) => heads[heads.length - 1];

/** The head whose code was seen. @param {Head[]} heads @param {Code} seen */
function continued(heads, seen) {
  const last = lastOf(heads);
  if (seen.seq === null) {
    const found = heads.findLast((head) => isOf(seen, head.hash));
    if (!found) throw new Broken(last.seq, "unseen");
    return found;
  }
  if (seen.seq > last.seq) throw new Broken(last.seq, "tail");
  if (!isOf(seen, heads[seen.seq].hash)) throw new Broken(seen.seq, "seen");
  return heads[seen.seq];
}

// The entry that a button of a form records, by its value and the form's fields, as in forms.py of the server, which
// judges it. Passes depend on the position: see moves.js.

import { factsOf } from "./facts.js";


/** @param {Part} form */
const roundOf = ({ dataset: { round } }) => (round ? { round: Number(round) } : {});

/** The cards of one player. @param {string} kind @returns {Reading} */
const laid = (kind) => (data, form) =>
  ({ kind, seat: data.get("seat") ?? "", ...roundOf(form), cards: data.getAll("cards") });

/** @type {Reading} */
function play(data, form) {
  const locks = data.get("locks");
  return { ...laid("play")(data, form), ...(locks ? { locks: locks === "yes" } : {}) };
}

// A card typed with the letters of the language, in the notation; other words unchanged.
/** @param {string} word @param {Record<string, string>} letters */
function cardTyped(word, letters) {
  return word.replace(/^(.+)([a-z])(?=['’]?$)/i, (_, rank, suit) => rank + (letters[suit.toLowerCase()] ?? suit));
}

/** @type {Reading} */
function note(data, form) {
  const [due, about] = [data.get("due"), data.get("note") ?? ""];
  /** @type {NoteFacts} */
  const { words: kinds, letters } = factsOf(form) ?? { words: {}, letters: {} };
  /** @param {string} name */
  const words = (name) => {
    const typed = (data.get(name) ?? "").split(/[\s,]+/);
    return name === "cards" ? typed.map((word) => cardTyped(word, letters)) : typed;
  };
  return { kind: "note", note: due ?? [about, ...(kinds[about] ?? []).flatMap(words)].join(" ") };
}

// How many times the payments of a round count: the greatest factor that was chosen.
/** @param {FormData} data */
export function timesOf(data) {
  const times = Math.max(...data.getAll("times").map(Number));
  return times > 1 ? { times } : {};
}

/** @type {Record<string, Reading>} */
const READINGS = {
  undo: () => ({ kind: "undo" }),
  redo: () => ({ kind: "redo" }),
  round(data) {
    const [leader, seats] = [data.get("leader"), data.getAll("seats").filter(Boolean)];
    const led = leader ? { leader } : { opening: true };
    return { kind: "round", ...led, ...(seats.length ? { seats } : {}), ...timesOf(data) };
  },
  play,
  forward: (data, form) => ({ ...play(data, form), forward: true }),
  claim: laid("claim"),
  show: laid("show"),
  declare: laid("declare"),
  none: (data, form) => ({ ...laid("declare")(data, form), cards: [] }),
  cover(data, form) {
    const seat = data.get("payer") ?? "";
    const covered = data.getAll("covered").filter((player) => player !== seat);
    return { kind: "cover", seat, ...roundOf(form), covered, why: data.get("why") ?? "" };
  },
  settle: (data, form) => ({ kind: "settle", ...roundOf(form) }),
  note,
};

/** @param {Part} button @param {FormData} data @param {Part} form @returns {Content} */
export function contentOf({ name, value }, data, form) {
  const [kind, contract] = value.split(" ");
  if (kind === "contract") return { kind, seat: data.get("seat") ?? "", contract };
  return READINGS[name === "due" ? "note" : kind](data, form);
}

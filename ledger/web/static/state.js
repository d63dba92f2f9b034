// What a keeper's phone knows of its night, as one value, and every way in which it changes. Nothing here touches the
// page, the storage, the network or the clock, and nothing knows a rule of the game.
//
/**
 * `body` is what is sent, `told` what a page needs to draw it, `seq` the number under which it was recorded, or null
 * while it waits; `place` counts within the tab that made it.
 * @typedef {{id: string, place: number, body: string, told: Told, seq: number | null}} Entry
 *
 * What is chosen; `after` is the entry that was known when the first card was chosen.
 * @typedef {{cards: string[], seat: string | null, after: string | null}} Draft
 *
 * shown: the recording entries that the page has shown last: ids, and milliseconds; the newest last
 * own: ids of entries that this phone has made, the newest last
 * entries: in their order
 * halt: the problem at which sending has stopped, or null
 * offline: whether the last try had no answer; why: the server's own words where it could not record for now
 * @typedef {{
 *   shown: {after: string, since: number}[], own: string[], draft: Draft, entries: Entry[],
 *   halt: Problem | null, offline: boolean, why: string,
 * }} State
 *
 * What is said, before it is an entry.
 * @typedef {{id: string, content: Content, told: Told}} Said
 *
 * When: by the clock of the page in milliseconds, and as an entry says it.
 * @typedef {{now: number, at: string}} Moment
 */

// Milliseconds for which news must have been on the page before a tap is taken to answer them.
export const SEEN = 1000;
const REMEMBERED = 500;
const NO_DRAFT = { cards: [], seat: null, after: null };

// The state of a page that shows the entry `after` as the newest, with the entries that were kept.
/** @type {(after: string, entries?: Entry[]) => State} */
export function opened(after, entries = []) {
  const own = entries.map(({ id }) => id);
  const shown = [{ after, since: -Infinity }];
  return { shown, own, draft: NO_DRAFT, entries: inOrder(entries), halt: null, offline: false, why: "" };
}

// Each after the one that it names, what is recorded first. Places count within a tab: they decide where nothing
// else does.
function inOrder(entries) {
  const number = ({ seq }) => seq ?? Number.MAX_SAFE_INTEGER;
  const byPlace = (one, other) =>
    number(one) - number(other) || one.place - other.place || (one.id < other.id ? -1 : 1);
  const sorted = [...entries].sort(byPlace);
  const left = new Map(sorted.map((entry) => [entry.id, entry]));
  const ordered = [];
  function put(entry) {
    if (!entry || !left.delete(entry.id)) return;
    put(left.get(JSON.parse(entry.body).after));
    ordered.push(entry);
  }
  sorted.forEach(put);
  return ordered;
}

/** @type {(state: {entries: Entry[]}) => Entry[]} */
export const waiting = ({ entries }) => entries.filter(({ seq }) => seq === null);

// The newest entry that the page knows of: the last of those that wait, else what the server has said.
/** @type {(state: State) => string} */
export const newest = ({ entries, shown }) => entries.at(-1)?.id ?? shown.at(-1).after;

// The newest entry that a person can have seen by now: news of others that came a moment ago are not.
/** @type {(state: State, now: number) => string} */
export function seen(state, now) {
  if (state.entries.length) return newest(state);
  // What this phone has made itself is no news to who holds it.
  const known = ({ after, since }) => since <= now - SEEN || state.own.includes(after);
  const old = state.shown.findLast(known) ?? state.shown[0];
  return old.after;
}

// Other cards, or another seat, are chosen.
/** @type {(state: State, what: {cards: string[], seat: string | null}) => State} */
export function chosen(state, { cards, seat }) {
  const { draft } = state;
  const after = !cards.length ? null : draft.cards.length ? draft.after : newest(state);
  return { ...state, draft: { cards, seat, after } };
}

// A person records something: `contents` are what is said, each {id, content, told}. They come after what was known
// when the chosen cards were begun with, or where none were chosen, after what can have been seen. The draft is
// used up.
/** @type {(state: State, contents: Said[], moment: Moment) => State} */
export function recorded(state, contents, { now, at }) {
  let after = state.draft.after ?? seen(state, now);
  let next = { ...state, draft: NO_DRAFT };
  for (const one of contents) {
    next = added(next, { ...one, after, at });
    after = one.id;
  }
  return next;
}

// A form says something beside what is chosen: the draft stays, and is no older for what this phone itself has said.
/** @type {(state: State, one: Said, moment: Moment) => State} */
export function said(state, one, { now, at }) {
  const after = seen(state, now);
  const { draft } = state;
  const next = added(state, { ...one, after, at });
  return draft.after === after ? { ...next, draft: { ...draft, after: one.id } } : next;
}

function added(state, { id, content, told, after, at }) {
  const place = (state.entries.at(-1)?.place ?? 0) + 1;
  const entry = { id, place, body: JSON.stringify({ id, after, at, ...content }), told, seq: null };
  return { ...state, own: [...state.own, id].slice(-REMEMBERED), entries: [...state.entries, entry] };
}

// The server has recorded an entry as its number `seq`.
/** @type {(state: State, id: string, seq: number) => State} */
export function answered(state, id, seq) {
  const entries = state.entries.map((entry) => (entry.id === id ? { ...entry, seq } : entry));
  return { ...state, entries, offline: false, why: "" };
}

// The server refuses the first of what waits: nothing more is sent until a person has decided.
/** @type {(state: State, problem: Problem) => State} */
export const refused = (state, problem) => ({ ...state, halt: problem, offline: false, why: "" });

// There was no answer (`why` is null), or none that says anything of the entry: it is sent again.
/** @type {(state: State, why: string | null) => State} */
export const lost = (state, why) => ({ ...state, offline: why === null, why: why ?? "" });

// What an entry says once a person has decided about it: of who passed before a play, what the page said when it was
// tapped, and nothing is inferred.
function asShown({ body, told }, changes) {
  const passed = told.kind === "play" ? { passed: told.passed ?? [] } : {};
  return JSON.stringify({ ...JSON.parse(body), ...passed, ...changes });
}

// What waits as a person has decided: some of it is taken back, and the first of the rest is sent with some `changes`.
// The rest comes after what the first of all came after, unless that is changed, and keeps its ids, under which nothing
// was recorded.
/** @type {(state: State, ids: string[], changes?: object) => State} */
export function decided(state, ids, changes = {}) {
  let said = { after: JSON.parse(waiting(state)[0].body).after, ...changes };
  const entries = state.entries
    .filter(({ id }) => !ids.includes(id))
    .map((entry) => {
      if (entry.seq !== null) return entry;
      const body = asShown(entry, said);
      said = { after: entry.id };
      return { ...entry, body };
    });
  const next = { ...state, entries, halt: null };
  return ids.includes(state.draft.after) ? { ...next, draft: { ...state.draft, after: newest(next) } } : next;
}

// The page has come anew: it shows the entry `after` as the newest, and everything up to the number `seq`; `ids` are
// entries that it names, whose answers may have been lost. What it shows waits no more.
/** @type {(state: State, page: {after: string, seq: number, ids?: string[]}, now: number) => State} */
export function renewed(state, { after, seq, ids = [] }, now) {
  const entries = state.entries.filter((entry) => !(entry.seq !== null && entry.seq <= seq) && !ids.includes(entry.id));
  if (after === state.shown.at(-1).after) return { ...state, entries };
  const shown = [...state.shown, { after, since: now }].slice(-REMEMBERED);
  return { ...state, entries, shown };
}

// Another page of this phone tells which entries it knows of, as {id, seq}: they are no news here, and those that have
// been recorded wait no more.
/** @type {(state: State, told: {id: string, seq: number | null}[]) => State} */
export function heard(state, told) {
  const seqs = new Map(told.map(({ id, seq }) => [id, seq]));
  const entries = state.entries.map((entry) => ({ ...entry, seq: entry.seq ?? seqs.get(entry.id) ?? null }));
  return { ...state, own: [...new Set([...state.own, ...seqs.keys()])].slice(-REMEMBERED), entries };
}

// What is kept for this phone by now, whichever page has changed it; `gone` are entries that were dropped. What is
// kept no more, and was not dropped, stays until this page shows it: another may have forgotten it already.
/** @type {(state: State, kept: Entry[], gone?: string[]) => State} */
export function shared(state, kept, gone = []) {
  const here = state.entries.filter(({ id }) => !kept.some((entry) => entry.id === id));
  const entries = inOrder([...here, ...kept]).filter(({ id }) => !gone.includes(id));
  const [before, first] = [waiting(state)[0], waiting({ entries })[0]];
  const halt = before && first?.id === before.id && first.body === before.body ? state.halt : null;
  return { ...heard(state, kept), entries, halt };
}

// What was kept, without what nobody can read: [entries, those that cannot be read].
/** @type {(kept: any[]) => [Entry[], any[]]} */
export function readable(kept) {
  const good = kept.filter(isEntry);
  return [good, kept.filter((one) => !good.includes(one))];
}

function isEntry({ id, place, body, told, seq }) {
  try {
    const sent = JSON.parse(body);
    const isEntry = sent.id === id && typeof sent.kind === "string" && typeof told.text === "string";
    return isEntry && Number.isFinite(place) && (seq === null || Number.isFinite(seq));
  } catch {
    return false;
  }
}

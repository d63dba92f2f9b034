// The state of a keeper's phone as one value, and the pure functions that change it. They use neither page, storage,
// network nor clock, and know no rule of the game.

// Milliseconds that an entry must have been on the page before a tap counts as made after seeing it.
export const SEEN_AFTER_MS = 1000;
const REMEMBERED = 500;
export const NOT_UNDOABLE = ["note", "settle"]; // kinds that undo skips
/** @type {Draft} */
const NO_DRAFT = { cards: [], seat: null, after: null };

// The state of a page whose newest entry is `after`, with the stored entries.
/** @type {(after: string, entries?: Entry[]) => State} */
export function opened(after, entries = []) {
  const own = entries.map(({ id }) => id);
  const shown = [{ after, since: -Infinity }];
  return { shown, own, draft: NO_DRAFT, entries: inOrder(entries), halt: null, offline: false, why: "" };
}

/** When an entry was tapped. @param {Entry} entry */
const made = ({ body }) => Date.parse(JSON.parse(body).at) || 0;

// Sort entries: each after the one that it names. If that one is not among them, since another tab has sent and removed
// it, the time decides, and `place`, which counts within a tab.
/** @param {Entry[]} entries */
function inOrder(entries) {
  /** @param {Entry} one @param {Entry} other */
  const byTime = (one, other) => made(one) - made(other) || one.place - other.place || (one.id < other.id ? -1 : 1);
  const sorted = [...entries].sort(byTime);
  const left = new Map(sorted.map((entry) => [entry.id, entry]));
  /** @type {Entry[]} */
  const ordered = [];
  /** @param {Entry | undefined} entry */
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

// The newest known entry: the last of the queue, else the server's newest on the page.
/** @type {(state: State) => string} */
export const newest = ({ entries, shown }) => entries.at(-1)?.id ?? last(shown);

/** @param {State["shown"]} shown never empty */
const last = (shown) => shown[shown.length - 1].after;

// The newest entry that a person can have seen: not another phone's that appeared a moment ago.
/** @type {(state: State, now: number) => string} */
export function seen(state, now) {
  if (state.entries.length) return newest(state);
  /** This phone's own entries count as seen at once. @param {State["shown"][0]} page */
  const known = ({ after, since }) => since <= now - SEEN_AFTER_MS || state.own.includes(after);
  const old = state.shown.findLast(known) ?? state.shown[0];
  return old.after;
}

/** Change the draft. @type {(state: State, what: {cards: string[], seat: string | null}) => State} */
export function chosen(state, { cards, seat }) {
  const { draft } = state;
  const after = !cards.length ? null : draft.cards.length ? draft.after : newest(state);
  return { ...state, draft: { cards, seat, after } };
}

// Queue entries from the table: `contents`, each {id, content, told}. They come after the draft's `after`, or without a
// draft, after the newest entry that can have been seen. The draft is cleared.
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

// Queue the entry of a form. The draft stays, and if it was up to date, its `after` advances to this entry.
/** @type {(state: State, one: Said, moment: Moment) => State} */
export function said(state, one, { now, at }) {
  const after = seen(state, now);
  const { draft } = state;
  const next = added(state, { ...one, after, at });
  return draft.after === after ? { ...next, draft: { ...draft, after: one.id } } : next;
}

/** @type {(state: State, one: Said & { after: string, at: string }) => State} */
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

// The server refuses the first waiting entry: nothing more is sent until a person has decided.
/** @type {(state: State, problem: Problem) => State} */
export const refused = (state, problem) => ({ ...state, halt: problem, offline: false, why: "" });

// There was no answer (`why` is null), or one that does not concern the entry: it is sent again.
/** @type {(state: State, why: string | null) => State} */
export const lost = (state, why) => ({ ...state, offline: why === null, why: why ?? "" });

// The fields of an entry that a person has decided about: the passes before a play are those that the page showed when
// it was tapped, so that none are inferred.
/** @param {Entry} entry @param {object} changes */
function asShown({ body, told }, changes) {
  const passed = told.kind === "play" ? { passed: told.passed ?? [] } : {};
  return JSON.stringify({ ...JSON.parse(body), ...passed, ...changes });
}

// A person's decision about the waiting entries: those with `ids` are dropped, and the first of the rest is sent with
// `changes`. The rest comes after the first one's `after`, unless that is changed, and keeps its ids, under which
// nothing was recorded.
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
  const { draft } = state;
  return draft.after && ids.includes(draft.after) ? { ...next, draft: { ...draft, after: newest(next) } } : next;
}

// The page was renewed: its newest entry is `after`, and it shows all up to number `seq`; `ids` are entries that it
// lists, whose answers may have been lost. Entries that it shows leave the queue.
/** @type {(state: State, page: {after: string, seq: number, ids?: string[]}, now: number) => State} */
export function renewed(state, { after, seq, ids = [] }, now) {
  const entries = state.entries.filter((entry) => !(entry.seq !== null && entry.seq <= seq) && !ids.includes(entry.id));
  if (after === last(state.shown)) return { ...state, entries };
  const shown = [...state.shown, { after, since: now }].slice(-REMEMBERED);
  return { ...state, entries, shown };
}

// The server has lost entries that this phone recorded: they wait again, before the others, in the order in which they
// were made, to be sent unchanged.
/** @type {(state: State, lost: Entry[]) => State} */
export function returned(state, lost) {
  const ids = lost.map(({ id }) => id);
  const again = [...lost].sort((one, other) => made(one) - made(other));
  const first = again.map((entry, place) => ({ ...entry, place: place - again.length, seq: null }));
  const others = state.entries.filter(({ id }) => !ids.includes(id));
  return { ...state, entries: inOrder([...first, ...others]), halt: null };
}

// Another page of this phone reports its entries, as {id, seq}: they count as this phone's own, and recorded ones no
// longer wait.
/** @type {(state: State, told: {id: string, seq: number | null}[]) => State} */
export function heard(state, told) {
  const seqs = new Map(told.map(({ id, seq }) => [id, seq]));
  const entries = state.entries.map((entry) => ({ ...entry, seq: entry.seq ?? seqs.get(entry.id) ?? null }));
  return { ...state, own: [...new Set([...state.own, ...seqs.keys()])].slice(-REMEMBERED), entries };
}

// Merge the entries that storage has now, changed by any page; `gone` were dropped. An entry that storage no longer has
// and that was not dropped stays until this page shows it: another page may have shown and removed it.
/** @type {(state: State, kept: Entry[], gone?: string[]) => State} */
export function shared(state, kept, gone = []) {
  const here = state.entries.filter(({ id }) => !kept.some((entry) => entry.id === id));
  const entries = inOrder([...here, ...kept]).filter(({ id }) => !gone.includes(id));
  const [before, first] = [waiting(state)[0], waiting({ entries })[0]];
  const halt = before && first?.id === before.id && first.body === before.body ? state.halt : null;
  return { ...heard(state, kept), entries, halt };
}

// Undo and redo some entries in order: `stays` are those that count in the end, and `reached` has of each undo and redo
// the entry that it is about, or null if that is not among them.
/** @param {Told[]} entries */
export function undoing(entries) {
  /** @type {(Told | null)[][]} */
  const [done, undone] = [[], []];
  /** @type {Map<Told, Told | null>} */
  const reached = new Map();
  for (const told of entries.filter(({ kind }) => !NOT_UNDOABLE.includes(kind))) {
    if (told.kind === "undo" || told.kind === "redo") {
      const [from, to] = told.kind === "undo" ? [done, undone] : [undone, done];
      const one = from.pop() ?? null;
      to.push(one);
      reached.set(told, one);
    } else {
      done.push(told);
      undone.length = 0;
    }
  }
  return { stays: done.filter((told) => told !== null), reached };
}

// Split stored values into entries and those that cannot be read: [entries, unreadable].
/** @type {(kept: Stored[]) => [Entry[], Stored[]]} */
export function readable(kept) {
  return [kept.filter(isEntry), kept.filter((one) => !isEntry(one))];
}

/** @type {(stored: Stored) => stored is Entry} */
function isEntry({ id, place, body, told, seq }) {
  try {
    const sent = JSON.parse(body ?? "");
    const isEntry = sent.id === id && typeof sent.kind === "string" && typeof told?.text === "string";
    return isEntry && Number.isFinite(place) && (seq === null || Number.isFinite(seq));
  } catch {
    return false;
  }
}

// Types shared by the scripts of a keeper's page.

// An entry as shown: its content, its text, and the page's state when it was tapped.
interface Told {
  kind: string;
  text: string;
  seat?: string;
  seats?: string[];
  leader?: string;
  times?: number;
  cards?: string[];
  contract?: string;
  note?: string;
  round?: number;
  passed?: string[];
  passing?: string;
  then?: string;
  form?: { action: string };
}

// An entry as it is counted, before it has the text that is shown.
type Unworded = Omit<Told, "text">;

// An entry as sent, without its id: the fields of a form, and what a person has decided about it since.
type Content = { kind: string; form?: Record<string, string[]>; stood?: boolean; passed?: string[] };

// What a button records.
interface Pressed {
  content: Content;
  told: Unworded;
}

// Why the server would not record an entry.
interface Problem {
  status: number;
  code: string;
  detail: string;
  verdict?: string;
  clause?: string;
  /** The entries recorded in between, if it is stale. */
  events?: { id: string; kind: string }[];
  /** How many more there are. */
  more?: number;
  /** What was probably meant by a refused play. */
  instead?: Omit<Meant, "cards">[];
}

// The queued entries that still count after undos.
interface Standing {
  /** Began the round of `moves`; null if that is the round on the page. */
  header: Told | null;
  moves: Told[];
  /** How many rounds wait to begin. */
  begun: number;
  /** Whether an entry of this round was undone that does not wait. */
  beyond: boolean;
}

interface SeatFacts {
  playable: string[];
  left: number;
  passes: string[];
  gone: boolean;
  passed: boolean;
}

// Data about a table from the server: see `facts` in pages/table_form.py.
interface TableFacts {
  turn: string;
  last: string;
  leading: boolean;
  waiting: string[];
  counts: boolean;
  draws: boolean;
  sleeps: boolean;
  events: string[];
  alone: string[];
  together: { seats: string[]; ways: Way[] }[];
  mend: string;
  count: string;
  moves: number;
  out_of_order: string[];
  shown: Record<string, [number, string]>;
  begun: number;
  names: Record<string, string>;
  hands: Record<string, number>;
  seats: Record<string, SeatFacts>;
  naming: Naming;
  letters: Record<string, string>;
  texts: Record<string, string>;
}

// A shape of cards that can be played, as sent by the server.
interface Way {
  width: number;
  length: number;
  suits: string[];
  lows: string;
  edge?: string[];
}

// The words for cards.
interface Naming {
  kinds: Record<string, string>;
  numbers: Record<string, string>;
  cards: string;
  to: string;
}

// A place in a log: after its entry `seq`, whose hash is `hash`.
interface Head {
  seq: number;
  hash: string;
}

// A head in the form that people compare.
interface Code {
  seq: number | null;
  characters: string;
}

// A defect of a log, and its entry.
interface Flaw {
  seq: number;
  what: string;
}

interface PostedPayment {
  seq: number;
  idx: number;
  payer: string;
  payee: string;
  points: number;
  reason: string;
  clause: string;
  reverses: string | null;
}

// The content of an exported log, up to the entry where it is `broken`.
interface Checked {
  night: string;
  names: Record<string, string>;
  erased: string[];
  heads: Head[];
  payments: PostedPayment[];
  net: Record<string, number>;
  continues?: Head;
  broken?: Flaw;
  unreadable?: undefined;
  code?: undefined;
}

// What is said of a log: how far it holds, or the line where it cannot be read, or a code that is none.
type Verdict = Checked | ({ unreadable?: number; code?: string } & Nothing);
type Nothing = { [Name in Exclude<keyof Checked, "unreadable" | "code">]?: undefined };

// The board as a picture: see exports/share.py.
interface Picture {
  file: string;
  head: string[];
  rows: PictureRow[];
  brought: PictureTransfer[];
  left: PictureTransfer[];
  handed: PictureTransfer[];
  due: PictureTransfer[];
  code: string;
}

interface PictureRow {
  place: number;
  name: string;
  points: string;
  worth: string;
  side: "won" | "lost" | "even";
}

interface PictureTransfer {
  payer: string;
  payee: string;
  worth: string;
}

// An entry as stored by a phone.
interface Entry {
  id: string;
  /** Counts within the tab that made it. */
  place: number;
  /** The request, as it is sent. */
  body: string;
  told: Told;
  /** The number under which it was recorded; null while it waits. */
  seq: number | null;
}

// What is to become an entry.
interface Said {
  id: string;
  content: Content;
  told: Told;
}

// The chosen cards and seat; `after` is the entry that was known when the first card was chosen.
interface Draft {
  cards: string[];
  seat: string | null;
  after: string | null;
}

// The state of a keeper's phone: see state.js.
interface State {
  /** The newest entries that the page has shown over time, with milliseconds; never empty, the newest last. */
  shown: { after: string; since: number }[];
  /** The ids of entries that this phone has made, the newest last. */
  own: string[];
  draft: Draft;
  /** The queue, in order. */
  entries: Entry[];
  /** The problem that stopped sending. */
  halt: Problem | null;
  /** Whether the last try had no answer. */
  offline: boolean;
  /** The server's message if it cannot record for now. */
  why: string;
}

// A time: by the page's clock in milliseconds, and as an entry has it.
interface Moment {
  now: number;
  at: string;
}

type Move = Pick<Told, "kind" | "seat" | "cards" | "passed">;

// A table where turns are counted.
interface Table {
  /** The seats in playing order. */
  order: string[];
  /** Who is to act, or "". */
  turn: string;
  /** Who played the top of the pile, or "". */
  last: string;
  /** Whether the one to act leads. */
  leading: boolean;
  /** How many cards each holds. */
  left: Record<string, number>;
  /** Who is out. */
  gone: string[];
  /** Who may not play on this pile again. */
  passed: string[];
  /** Whether the rules let turns be counted. */
  counts: boolean;
}

// A table after some moves; `turn` is "" if it is unknown.
interface Position extends Pick<Table, "turn" | "last" | "leading" | "left"> {
  /** Those who may still play, in order. */
  waiting: string[];
  /** The plays that have led a pile. */
  led: Move[];
  /** Who may not play on this pile again. */
  passed: string[];
  /** Who passes if a player plays next. */
  passing: (player: string) => string[];
}

// What storage has under an entry's id, which may be anything.
type Stored = { id: string } & Partial<Entry>;

// The server's answer to an entry that it recorded.
interface Recorded {
  id: string;
  seq: number;
  board: {
    round?: { number: number; over: boolean; posted: boolean; payments: { reason: string; cause?: string }[] };
  };
}

// What is wrong with the last refused entry of the table; `stood` is the entry to record if the table accepts it.
interface Notice {
  words: string;
  clause?: string;
  stood?: Pressed | false;
  forgot?: boolean;
  links?: [string, string][];
  instead?: Meant[];
}

// A play that was probably meant, and who passes before it; `text` is its button's, if that is not the play.
interface Meant {
  seat: string;
  passes: string[];
  cards: string[];
  text?: string;
}

type Timer = ReturnType<typeof setTimeout>;

// What a phone remembers of a night: the last head that it saw, and how the server's log differs from it.
interface Remembered {
  head: Head | null;
  broken: { how: string; seen: boolean; mine: string; theirs: string } | null;
}

// The data of the page that corrects a move: how cards are named, and a pass.
interface MendFacts {
  naming: Naming;
  pass: string;
}

// The data of the form of a hand left: what a long hand is called, and whose hands it may be.
interface HandFacts {
  many: string;
  seats: Record<string, { left: number; name: string }>;
}

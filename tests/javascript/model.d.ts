// Types shared by the scripts of a keeper's page.

// An entry as shown: its content, its text, and the page's state when it was tapped.
interface Told {
  kind: string;
  text: string;
  seat?: string;
  seats?: string[];
  leader?: string;
  cards?: string[];
  contract?: string;
  note?: string;
  round?: number;
  passed?: string[];
  passing?: string;
  then?: string;
  form?: { action: string; fields: [string, string][] };
}

// The content of an entry as sent, without its id.
type Content = Omit<Told, "text"> & { forward?: boolean; locks?: boolean; stood?: boolean; opening?: boolean };

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
}

// The queued entries that still count after undos: `header` began the round of `moves`.
interface Standing {
  header: Told | null;
  moves: Told[];
  begun: number;
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

// The fields of a form, all texts.
interface Fields {
  get(name: string): string;
  getAll(name: string): string[];
  append(name: string, value: string): void;
  [Symbol.iterator](): IterableIterator<[string, string]>;
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
  unreadable?: number;
}

type Verdict = Partial<Checked> & { code?: string };

// The board as a picture: see exports/share.py.
interface Picture {
  file: string;
  head: string[];
  rows: PictureRow[];
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

// An entry as stored by a phone: `body` is the request, `seq` is null while it is queued.
interface Entry {
  id: string;
  place: number;
  body: string;
  told: Told;
  seq: number | null;
}

// What the scripts of a keeper's page hand to each other.

// An entry as it is shown: what it says, its text, and what was shown with it when it was tapped.
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

// What is sent of an entry, without its id.
type Content = Omit<Told, "text"> & { forward?: boolean; locks?: boolean; stood?: boolean; opening?: boolean };

// Why the server would not record an entry.
interface Problem {
  status: number;
  code: string;
  detail: string;
  verdict?: string;
  clause?: string;
}

// What waits, without what was taken back: `header` began the round that `moves` are of.
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

// What the server says of a table: see `table_facts`.
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
  begun: number;
  names: Record<string, string>;
  hands: Record<string, number>;
  seats: Record<string, SeatFacts>;
  naming: Naming;
  letters: Record<string, string>;
  texts: Record<string, string>;
}

// A shape of cards that can be played, as the server says it.
interface Way {
  width: number;
  length: number;
  suits: string[];
  lows: string;
  edge?: string[];
}

// The words by which cards are called.
interface Naming {
  kinds: Record<string, string>;
  numbers: Record<string, string>;
  cards: string;
  to: string;
}

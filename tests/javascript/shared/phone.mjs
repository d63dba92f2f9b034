// A phone whose tabs run the real page scripts with shared storage and one server. A seed determines every step of the
// browser and the network. A killed tab does nothing more.

import { readFileSync } from "node:fs";
import { setImmediate as settled } from "node:timers/promises";
import vm from "node:vm";

const SLOWEST = 500; // the most milliseconds between two steps
const SCRIPTS = ["asking.js", "facts.js", "state.js", "storage.js", "queue.js"];
const read = (name) => readFileSync(new URL(name, import.meta.url), "utf-8");
const SOURCES = Object.fromEntries(SCRIPTS.map((name) => [name, read(name)]));
const copied = (value) => JSON.parse(JSON.stringify(value));

// A seeded random number generator: numbers from 0 to 1.
export function chance(seed) {
  let value = seed >>> 0;
  return () => {
    value = (value + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(value ^ (value >>> 15), 1 | value);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

// A server: records an entry whose `after` is the newest one, repeats its answer for a known entry, refuses others.
export class Server {
  log = [{ id: "night", after: null }];
  tell = () => {}; // called when an entry is recorded
  busy = null; // while it is a number, everything is refused for so many seconds

  take(body) {
    const sent = JSON.parse(body);
    const known = this.log.findIndex(({ id }) => id === sent.id);
    if (known >= 0) return { id: sent.id, seq: known };
    if (sent.after !== this.log.at(-1).id) return { problem: { code: "stale" } };
    this.log.push(sent);
    this.tell();
    return { id: sent.id, seq: this.log.length - 1 };
  }

  get newest() { return this.log.at(-1).id; }
}

// `lacks` names missing features of the browser: "locks".
export class Phone {
  tabs = [];
  time = 5000;
  weather = true;
  #lanes = new Map(); // lane -> tasks still to run, in order
  #lanesMade = 0;
  #locked = new Map(); // name -> the holder, then those waiting: {tab, act, resolve, reject}
  #database = new Map();
  #notes = Object.create({
    setItem(name, text) { this[name] = text; },
    getItem(name) { return this[name] ?? null; },
    removeItem(name) { delete this[name]; },
  });

  constructor(server, random, lacks = []) {
    this.server = server;
    this.random = random;
    this.lacks = lacks;
    server.tell = () => {
      for (const tab of this.tabs) this.later(() => tab.look(), { tab });
    };
  }

  // All stored entries of the night, and the names of all notes.
  get kept() { return [...this.#database.values(), ...Object.keys(this.#notes)]; }

  async open() {
    const tab = new Tab(this, this.tabs.length ? this.tabs.at(-1).number + 1 : 1);
    this.tabs.push(tab);
    await tab.load();
    return tab;
  }

  // Tasks that leave the tab may still run; its locks go to the next tab.
  kill(tab) {
    tab.isOpen = false;
    this.tabs = this.tabs.filter((one) => one !== tab);
    for (const [lane, tasks] of this.#lanes) {
      const stays = tasks.filter((task) => task.tab !== tab || (task.leaves && this.random() < 0.5));
      this.#lanes.set(lane, stays);
    }
    for (const name of this.#locked.keys()) this.#release(name, (holder) => holder.tab === tab);
  }

  // Schedule a task after the others of its lane: a lane of its own, if none is named. A task that `leaves` its tab may
  // run even if the tab is killed.
  later(act, { tab, lane = `alone ${++this.#lanesMade}`, due = 0, leaves = false }) {
    const task = { tab, act, due, leaves };
    if (!tab.isOpen && !leaves) return task;
    if (!this.#lanes.has(lane)) this.#lanes.set(lane, []);
    this.#lanes.get(lane).push(task);
    return task;
  }

  cancel(task) {
    for (const [lane, tasks] of this.#lanes) this.#lanes.set(lane, tasks.filter((one) => one !== task));
  }

  // Advance the time and run one task; false if none is left.
  async step() {
    this.time += this.random() * SLOWEST;
    for (const [lane, tasks] of this.#lanes) if (!tasks.length) this.#lanes.delete(lane);
    const ready = [...this.#lanes.values()].filter(([{ due }]) => due <= this.time);
    if (ready.length) ready[Math.floor(this.random() * ready.length)].shift().act();
    else this.time += SLOWEST;
    await settled();
    return this.#lanes.size > 0;
  }

  // Hold a lock, one tab at a time.
  lock(tab, name, act) {
    return new Promise((resolve, reject) => {
      const waits = this.#locked.get(name) ?? [];
      this.#locked.set(name, waits);
      waits.push({ tab, act, resolve, reject });
      if (waits.length === 1) this.#grant(name);
    });
  }

  #grant(name) {
    const holder = this.#locked.get(name)?.[0];
    if (!holder) return;
    const release = () => this.#release(name, (one) => one === holder);
    this.later(() => holder.act().then(holder.resolve, holder.reject).finally(release), { tab: holder.tab });
  }

  #release(name, isGone) {
    const waits = this.#locked.get(name);
    const [holder] = waits;
    this.#locked.set(name, waits.filter((one) => !isGone(one)));
    if (this.#locked.get(name)[0] !== holder) this.#grant(name);
  }

  post(from, data) {
    for (const tab of this.tabs) {
      if (tab === from) continue;
      const hear = () => tab.heard.forEach((act) => act({ data: copied(data) }));
      this.later(hear, { tab, lane: `channel ${from.number} ${tab.number}` });
    }
  }

  // A stand-in for `indexedDB`: transactions run one at a time, in the order in which they were begun; one in ten that
  // write finds the storage full.
  databaseOf(tab) {
    const later = (act) => this.later(act, { tab, lane: `database ${tab.number}` });
    const transaction = (_, mode) => {
      const asked = [];
      let isAborted = false;
      const begun = { objectStore: null, oncomplete: null, onabort: null, abort: () => (isAborted = true) };
      const ask = (act) => {
        const request = { result: undefined };
        asked.push(() => (request.result = act()));
        return request;
      };
      begun.objectStore = () => ({
        put: (entry) => ask(() => void this.#database.set(JSON.stringify([entry.night, entry.id]), copied(entry))),
        delete: (key) => ask(() => void this.#database.delete(JSON.stringify(key))),
        getAll: () => ask(() => copied([...this.#database.values()])),
      });
      const end = () => {
        if (isAborted) return;
        const isFull = mode === "readwrite" && this.weather && this.random() < 0.1;
        if (!isFull) for (const act of asked) act();
        later(() => (isFull ? begun.onabort() : begun.oncomplete()));
      };
      this.later(end, { tab, lane: "database", leaves: true });
      return begun;
    };
    const open = () => {
      const request = { result: { transaction, close() {} }, onsuccess: null };
      later(() => request.onsuccess());
      return request;
    };
    return { open };
  }

  // A stand-in for `fetch`: some requests and responses are lost.
  fetch(tab, { body }) {
    return new Promise((resolve, reject) => {
      const lose = () => this.later(() => reject(new TypeError("lost")), { tab });
      const arrive = () => {
        if (this.weather && this.random() < 0.15) return lose();
        this.server.asked = [...(this.server.asked ?? []), this.time];
        if (this.server.busy !== null) {
          const headers = new Map([["Retry-After", String(this.server.busy)]]);
          const busy = { ok: false, status: 429, headers, json: async () => ({ code: "too-many" }) };
          return void this.later(() => resolve(busy), { tab });
        }
        const answer = this.server.take(body);
        if (this.weather && this.random() < 0.2) return lose();
        const status = answer.problem ? 409 : 201;
        const json = async () => answer.problem ?? answer;
        const response = { ok: !answer.problem, status, headers: new Map(), json };
        this.later(() => resolve(response), { tab });
      };
      this.later(arrive, { tab, leaves: true });
    });
  }

  get localStorage() { return this.#notes; }
}

// A page of the night. `queue` is its script's queue; `shows` is the server's log when the page was last fetched;
// `answers` has what its scripts were told of each answer that recorded, and whether the queue listed the entry then.
class Tab {
  isOpen = true;
  answers = [];
  queue = null;
  isReady = false;
  heard = [];
  #again = [];
  #looking = false;
  #wanted = false;

  constructor(phone, number) {
    this.phone = phone;
    this.number = number;
    this.#come(phone.server.log.slice());
  }

  #come(log) {
    this.shows = log;
    const told = { night: "n", log: "/log", after: log.at(-1).id, seq: String(log.length - 1) };
    this.foot = Object.assign(this.foot ?? {}, { dataset: told });
  }

  // The entries that the page lists: those of the newest round.
  get #names() { return this.shows.slice(-4).map(({ id }) => id); }

  async load() {
    const context = vm.createContext(this.#globals());
    const modules = new Map(SCRIPTS.map((name) => [`./${name}`, new vm.SourceTextModule(SOURCES[name], { context })]));
    const script = modules.get("./queue.js");
    await script.link((name) => modules.get(name));
    await script.evaluate();
    const { queue, ready } = /** @type {any} */ (script.namespace);
    this.queue = queue;
    const begin = () => {
      this.isReady = true;
      this.queue.forget(this.#names);
      this.queue.send();
    };
    ready.then(() => this.isOpen && begin());
  }

  #globals() {
    const { phone } = this;
    const tab = this;
    const listen = (kind, act) => kind === "online" && this.#again.push(act);
    class Channel {
      addEventListener(_, act) { tab.heard.push(act); }
      postMessage(data) { if (tab.isOpen) phone.post(tab, data); }
    }
    const document = {
      querySelector: () => this.foot,
      addEventListener: listen,
      // As `live.js` and `pending.js` do: a page is renewed when something was recorded, and when sending has stopped.
      dispatchEvent: ({ type, detail }) => {
        if (detail?.recorded) this.#answer(detail);
        if (type === "recorded" || detail?.recorded || this.queue?.halt) this.look();
      },
      visibilityState: "visible",
    };
    const locks = { request: (name, act) => phone.lock(this, name, act) };
    const after = (act, wait) => phone.later(() => act(), { tab: this, due: phone.time + wait });
    return {
      document,
      BroadcastChannel: Channel,
      addEventListener: listen,
      navigator: phone.lacks.includes("locks") ? {} : { locks },
      performance: { now: () => phone.time },
      Date: class extends Date { constructor() { super(phone.time); } },
      crypto: { getRandomValues: (bytes) => bytes.map(() => phone.random() * 256) },
      indexedDB: phone.databaseOf(this),
      IDBKeyRange: { bound: () => null },
      localStorage: phone.localStorage,
      fetch: (_, options) => phone.fetch(this, options),
      AbortController,
      CustomEvent: class { constructor(type, { detail }) { Object.assign(this, { type, detail }); } },
      setTimeout: after,
      clearTimeout: (task) => phone.cancel(task),
    };
  }

  #answer({ recorded: { id }, told }) {
    this.answers.push({ id, told, isListed: this.queue.entries.some((entry) => entry.id === id) });
  }

  // The network is back, or the tab becomes visible.
  again() { for (const act of this.#again) act(); }

  // Refetch the page, with the log at the time of the request; not while entries are queued.
  look() {
    const mayCome = () => !this.queue.waiting().length || this.queue.halt;
    if (!mayCome()) return;
    if (this.#looking) return void (this.#wanted = true);
    this.#looking = true;
    const arrive = () => {
      const log = this.phone.server.log.slice();
      const show = () => {
        this.#looking = false;
        if (this.#wanted) this.look();
        this.#wanted = false;
        if (log.length <= this.shows.length || !mayCome()) return;
        this.#come(log);
        this.queue.forget(this.#names);
      };
      this.phone.later(show, { tab: this });
    };
    this.phone.later(arrive, { tab: this });
  }
}

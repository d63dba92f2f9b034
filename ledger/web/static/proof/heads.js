// On every page of a night the phone stores the last head it saw, and recomputes the chain over newer entries. If the
// log does not continue from that head, both versions are shown until a person confirms.

import { the } from "../shared/facts.js";
import { codeOf, follow } from "./chain.js";

const foot = the(".proof");
const dialog = the(".forked");
const mark = the(".mark");
const night = foot.dataset.night;
const shown = () => ({ seq: Number(foot.dataset.seq), hash: foot.dataset.hash });
const memory = new Map();

// Read a stored value. If storage is denied, values last only while the page is open.
/** @template {keyof Remembered} Name @param {Name} name @returns {Remembered[Name]} */
function recall(name) {
  try {
    return JSON.parse(localStorage.getItem(`tienlen ${name} ${night}`) ?? "null");
  } catch {
    return memory.get(name) ?? null;
  }
}

/** @template {keyof Remembered} Name @param {Name} name @param {Remembered[Name]} value */
function keep(name, value) {
  memory.set(name, value);
  try {
    if (value === null) localStorage.removeItem(`tienlen ${name} ${night}`);
    else localStorage.setItem(`tienlen ${name} ${night}`, JSON.stringify(value));
  } catch {
    // See above.
  }
}

// The head that this phone had seen before this page, {seq, hash} or null.
export const before = recall("head");

// Follow the server's log from a head to an entry, or to its end: {head, theirs: the log's own head}, and `how` the log
// fails to continue from that head, if it does. Throws if the server does not answer.
/** @param {Head} head */
export async function walk(head, until = Infinity) {
  for (;;) {
    const limit = Math.min(1000, until - head.seq);
    const address = `${foot.dataset.log}?after=${head.seq}&limit=${limit}`;
    const response = await fetch(address, { headers: { Accept: "application/json" } });
    if (!response.ok) throw new Error(String(response.status));
    const { events, ...theirs } = await response.json();
    if (theirs.seq < head.seq) return { head, theirs, how: "behind" };
    const { head: reached, broken } = await follow(night, head, events);
    const stuck = !events.length && reached.seq < theirs.seq;
    const other = reached.seq === theirs.seq && reached.hash !== theirs.hash;
    if (broken || stuck || other) return { head, theirs, how: "other" };
    head = reached;
    if (head.seq >= Math.min(until, theirs.seq)) return { head, theirs };
  }
}

/** @param {Head} kept @param {number} until */
async function check(kept, until) {
  const page = shown();
  const run = kept.seq === until ? { head: kept, theirs: page } : await walk(kept, until);
  // Meanwhile another check has gone further, or a person has accepted the server's log.
  if (recall("head")?.hash !== kept.hash) return look(true);
  const other = run.head.seq === page.seq && run.head.hash !== page.hash;
  const how = run.how ?? (other ? "other" : run.head.seq < until && until < Infinity ? "behind" : null);
  if (how) {
    const [mine, theirs] = [run.how || other ? kept : page, other ? page : run.theirs].map(codeOf);
    const told = recall("broken");
    // What is recorded after an old backup was put back differs, too: that is no news.
    const known = told && (told.how === how || told.how === "behind") ? told : { how, seen: false };
    keep("broken", { ...known, mine, theirs });
    document.dispatchEvent(new CustomEvent("setback", { detail: (other ? page : run.theirs).seq }));
  } else {
    if (run.head.seq > (recall("head")?.seq ?? -1)) keep("head", run.head);
    // The log continues again, since missing entries were restored: clear the mark if a person has seen the warning.
    if (recall("broken")?.seen) keep("broken", null);
  }
  warn();
}

function warn() {
  const broken = recall("broken");
  for (const tick of foot.querySelectorAll(".follows")) tick.hidden = Boolean(broken);
  mark.hidden = !broken;
  the(".bar").after(mark);
  if (broken && !broken.seen) show(broken);
}

/** A person accepts the server's log: from now on it must continue from this head. @param {Head} head */
function goOnFrom(head) {
  keep("head", head);
  keep("broken", null);
  warn();
}

// Show two codes that are not of one history. Nothing is stored, since one of them may have been typed by anyone.
/** @param {{ how: string, mine: string, theirs: string }} broken */
export function show({ how, mine, theirs }) {
  for (const part of dialog.querySelectorAll("[data-how]")) part.hidden = !part.dataset.how.split(" ").includes(how);
  the("[data-mine]", dialog).textContent = mine;
  the("[data-theirs]", dialog).textContent = theirs;
  dialog.returnValue = "";
  if (!dialog.open) dialog.showModal();
}

dialog.addEventListener("click", ({ target }) => {
  const button = target.closest("button");
  if (!button) return;
  const broken = recall("broken");
  if (broken) keep("broken", { ...broken, seen: true });
  if (broken && "accept" in button.dataset) goOnFrom(shown());
  dialog.close("seen");
});
// Escape does not close the dialog.
dialog.addEventListener("cancel", (event) => event.preventDefault());
dialog.addEventListener("close", () => dialog.returnValue === "seen" || dialog.showModal());
mark.addEventListener("click", () => {
  const broken = recall("broken");
  if (broken) show(broken);
});

// Check the page's head if it is new; else whether the log still continues from the stored head.
/** @param {boolean} anew */
async function look(anew) {
  const [kept, page] = [recall("head"), shown()];
  if (!kept) keep("head", page);
  else await check(kept, anew || kept.seq > page.seq ? Infinity : page.seq).catch(() => {}); // no answer: retried later
}

if (recall("broken")) warn();
look(false);
document.addEventListener("renewed", () => look(false));
addEventListener("visibilitychange", () => document.visibilityState === "visible" && look(true));

// The entries of the keeper's phone that the server has not acknowledged: a status line, and a panel for a refused one.

import { tableFacts, the } from "./facts.js";
import { say } from "./heard.js";
import { fill } from "./naming.js";
import { focusOn, focused, isLeaving, renew, restore } from "./page.js";
import { queue, ready } from "./queue.js";
import { undoing } from "./state.js";

const panel = the(".pending");
const waits = the(".waits");
const foot = the(".proof");

const MAY_STAND = ["round", "play", "pass", "claim"];
const WITHOUT_LINK = [401, 403, 404];
const unreadable = the(".unreadable");
const buttons = Object.fromEntries([...panel.querySelectorAll("button")].map((each) => [each.dataset.do, each]));

// The fields to add to a refused entry that the table accepts. Passes before it are then not inferred: it lists those
// that the page showed when it was tapped.
/** @param {Told} told @param {Problem} halt */
export function stood({ kind, passed }, { code }) {
  return { stood: true, passed: kind === "play" && code === "not-your-turn" ? undefined : passed };
}

/** @param {Problem} halt @param {string} kind */
export const mayStand = (halt, kind) => halt.verdict === "irregular" && MAY_STAND.includes(kind);

let spoken = ""; // the state of the network that was read aloud last

function show() {
  const count = queue.waiting().length;
  if (!count && !queue.isReady) return; // not known yet whether all is saved
  const state = queue.halt ? "stopped" : !count ? "saved" : queue.offline ? "offline" : "waiting";
  const net = the(".net");
  const words = [fill(net.dataset[state], { count })];
  if (count && !queue.kept) words.push(net.dataset.unkept);
  if (count) words.push(queue.why);
  net.textContent = words.filter(Boolean).join(" ");
  if (state !== spoken && ["offline", "stopped"].includes(state)) say(net.textContent);
  spoken = state;
  net.dataset.state = state;
  const lost = the("p", unreadable);
  lost.textContent = fill(lost.dataset.words, { count: queue.unreadable.length });
  if (queue.unreadable.length) unreadable.hidden = false;
  else shut(unreadable);
  if (!queue.halt) shut(panel);
  the("ol", waits).replaceChildren(...queue.waiting().map(({ told }) => line(told.text)));
  waits.hidden = !count;
}

/** @param {string} text */
const line = (text) => Object.assign(document.createElement("li"), { textContent: text });

function forget() {
  queue.forget(tableFacts()?.events);
}

async function stop() {
  const { halt } = queue;
  if (!halt) return;
  await renew(true).catch(() => {});
  if (isLeaving()) return;
  const waiting = queue.waiting();
  // The page where a single entry was tapped may take it back and show the error there.
  const event = new CustomEvent("refused", { detail: { halt, waiting }, cancelable: true });
  if (queue.halt !== halt || !document.dispatchEvent(event)) return;
  the("p", panel).textContent = halt.detail;
  tellTheirs(halt.events ?? [], halt.more ?? 0);
  // An entry refused by the rules can only be accepted or dropped; without a link nothing can be recorded.
  const [stale, noLink] = [halt.code === "stale", WITHOUT_LINK.includes(halt.status)];
  const lines = apart().map((entries, place) => choice(entries, !noLink && (stale || place > 0)));
  the("[data-mine]", panel).replaceChildren(...lines);
  buttons.stood.hidden = !mayStand(halt, waiting[0].told.kind);
  buttons.record.hidden = noLink || (!stale && lines.length < 2);
  buttons.record.disabled = false;
  if (!panel.hidden) return;
  held = focused();
  panel.hidden = false;
  panel.focus({ preventScroll: true });
}

/** @type {Part | null} */
let held = null; // what had the focus before the panel

/** @param {Part} part */
function shut(part) {
  const within = part.contains(focused());
  part.hidden = true;
  if (within) focusOn(held);
}

// List what other phones have recorded since, as the page shows it now.
// `more` is how many follow, which the answer does not list.
/** @param {{ id: string, kind: string }[]} events @param {number} more */
function tellTheirs(events, more) {
  const theirs = the("[data-theirs]", panel);
  const lines = events.flatMap(({ id, kind }) => {
    const told = [...document.querySelectorAll(`[data-event="${id}"]`)].map((row) => line(row.textContent.trim()));
    return told.length ? told : [line(theirs.dataset[kind] ?? theirs.dataset.other)];
  });
  if (more) lines.push(line(fill(theirs.dataset.more, { count: more })));
  the("ol", theirs).replaceChildren(...lines);
  theirs.hidden = !lines.length;
}

// A line for waiting entries, with a checkbox if they may be recorded.
/** @param {Entry[]} entries @param {boolean} may */
function choice(entries, may) {
  const text = entries.map(({ told }) => [told.passing, told.text].filter(Boolean).join(" · ")).join(" · ");
  const tick = Object.assign(document.createElement("input"), { type: "checkbox", value: entries[0].id });
  Object.assign(tick, { checked: may, disabled: !may });
  const label = document.createElement("label");
  label.append(tick, text);
  const row = document.createElement("li");
  row.append(label);
  return row;
}

// The waiting entries, each grouped with its undos and redos: sent alone, those would undo another keeper's entry.
function apart() {
  const found = [];
  for (let left = queue.waiting(); left.length; ) {
    const [{ told: first }] = left;
    const { reached } = undoing(left.map(({ told }) => told));
    const together = left.filter(({ told }) => told === first || reached.get(told) === first);
    found.push(together);
    left = left.filter((entry) => !together.includes(entry));
  }
  return found;
}



/** The entries of the groups, as from `apart`, that are not ticked. @param {Entry[][]} some */
function unticked(some) {
  const ids = [...panel.querySelectorAll("input:checked")].map(({ value }) => value);
  return some.filter(([{ id }]) => !ids.includes(id)).flat();
}

/** @type {Record<string, (halt: Problem) => unknown>} */
const decisions = {
  stood: (halt) => queue.decide(unticked(apart().slice(1)), stood(queue.waiting()[0].told, halt)),
  record: ({ code }) =>
    queue.decide(unticked(apart()), code === "stale" ? { after: foot.dataset.after } : {}).then(restore),
  drop: () => queue.decide(queue.waiting()).then(restore),
};
unreadable.addEventListener("click", ({ target }) => target.closest("button") && queue.setAside());
panel.addEventListener("change", () => (buttons.record.disabled = !panel.querySelector("input:checked")));
panel.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-do]");
  if (button && queue.halt) decisions[button.dataset.do](queue.halt);
});

document.addEventListener("renewed", () => {
  forget();
  show();
});
document.addEventListener("queue", () => {
  show();
  stop();
});

forget();
show();
ready.then(queue.send);

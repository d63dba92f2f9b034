// Handles what the keeper taps or types on the table: entries appear on the table at once and are sent in the
// background. Everything works without scripts, and no script judges a move: until the server answers, cards are only
// named and turns only counted. moves.js says what a button records, board.js draws.

import { draw, notify, noticed, number, show, tellShown } from "./board.js";
import { the } from "../shared/facts.js";
import { sayMine } from "../shared/heard.js";
import { meant } from "./meant.js";
import { feel, land, lift } from "./motion.js";
import { asked, playOf, seat, spoken, taken, worded } from "./moves.js";
import { RANKS, fill, label } from "../shared/naming.js";
import { focusOn, focused, restore } from "../shared/page.js";
import { mayStand, stood } from "../shared/pending.js";
import { confirming, form, keys, nameOf, seats, standing, table } from "./position.js";
import { queue } from "../shared/queue.js";
import { remember, remembered } from "../shared/remembered.js";

const draftPlace = `draft ${location.pathname}`;
const main = the("main");
const NOTHING = { cards: [], seat: null };
const foot = the(".proof");

// The time of the last tap in milliseconds: on a slow phone its event comes later.
let tapped = 0;
let recorded = -Infinity;
for (const kind of ["click", "keydown"]) addEventListener(kind, ({ timeStamp }) => (tapped = timeStamp), true);

/**
 * Show an entry on the table at once, and queue it. Right after a play, another tap on the button finds no cards:
 * that is ignored.
 * @param {Pressed | string} entry or what is missing
 */
function record(entry) {
  if (entry === table().texts.nothing && tapped - recorded < 1000) return;
  notify(typeof entry === "string" ? { words: entry } : null);
  if (typeof entry === "string") return restore();
  const { content, told } = entry;
  recorded = tapped;
  mending = "";
  remember(draftPlace, NOTHING);
  const lifted = lift(told.kind === "play" ? keysOf(told.cards ?? []) : []);
  queue.record([{ content, told: worded(told) }], tapped);
  land(lifted);
}

/** The keys of cards, of several copies the first that are free. @param {string[]} cards */
function keysOf(cards) {
  const left = [...cards];
  return keys().filter((key) => {
    const place = key.disabled ? -1 : left.indexOf(key.value);
    if (place >= 0) left.splice(place, 1);
    return place >= 0;
  });
}

/**
 * Store the draft, the chosen cards and seat, so that it survives a renewal of the page and a reload.
 * @param {{ cards: string[], seat: string | null }} what
 */
function choose(what) {
  queue.choose(what);
  remember(draftPlace, queue.draft);
}

/** @param {Event} event */
function clear(event) {
  event.preventDefault();
  notify(null);
  choose(NOTHING);
  restore();
}

main.addEventListener("submit", (event) => {
  const button = event.submitter ?? confirming();
  if (!event.target.matches("form.record, #undo") || button.name === "stood") return;
  event.preventDefault();
  record(asked(button));
});

// Where the page goes once all that waits is recorded: the play whose pencil was tapped among it.
let mending = "";

main.addEventListener("click", (event) => {
  mend(event);
  const offered = event.target.closest("[data-offer]");
  const boxes = [...(event.target.closest("form.record .key")?.querySelectorAll("input") ?? [])];
  if (boxes.length && boxes.every((box) => box.disabled)) tellShown(boxes[0].value);
  const stands = event.target.closest("[data-stood]") && noticed()?.stood;
  if (stands) record(stands);
  else if (event.target.closest("[data-clear]")) clear(event);
  else if (event.target.closest("[data-closing]")) close();
  else if (offered) record(playOf(offered.value, offered.dataset.offer.split(" ")));
});

/** A play that is still being sent is corrected once it is recorded. @param {Happening} event */
function mend(event) {
  const [link, href] = [event.target.closest(".pile a"), meant(event)];
  const waits = queue.waiting().some(({ id }) => href.endsWith(id));
  if (!waits && href === (link?.href ?? "")) return;
  event.preventDefault();
  if (waits) mending = href;
  else if (href) location.assign(href);
}

/** If the phone is set so, a tapped single that beats a single is recorded at once. @param {Part} key */
function recordsItself(key) {
  const [{ alone, seats: sitting }, player] = [table(), seat()];
  if (!key.checked || taken().length !== 1 || queue.entries.length || !player) return false;
  return alone.includes(key.value) && sitting[player.value].playable.includes(key.value);
}

main.addEventListener("change", (event) => {
  if (!event.target.closest("form.record") || event.target.closest(".said")) return;
  const isSeat = event.target.name === "seat";
  choose({ cards: taken().map((key) => key.value), seat: isSeat ? event.target.value : queue.draft.seat });
  const records = event.target.name === "cards" && recordsItself(event.target);
  if (records) record(asked(confirming()));
  else show();
});

// Keyboard input: a rank, then a suit, by the letters of the language. Enter records, like a tap on the button.
let rank = "";
const TYPED_INTO = "input:not([type=checkbox], [type=radio]), textarea, select";
document.addEventListener("keydown", (event) => {
  if (!form() || document.querySelector("dialog[open]") || event.target.closest?.(TYPED_INTO)) return;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const letter = event.key.toLowerCase();
  const suit = table().letters[letter];
  if (event.key === "Enter" && !event.target.closest?.("button, a, summary") && taken().length) {
    event.preventDefault();
    record(asked(confirming()));
  } else if (event.key === "Backspace" || event.key === "Escape") {
    choose({ ...queue.draft, cards: event.key === "Escape" ? [] : queue.draft.cards.slice(0, -1) });
    restore();
  } else if (rank && suit) {
    const key = keys().find((one) => one.value === rank + suit && !one.disabled && !one.checked);
    const typed = rank + suit;
    rank = "";
    if (!key) return keys().some((one) => one.value === typed && !one.checked) ? tellShown(typed) : undefined;
    choose({ ...queue.draft, cards: [...queue.draft.cards, key.value] });
    restore();
    // Move the focus to the main button, so that Enter records these cards.
    if (event.target.closest?.("button, a, summary")) confirming().focus();
  } else if (letter === "0" && rank === "1") rank = "T";
  else rank = letter.length === 1 && `1${RANKS}`.includes(letter.toUpperCase()) ? letter.toUpperCase() : "";
});

// A single refused entry becomes the draft again, with a notice that says what is wrong and what to do.
document.addEventListener("refused", (event) => {
  const { halt, waiting } = event.detail;
  const [{ body, told }] = waiting;
  if (waiting.length > 1 || halt.status !== 422 || told.form || !form()) return;
  event.preventDefault();
  // It will be recorded under another id, after the entry that the page shows then.
  const { id: _id, after: _after, at: _at, ...content } = JSON.parse(body);
  const again = mayStand(halt, told.kind) && { content: { ...content, ...stood(told, halt) }, told };
  const { moves, out_of_order, count, texts } = table();
  const forgot = moves > 0 && out_of_order.includes(halt.code);
  /** @type {[string, string][]} */
  const links = halt.code === "too-many-cards" ? [[count, texts.count]] : [];
  const instead = halt.instead?.map((one) => ({ ...one, cards: told.cards ?? [] }));
  notify({ words: halt.detail, clause: halt.clause, stood: again, forgot, links, instead });
  if (told.cards) choose({ cards: told.cards, seat: told.seat ?? null });
  queue.decide(waiting);
});

document.addEventListener("renewed", draw);

// Do not renew the page while entries wait: the last answer decides where it goes.
document.addEventListener("news", (event) => queue.waiting().length && !queue.halt && event.preventDefault());

document.addEventListener("queue", ({ detail }) => {
  if (detail) feel(detail.recorded);
  if (queue.halt || queue.offline) mending = "";
  if (detail && !queue.waiting().length) {
    if (mending) return location.assign(mending);
    if (detail.told.then) return; // a form has a target of its own
    const { seq, board } = detail.recorded;
    const { round } = board;
    const table = `/n/${foot.dataset.night}`;
    if (round?.over && !round.posted) return location.assign(`${table}/rounds/${round.number}/settle`);
    if (location.pathname !== table) return location.assign(table);
    document.dispatchEvent(new CustomEvent("recorded", { detail: seq }));
  }
  // A page without a table keeps its fields.
  if (form()) restore();
  else draw();
  for (const { id, told } of queue.entries) {
    const before = told.passing ? `${told.passing}. ` : "";
    sayMine(id, before + spoken(told));
  }
});

// The dialog that closes a round: a hand left is entered by the seat and cards chosen on the table; the rest is a form
// of waits.js.
function close() {
  const dialog = the("*", the("#closing").content).cloneNode(true);
  const [player, some] = form() ? [seat(), taken()] : [null, []];
  const shown = player ? [`${nameOf(player.value)}:`, ...some.map(label)] : [];
  the(".hands", dialog).hidden = !form();
  the("[data-hand]", dialog).textContent = shown.join(" ");
  for (const button of dialog.querySelectorAll(".hands button")) {
    button.disabled = !player || (button.value === "none") !== !some.length;
  }
  if (form()) the("[value=round]", dialog).textContent = fill(table().texts.begin, { number: number() + 1 });
  sitOn(dialog);
  const held = focused();
  document.body.append(dialog);
  dialog.addEventListener("click", ({ target }) => {
    const button = target.closest("button[type=button]");
    if (button) dialog.close();
    if (button?.value) record(asked(button));
  });
  dialog.addEventListener("submit", () => {
    choose(NOTHING);
    setTimeout(() => dialog.close()); // after its fields were read
  });
  dialog.addEventListener("close", () => {
    dialog.remove();
    focusOn(held);
  });
  dialog.showModal();
}

/**
 * After a waiting round, propose its seats for the next one; reversed if the direction of play alternates.
 * @param {Part} dialog
 */
function sitOn(dialog) {
  const { header } = standing();
  const sitting = header?.seats ?? [];
  if (sitting.length < 2) return;
  const seats = dialog.querySelector("[data-turns]") ? [...sitting].reverse() : sitting;
  dialog.querySelectorAll("[name=seats]").forEach((select, place) => {
    select.value = seats[place] ?? "";
  });
}

// Keep the keeper's phone awake, if allowed.
function stayAwake() {
  const awake = document.visibilityState === "visible" && form() && !table().sleeps;
  if (awake) navigator.wakeLock?.request("screen").catch(() => {});
}
document.addEventListener("visibilitychange", stayAwake);
stayAwake();

const draft = remembered(draftPlace);
if (draft?.after === queue.newest) queue.choose({ cards: draft.cards, seat: draft.seat });
// Take over what was tapped before this script was loaded.
if (form()) {
  const marked = seats().find((one) => one.checked && !one.defaultChecked);
  const cards = taken().map((key) => key.value);
  if (marked || cards.length) choose({ cards: cards.length ? cards : queue.draft.cards, seat: seat()?.value ?? null });
}
draw();
for (const { id } of queue.entries) sayMine(id, "");

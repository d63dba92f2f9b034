// Enhances the table's form: the button shows what will be recorded, keys dim for the chosen seat, entries appear on
// the table at once and are sent in the background. Everything works without this script, and it judges no move: it
// only names cards and counts turns until the server answers.

import { sayMine } from "./heard.js";
import { RANKS, fill, label, letters, named } from "./naming.js";
import { offered } from "./offers.js";
import { restore } from "./page.js";
import { mayStand, stood } from "./pending.js";
import { deal, form, keys, nameOf, position, rows, seats, standing, table } from "./position.js";
import { queue } from "./queue.js";

const draftPlace = `draft ${location.pathname}`;
const main = document.querySelector("main");
const LONGEST = 24;
// With at most so many cards, the button shows their suits in large.
const FEW = 4;
const SUIT = /([♠♣♦♥])/;
/** @type {{ cards: string[], seat: string }} */
const NOTHING = { cards: [], seat: null };
const foot = document.querySelector(".proof");

/** @param {Part[]} some */
const words = (some) => named(table().naming, some.map((key) => key.value), some.map(label));

/**
 * The notice about the last refused entry; `stood` is the entry to record if the table accepts it.
 * @type {{ words: string, clause?: string, stood?: Content | false, forgot?: boolean, links?: [string, string][] }}
 */
let notice = null;

/** @param {string} text */
const capital = (text) => text.charAt(0).toLocaleUpperCase(document.documentElement.lang) + text.slice(1);
const taken = () => keys().filter((key) => key.checked && !key.disabled);
const seat = () => seats().find((one) => one.checked);
const waiting = () => (queue.entries.length ? position() : table()).waiting;

/**
 * Passes of several players are one entry, so that one undo reverts them.
 * @param {string[]} players
 */
function passes(players) {
  const [before, last] = [players.slice(0, -1), players.at(-1)];
  return [{ kind: "pass", seat: last, ...(before.length ? { passed: before } : {}) }];
}

/**
 * The entries that a button records; a message if something is missing.
 * @param {{ value: string }} button
 * @returns {Content[] | string}
 */
function contents(button) {
  const [kind, contract] = button.value.split(" ");
  const cards = taken().map((key) => key.value);
  const player = seat()?.value;
  const { nobody, nothing } = table().texts;
  if (kind === "undo" || kind === "redo") return [{ kind }];
  if (kind === "pass-all") return waiting().length ? passes(waiting()) : nobody;
  if (!player) return nobody;
  if (kind === "contract") return [{ kind, seat: player, contract }];
  if (kind === "pass") return passes(upTo(player));
  if (kind === "none") return [{ kind: "declare", seat: player, cards: [] }];
  if (!cards.length) return nothing;
  if (["claim", "show", "declare"].includes(kind)) return [{ kind, seat: player, cards }];
  /** @type {Content} */
  const play = { kind: "play", seat: player, cards };
  if (kind === "forward") play.forward = true;
  const locks = form().querySelector("[name=locks]:checked");
  if (locks) play.locks = locks.value === "yes";
  return [play];
}

/**
 * The players who pass when this one does: those waited for, up to this one.
 * @param {string} player
 */
function upTo(player) {
  const place = waiting().indexOf(player);
  return place < 0 ? [player] : waiting().slice(0, place + 1);
}

// The time of the last tap in milliseconds: on a slow phone its event comes later.
let tapped = 0;
let recorded = -Infinity;
for (const kind of ["click", "keydown"]) addEventListener(kind, ({ timeStamp }) => (tapped = timeStamp), true);

/**
 * Show the entries on the table at once, and queue them. Right after a play, another tap on the button finds no cards:
 * that is ignored.
 * @param {Content[] | string} asked
 */
function record(asked) {
  if (asked === table().texts.nothing && tapped - recorded < 1000) return;
  notice = null;
  if (typeof asked === "string") {
    notice = { words: asked };
    return restore();
  }
  recorded = tapped;
  keepDraft(NOTHING);
  queue.record(asked.map((content) => ({ content, told: toldOf(content) })), tapped);
}

/**
 * What the page shows of an entry, including the passes before it.
 * @param {Content} content
 * @returns {Told}
 */
function toldOf(content) {
  if (content.kind === "pass") return { ...content, text: textOf(content) };
  const passed = content.kind === "play" ? passing(content.seat) : [];
  return { ...content, text: textOf(content), passed, passing: passed.length ? passingText(passed) : "" };
}

/**
 * The players who pass if this one plays next: from the server, or counted if entries wait.
 * @param {string} player
 * @returns {string[]}
 */
function passing(player) {
  return queue.entries.length ? position().passing(player) : (table().seats[player]?.passes ?? []);
}

/** @param {string[]} players */
const passingText = (players) => fill(table().texts.passing, { names: players.map(nameOf).join(", ") });

/** @param {Content} content */
function textOf({ kind, seat: player, cards, contract, passed = [] }) {
  const shown = cards?.map((card) => label(keys().find((key) => key.value === card))) ?? [];
  const who = [...(kind === "pass" ? passed : []), player].filter(Boolean).map(nameOf).join(", ");
  return [who, wordOf(kind, shown, contract), ...shown].filter(Boolean).join(" ");
}

/**
 * The word for a kind of move; for a play or a claim, the name of its cards.
 * @param {string} kind
 * @param {string[]} shown
 * @param {string} [contract]
 */
function wordOf(kind, shown, contract) {
  const { texts } = table();
  if (kind === "play" || kind === "claim") return "";
  if (kind === "contract") return contract;
  return kind === "declare" && !shown.length ? texts.none : texts[kind];
}

/**
 * Store the draft, the chosen cards and seat, so that it survives a renewal of the page and a reload.
 * @param {{ cards: string[], seat: string }} what
 */
function choose(what) {
  queue.choose(what);
  keepDraft(queue.draft);
}

/** @param {object} draft */
function keepDraft(draft) {
  try {
    sessionStorage.setItem(draftPlace, JSON.stringify(draft));
  } catch {
    // Storage may be denied: then a reload loses the draft.
  }
}

// Draw the waiting entries and the draft onto the server's page.
function draw() {
  deal(standing().header);
  document.body.classList.toggle("table", Boolean(form()));
  for (const opener of main.querySelectorAll("[data-closing]")) {
    opener.hidden = !queue.entries.length && !queue.offline;
  }
  if (!form()) return;
  drawKeys();
  const player = queue.draft.seat ?? (queue.entries.length ? position().turn : null);
  for (const one of seats()) if (player !== null) one.checked = one.value === player;
  if (queue.entries.length) drawAhead();
  drawRows();
  drawNotice();
  show();
}

// Cards of waiting entries are shown as played, those of the draft as chosen.
function drawKeys() {
  const laid = standing().moves.flatMap((told) => told.cards ?? []);
  const wanted = [...queue.draft.cards];
  for (const key of keys()) {
    const place = key.disabled ? -1 : laid.indexOf(key.value);
    if (place >= 0) {
      key.disabled = true;
      laid.splice(place, 1);
    }
    const chosen = wanted.indexOf(key.value);
    key.checked = chosen >= 0 && !key.disabled;
    if (chosen >= 0) wanted.splice(chosen, 1);
  }
  for (const mark of main.querySelectorAll(".key sub")) {
    mark.textContent = String(mark.closest(".key").querySelectorAll("input:enabled").length || "");
  }
}

// The table while entries wait: turns and cards as counted, with undo and redo.
function drawAhead() {
  const { turn, last, leading, left } = position();
  const { draws, texts } = table();
  const holds = (one) => one.closest(".seat").querySelector(".left").firstChild;
  if (!draws) for (const one of seats()) holds(one).data = `${left[one.value]}`;
  for (const what of ["undo", "pass-all"]) main.querySelector(`[value=${what}]`).disabled = false;
  // The server's page lists passes without knowing of waiting entries.
  for (const ghosts of main.querySelectorAll(".ghosts")) ghosts.remove();
  for (const one of seats()) drawGhosts(one.value);
  const opening = standing().header && !last ? texts.opens : texts.whose;
  const say = turn ? (leading ? texts.leads : texts.next) : opening;
  main.querySelector(".say .turn").textContent = fill(say, { name: nameOf(turn) });
  const title = fill(texts.round, { number: number() });
  for (const heading of main.querySelectorAll("h1, .say .number")) heading.textContent = title;
}

/** @param {string} player */
function drawGhosts(player) {
  const passed = passing(player);
  if (!passed.length) return;
  const ghosts = Object.assign(document.createElement("p"), { className: "ghosts", textContent: passingText(passed) });
  ghosts.dataset.seat = player;
  main.querySelector(".felt").append(ghosts);
}

function drawRows() {
  if (!rows().length) return;
  if (!main.querySelector(".pile")) {
    main.querySelector(".felt").prepend(Object.assign(document.createElement("ol"), { className: "pile" }));
  }
  const pile = main.querySelector(".pile");
  for (const { text, sent, struck } of rows()) {
    const row = pile.appendChild(document.createElement("li"));
    row.className = sent ? "waiting sent" : "waiting";
    row.dataset.waits = queue.offline ? table().texts.unjudged : "⋯";
    row.append(Object.assign(document.createElement(struck ? "s" : "span"), { textContent: text }));
  }
}

function drawNotice() {
  if (!notice) return;
  main.querySelector(".notice")?.remove();
  const drawn = document.querySelector("#notice").content.firstElementChild.cloneNode(true);
  const link = drawn.querySelector("a");
  drawn.querySelector("p").prepend(`${notice.words} `);
  if (notice.clause) link.href += `#${notice.clause}`;
  else link.remove();
  if (notice.forgot) drawn.querySelector("p").append(" ", toForgotten());
  const buttons = drawn.querySelector(".buttons");
  if (!notice.stood) buttons.querySelector("[data-stood]").remove();
  if (!taken().length) buttons.querySelector("[data-clear]").remove();
  for (const [href, text] of notice.links ?? []) {
    buttons.append(Object.assign(document.createElement("a"), { href, textContent: text, className: "button" }));
  }
  if (!buttons.children.length) buttons.remove();
  main.querySelector(".felt").append(drawn);
}

/** A link for inserting a move that was forgotten before the last one. */
function toForgotten() {
  const { mend, moves, texts } = table();
  const said = { href: `${mend}?move=${moves}&how=before`, textContent: texts.forgot, className: "forgot" };
  return Object.assign(document.createElement("a"), said);
}

/**
 * Tell which move showed a card, with links that correct that move, or only the suit of this card.
 * @param {string} card
 */
function tellShown(card) {
  const { shown, mend, texts } = table();
  if (!shown[card]) return;
  const [move, player] = shown[card];
  /** @param {string} one */
  const face = (one) => label(keys().find((key) => key.value === one));
  const free = keys().filter((key) => isLike(key.value, card) && !key.disabled).map((key) => key.value);
  free.sort((one, other) => Number(other[0] === card[0]) - Number(one[0] === card[0]));
  /** @type {[string, string][]} */
  const links = [[`${mend}?move=${move}`, fill(texts.mend, { number: move })]];
  for (const other of new Set(free)) {
    const query = new URLSearchParams({ move: String(move), swap: `${card} ${other}` });
    links.push([`${mend}?${query}`, face(other)]);
  }
  notice = { words: fill(texts.shown, { card: face(card), name: nameOf(player), number: move }), links };
  restore();
}

/**
 * Whether a card is easily mistaken for another: of the same rank, or next to it in the same suit.
 * @type {(one: string, other: string) => boolean}
 */
function isLike([rank, suit], [other, its]) {
  return rank === other || (suit === its && Math.abs(RANKS.indexOf(rank) - RANKS.indexOf(other)) === 1);
}

/**
 * Offer plays that contain the tapped cards; one more tap records one. The offers cover the rarer buttons, so they are
 * not shown if one of those is needed.
 * @param {Part[]} cards
 */
function drawOffers(cards) {
  const row = main.querySelector(".offers");
  const covered = form().querySelector("[value=forward], [name=locks]");
  const found = queue.entries.length || covered || !seat() ? [] : offers(seat().value, cards);
  row.replaceChildren(...found);
  row.hidden = !found.length;
}

/**
 * @param {string} player
 * @param {Part[]} cards
 */
function offers(player, cards) {
  const { together, seats: sitting } = table();
  const byCard = Object.fromEntries(keys().filter((key) => !key.disabled).map((key) => [key.value, key]));
  const ways = together.find(({ seats }) => seats.includes(player))?.ways ?? [];
  const hand = {
    tapped: cards.map((key) => key.value),
    free: Object.keys(byCard),
    left: sitting[player].left,
    /** @param {string} card */
    face: (card) => label(byCard[card]),
  };
  return offered(ways, hand).map((one) => button(one, one.cards.map((card) => byCard[card])));
}

/**
 * @param {{ cards: string[], text: string }} offer
 * @param {Part[]} whole
 */
function button({ cards, text }, whole) {
  const drawn = document.createElement("button");
  drawn.type = "button";
  drawn.dataset.offer = cards.join(" ");
  drawn.setAttribute("aria-label", words(whole));
  drawn.textContent = text;
  return drawn;
}

function show() {
  const player = seat();
  const bright = new Set(player ? table().seats[player.value].playable : []);
  const known = !queue.entries.length && player;
  for (const key of keys()) {
    key.closest(".key").classList.toggle("dim", Boolean(known) && !key.disabled && !bright.has(key.value));
  }
  const confirm = form().querySelector("button.main");
  const cards = taken();
  drawOffers(cards);
  const shown = cards.length ? words(cards) : confirm.dataset.plain;
  const whose = cards.length && player ? nameOf(player.value) : "";
  const said = capital(whose ? fill(table().naming.to, { cards: shown, name: ending(whose) }) : shown);
  const spelled = document.createElement("span");
  spelled.append(...(cards.length <= FEW ? said.split(SUIT).map(large) : [said]));
  confirm.replaceChildren(spelled);
  confirm.classList.remove("long");
  confirm.classList.toggle("long", confirm.scrollHeight > confirm.clientHeight);
}

/**
 * A part of the button's text; suits are larger, since a wrong suit is the most likely mistake.
 * @param {string} part
 */
function large(part) {
  return SUIT.test(part) ? Object.assign(document.createElement("b"), { className: "suit", textContent: part }) : part;
}

/**
 * The end of a long name, so that the button's text fits into two lines, or three small ones.
 * @param {string} name
 */
function ending(name) {
  if (name.length <= LONGEST) return name;
  const all = letters(name);
  return all.length > LONGEST ? `…${all.slice(1 - LONGEST).join("")}` : name;
}

/** @param {Event} event */
function clear(event) {
  event.preventDefault();
  notice = null;
  choose(NOTHING);
  restore();
}

main.addEventListener("submit", (event) => {
  const button = event.submitter ?? form().querySelector("button.main");
  if (!event.target.matches("form.record, #undo") || button.name === "stood") return;
  event.preventDefault();
  record(contents(button));
});

main.addEventListener("click", (event) => {
  const offered = event.target.closest("[data-offer]");
  const boxes = [...(event.target.closest("form.record .key")?.querySelectorAll("input") ?? [])];
  if (boxes.length && boxes.every((box) => box.disabled)) tellShown(boxes[0].value);
  if (event.target.closest("[data-stood]")) record([/** @type {Content} */ (notice.stood)]);
  else if (event.target.closest("[data-clear]")) clear(event);
  else if (event.target.closest("[data-closing]")) close();
  else if (offered) record([{ kind: "play", seat: seat().value, cards: offered.dataset.offer.split(" ") }]);
});

/**
 * If the phone is set so, a tapped single that beats a single is recorded at once.
 * @param {Part} key
 */
function recordsItself(key) {
  const { alone, seats: sitting } = table();
  if (!key.checked || taken().length !== 1 || queue.entries.length || !seat()) return false;
  return alone.includes(key.value) && sitting[seat().value].playable.includes(key.value);
}

main.addEventListener("change", (event) => {
  if (!event.target.closest("form.record") || event.target.closest(".said")) return;
  const isSeat = event.target.name === "seat";
  choose({ cards: taken().map((key) => key.value), seat: isSeat ? event.target.value : queue.draft.seat });
  const records = event.target.name === "cards" && recordsItself(event.target);
  if (records) record(contents(form().querySelector("button.main")));
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
    record(contents(form().querySelector("button.main")));
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
    if (event.target.closest?.("button, a, summary")) form().querySelector("button.main").focus();
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
  const again = mayStand(halt, told.kind) && { ...content, ...stood(told, halt) };
  const { moves, out_of_order, count, texts } = table();
  const forgot = moves > 0 && out_of_order.includes(halt.code);
  notice = { words: halt.detail, clause: halt.clause, stood: again, forgot };
  if (halt.code === "too-many-cards") notice.links = [[count, texts.count]];
  if (told.cards) choose({ cards: told.cards, seat: told.seat });
  queue.decide(waiting);
});

document.addEventListener("renewed", draw);

// Do not renew the page while entries wait: the last answer decides where it goes.
document.addEventListener("news", (event) => queue.waiting().length && !queue.halt && event.preventDefault());

document.addEventListener("queue", ({ detail }) => {
  if (detail?.recorded && !queue.waiting().length) {
    const { id, seq, board } = detail.recorded;
    const { round } = board;
    const table = `/n/${foot.dataset.night}`;
    if (queue.entries.find((entry) => entry.id === id)?.told.then) return; // a form has a target of its own
    if (round?.over && !round.posted) return location.assign(`${table}/rounds/${round.number}/settle`);
    if (location.pathname !== table) return location.assign(table);
    document.dispatchEvent(new CustomEvent("recorded", { detail: seq }));
  }
  // A page without a table keeps its fields.
  if (form()) restore();
  else draw();
  for (const { id, told } of queue.entries) {
    const before = told.passing ? `${told.passing}. ` : "";
    sayMine(id, before + told.text, before + spoken(told));
  }
});

/**
 * An entry as it is read aloud: `Tí, đôi 7 rô 7 cơ`.
 * @param {Told} told
 */
function spoken({ kind, seat: player, cards, text }) {
  if (kind !== "play" || !form()) return text;
  const held = cards.map((card) => keys().find((key) => key.value === card)?.getAttribute("aria-label") ?? card);
  return `${nameOf(player)}, ${named(table().naming, cards, held)}`;
}

const number = () => table().begun + standing().begun;

// The dialog that closes a round: a hand left is entered by the seat and cards chosen on the table; the rest is a form
// of waits.js.
function close() {
  /** @type {Part} */
  const dialog = document.querySelector("#closing").content.firstElementChild.cloneNode(true);
  const [player, some] = form() ? [seat(), taken()] : [null, []];
  const shown = player ? [`${nameOf(player.value)}:`, ...some.map(label)] : [];
  dialog.querySelector(".hands").hidden = !form();
  dialog.querySelector("[data-hand]").textContent = shown.join(" ");
  for (const button of dialog.querySelectorAll(".hands button")) {
    button.disabled = !player || (button.value === "none") !== !some.length;
  }
  if (form()) dialog.querySelector("[value=round]").textContent = fill(table().texts.begin, { number: number() + 1 });
  sitOn(dialog);
  document.body.append(dialog);
  dialog.addEventListener("click", ({ target }) => {
    const button = target.closest("button[type=button]");
    if (button) dialog.close();
    if (button?.value) record(contents(button));
  });
  dialog.addEventListener("submit", () => {
    choose(NOTHING);
    setTimeout(() => dialog.close()); // after its fields were read
  });
  dialog.addEventListener("close", () => dialog.remove());
  dialog.showModal();
}

/**
 * After a waiting round, propose its seats for the next one; reversed if the direction of play alternates.
 * @param {Part} dialog
 */
function sitOn(dialog) {
  const { header } = standing();
  if (!header || header.seats.length < 2) return;
  const seats = dialog.querySelector("[data-turns]") ? [...header.seats].reverse() : header.seats;
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

try {
  const draft = JSON.parse(sessionStorage.getItem(draftPlace));
  if (draft?.after === queue.newest) queue.choose({ cards: draft.cards, seat: draft.seat });
} catch {
  // See above.
}
// Take over what was tapped before this script was loaded.
if (form()) {
  const marked = seats().find((one) => one.checked && !one.defaultChecked);
  const cards = taken().map((key) => key.value);
  if (marked || cards.length) choose({ cards: cards.length ? cards : queue.draft.cards, seat: seat()?.value });
}
draw();
for (const { id } of queue.entries) sayMine(id, "");

// The table's form, made livelier: the button says what will be recorded, keys dim for the chosen seat, what is recorded
// stands on the table at once and is sent behind. Everything works without this, and nothing here judges a move: cards
// are only named, and seats only counted on, until the server has said what is so.

import { sayMine } from "./heard.js";
import { deal, form, keys, label, nameOf, position, rows, seats, standing } from "./laid.js";
import { RANKS, fill, letters, named } from "./naming.js";
import { offered } from "./offers.js";
import { restore } from "./page.js";
import { mayStand, stood } from "./pending.js";
import { queue } from "./queue.js";

const draftPlace = `draft ${location.pathname}`;
const main = document.querySelector("main");
const LONGEST = 24;
const NOTHING = { cards: [], seat: null };
const foot = document.querySelector(".proof");

const naming = () => JSON.parse(form().dataset.naming);
const words = (some) => named(naming(), some.map((key) => key.value), some.map(label));

// What is wrong with what was recorded last: {words, clause, stood: what would be recorded if it stood}.
let notice = null;

const capital = (text) => text.charAt(0).toLocaleUpperCase(document.documentElement.lang) + text.slice(1);
const taken = () => keys().filter((key) => key.checked && !key.disabled);
const seat = () => seats().find((one) => one.checked);

// What a button asks to be recorded, entry by entry; a text where something is missing.
function contents(button) {
  const [kind, contract] = button.value.split(" ");
  const cards = taken().map((key) => key.value);
  const player = seat()?.value;
  const { waiting } = queue.entries.length ? position() : { waiting: form().elements.namedItem("others").value.split(" ") };
  const passes = (players) => players.filter(Boolean).map((one) => ({ kind: "pass", seat: one }));
  const locks = form().querySelector("[name=locks]:checked");
  if (kind === "undo" || kind === "redo") return [{ kind }];
  if (kind === "pass-all") return waiting.length ? passes(waiting) : form().dataset.nobody;
  if (!player) return form().dataset.nobody;
  if (kind === "contract") return [{ kind, seat: player, contract }];
  if (kind === "pass") return passes(waiting.includes(player) ? waiting.slice(0, waiting.indexOf(player) + 1) : [player]);
  if (kind === "none") return [{ kind: "declare", seat: player, cards: [] }];
  if (!cards.length) return form().dataset.nothing;
  if (["claim", "show", "declare"].includes(kind)) return [{ kind, seat: player, cards }];
  return [{ kind: "play", seat: player, cards, ...(kind === "forward" ? { forward: true } : {}), ...(locks ? { locks: locks.value === "yes" } : {}) }];
}

// When a person tapped last, in milliseconds: a slow phone hears of it later.
let tapped = 0;
let recorded = -Infinity;
for (const kind of ["click", "keydown"]) addEventListener(kind, ({ timeStamp }) => (tapped = timeStamp), true);

// Put it on the table at once; it is sent behind. What a tap right after one that recorded lacks is no mistake.
function record(asked) {
  if (typeof asked === "string" && tapped - recorded < 1000) return;
  notice = typeof asked === "string" ? { words: asked } : null;
  if (notice) return restore();
  recorded = tapped;
  keepDraft(NOTHING);
  queue.record(asked.map((content) => ({ content, told: toldOf(content) })), tapped);
}

// What the page shows of an entry, and who it says passes before it.
function toldOf(content) {
  const passed = content.kind === "play" ? passing(content.seat) : [];
  return { ...content, text: textOf(content), passed, passing: passed.length ? passingText(passed) : "" };
}

// Who is said to pass if a player plays next: by the server, or counted where something waits.
function passing(player) {
  if (queue.entries.length) return position().passing(player);
  return seats().find((one) => one.value === player)?.dataset.passes.split(" ").filter(Boolean) ?? [];
}

const passingText = (players) => fill(form().dataset.passing, { names: players.map(nameOf).join(", ") });

function textOf({ kind, seat: player, cards, contract }) {
  const { [kind]: said, none } = form().dataset;
  const shown = cards?.map((card) => label(keys().find((key) => key.value === card))) ?? [];
  const word = kind === "play" || kind === "claim" ? "" : kind === "declare" && !shown.length ? none : (said ?? contract);
  return [player && nameOf(player), word, ...shown].filter(Boolean).join(" ");
}

// What is chosen and not recorded yet outlives the page being drawn anew, and a reload.
function choose(what) {
  queue.choose(what);
  keepDraft(queue.draft);
}

function keepDraft(draft) {
  try {
    sessionStorage.setItem(draftPlace, JSON.stringify(draft));
  } catch {
    // Storage may be denied: then a reload forgets the selection.
  }
}

// Lay what waits, and what is chosen, on the page as the server wrote it.
function draw() {
  const { header, moves } = standing();
  if (header) deal(header);
  document.body.classList.toggle("table", Boolean(form()));
  for (const opener of main.querySelectorAll("[data-closing]")) opener.hidden = !queue.entries.length && !queue.offline;
  if (!form()) return;
  const { turn, last, leading, left } = position();
  const laid = moves.flatMap((told) => told.cards ?? []);
  for (const key of keys()) {
    const place = laid.indexOf(key.value);
    if (place < 0 || key.disabled) continue;
    key.disabled = true;
    laid.splice(place, 1);
  }
  for (const mark of main.querySelectorAll(".key sub")) {
    mark.textContent = String(mark.closest(".key").querySelectorAll("input:enabled").length || "");
  }
  const wanted = [...queue.draft.cards];
  for (const key of keys()) {
    const place = wanted.indexOf(key.value);
    key.checked = place >= 0 && !key.disabled;
    if (place >= 0) wanted.splice(place, 1);
  }
  const player = queue.draft.seat ?? (queue.entries.length ? turn : null);
  for (const one of seats()) if (player !== null) one.checked = one.value === player;
  if (queue.entries.length) {
    for (const one of seats()) if (!("draws" in form().dataset)) one.closest(".seat").querySelector(".left").firstChild.data = left[one.value];
    for (const what of ["undo", "pass-all"]) main.querySelector(`[value=${what}]`).disabled = false;
    // Who passes is told by a page that does not know of what waits.
    for (const ghosts of main.querySelectorAll(".ghosts")) ghosts.remove();
    for (const one of seats()) drawGhosts(one.value);
    const { opens, leads, next, whose } = form().dataset;
    const say = turn ? (leading ? leads : next) : header && !last ? opens : whose;
    main.querySelector(".say .turn").textContent = fill(say, { name: nameOf(turn) });
    for (const heading of main.querySelectorAll("h1, .say .number")) heading.textContent = fill(form().dataset.round, { number: number() });
  }
  drawRows();
  drawNotice();
  show();
}

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
    row.append(Object.assign(document.createElement(struck ? "s" : "span"), { textContent: text }));
  }
}

function drawNotice() {
  if (!notice) return;
  main.querySelector(".notice")?.remove();
  const drawn = document.querySelector("#notice").content.firstElementChild.cloneNode(true);
  const link = drawn.querySelector("a");
  drawn.querySelector("p").prepend(`${notice.words} `);
  if (notice.clause) {
    link.href += `#${notice.clause}`;
    link.textContent = notice.clause;
  } else link.remove();
  if (!notice.stood) drawn.querySelector(".buttons").remove();
  main.querySelector(".felt").append(drawn);
}

// What may be played with the cards that are tapped: one tap more records it all. The offers lie over the rarer buttons,
// so not where one of those says how a card is played.
function drawOffers(cards) {
  const row = main.querySelector(".offers");
  const covers = form().querySelector("[value=forward], [name=locks]");
  const player = !queue.entries.length && !covers && seat();
  const plan = player && JSON.parse(form().dataset.together).find(({ seats }) => seats.includes(player.value));
  const byCard = Object.fromEntries(keys().filter((key) => !key.disabled).map((key) => [key.value, key]));
  const found = plan ? offered(plan.ways, { tapped: cards.map((key) => key.value), free: Object.keys(byCard), left: Number(player.dataset.left), face: (card) => label(byCard[card]) }) : [];
  row.replaceChildren(...found.map((one) => button(one, one.cards.map((card) => byCard[card]))));
  row.hidden = !found.length;
}

function button({ cards, text }, whole) {
  const drawn = document.createElement("button");
  drawn.type = "button";
  drawn.dataset.offer = cards.join(" ");
  drawn.setAttribute("aria-label", words(whole));
  drawn.textContent = text;
  return drawn;
}

function show() {
  const bright = new Set((seat()?.dataset.playable ?? "").split(" "));
  const known = !queue.entries.length && seat();
  for (const key of keys()) key.closest(".key").classList.toggle("dim", Boolean(known) && !key.disabled && !bright.has(key.value));
  const confirm = form().querySelector("button.main");
  const cards = taken();
  drawOffers(cards);
  const shown = cards.length ? words(cards) : confirm.dataset.plain;
  confirm.textContent = capital(cards.length && seat() ? fill(naming().to, { cards: shown, name: ending(seat().dataset.name) }) : shown);
  confirm.classList.remove("long");
  confirm.classList.toggle("long", confirm.scrollHeight > confirm.clientHeight);
}

// The end of a long name: the button has room for two lines, and for three small ones.
function ending(name) {
  if (name.length <= LONGEST) return name;
  const all = letters(name);
  return all.length > LONGEST ? `…${all.slice(1 - LONGEST).join("")}` : name;
}

main.addEventListener("submit", (event) => {
  const button = event.submitter ?? form().querySelector("button.main");
  if (!event.target.matches("form.record, #undo") || button.name === "stood") return;
  event.preventDefault();
  record(contents(button));
});

main.addEventListener("click", (event) => {
  const offered = event.target.closest("[data-offer]");
  if (event.target.closest("[data-stood]")) record([notice.stood]);
  else if (event.target.closest("[data-closing]")) close();
  else if (offered) record([{ kind: "play", seat: seat().value, cards: offered.dataset.offer.split(" ") }]);
});

// Where the phone is set so, a single that beats a single records itself.
function recordsItself(key) {
  const alone = form().dataset.alone.split(" ");
  return key.checked && taken().length === 1 && !queue.entries.length && seat() && alone.includes(key.value) && seat().dataset.playable.split(" ").includes(key.value);
}

main.addEventListener("change", (event) => {
  if (!event.target.closest("form.record")) return;
  const isSeat = event.target.name === "seat";
  choose({ cards: taken().map((key) => key.value), seat: isSeat ? event.target.value : queue.draft.seat });
  if (event.target.name === "cards" && recordsItself(event.target)) record(contents(form().querySelector("button.main")));
  else show();
});

// Typed on a keyboard: a rank, then a suit, by the letters of the language. Enter records, as a tap on the button does.
let rank = "";
document.addEventListener("keydown", (event) => {
  if (!form() || document.querySelector("dialog[open]") || event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input:not([type=checkbox], [type=radio]), textarea, select")) return;
  const letter = event.key.toLowerCase();
  const suit = JSON.parse(form().dataset.letters)[letter];
  if (event.key === "Enter" && !event.target.closest?.("button, a, summary") && taken().length) {
    event.preventDefault();
    record(contents(form().querySelector("button.main")));
  } else if (event.key === "Backspace" || event.key === "Escape") {
    choose({ ...queue.draft, cards: event.key === "Escape" ? [] : queue.draft.cards.slice(0, -1) });
    restore();
  } else if (rank && suit) {
    const key = keys().find((one) => one.value === rank + suit && !one.disabled && !one.checked);
    rank = "";
    if (!key) return;
    choose({ ...queue.draft, cards: [...queue.draft.cards, key.value] });
    restore();
    // Enter is about these cards from here on, and no more about what was pressed before them.
    if (event.target.closest?.("button, a, summary")) form().querySelector("button.main").focus();
  } else if (letter === "0" && rank === "1") rank = "T";
  else rank = letter === "1" ? "1" : RANKS.includes(letter.toUpperCase()) && letter.length === 1 ? letter.toUpperCase() : "";
});

// A single entry that was refused goes back to where it was chosen, with what is wrong and what to do.
document.addEventListener("refused", (event) => {
  const { halt, waiting } = event.detail;
  const [{ body, told }] = waiting;
  if (waiting.length > 1 || halt.status !== 422 || told.form || !form()) return;
  event.preventDefault();
  // It is recorded anew, under another id, after what the page shows then.
  const { id: _id, after: _after, at: _at, ...content } = JSON.parse(body);
  const again = mayStand(halt, told.kind) && { ...content, ...stood(told, halt) };
  notice = { words: halt.detail, clause: halt.clause, stood: again };
  if (told.cards) choose({ cards: told.cards, seat: told.seat });
  queue.drop(waiting);
});

document.addEventListener("renewed", draw);

// Where the answer to what was sent leads, the page goes then, and no sooner.
document.addEventListener("news", (event) => queue.waiting().length && !queue.halt && event.preventDefault());

document.addEventListener("queue", ({ detail }) => {
  if (detail?.recorded && !queue.waiting().length) {
    const { id, seq, board } = detail.recorded;
    const { round } = board;
    const table = `/n/${foot.dataset.night}`;
    if (queue.entries.find((entry) => entry.id === id)?.told.then) return; // a form leads where it says
    if (round?.over && !round.posted) return location.assign(`${table}/rounds/${round.number}/settle`);
    if (location.pathname !== table) return location.assign(table);
    document.dispatchEvent(new CustomEvent("recorded", { detail: seq }));
  }
  // A page that shows no table keeps what is chosen and typed on it.
  if (form()) restore();
  else draw();
  for (const { id, told } of queue.entries) sayMine(id, [told.passing, told.text].filter(Boolean).join(". "));
});

const number = () => Number(form().dataset.begun) + standing().begun;

// What is left in a hand is said on the table, by the chosen seat and cards; the rest of the dialog is a form that waits.
function close() {
  const dialog = document.querySelector("#closing").content.firstElementChild.cloneNode(true);
  const [player, some] = form() ? [seat(), taken()] : [null, []];
  dialog.querySelector(".hands").hidden = !form();
  dialog.querySelector("[data-hand]").textContent = player ? [`${player.dataset.name}:`, ...some.map(label)].join(" ") : "";
  for (const button of dialog.querySelectorAll(".hands button")) button.disabled = !player || (button.value === "none") !== !some.length;
  if (form()) dialog.querySelector("[value=round]").textContent = fill(form().dataset.begin, { number: number() + 1 });
  sitOn(dialog);
  document.body.append(dialog);
  dialog.addEventListener("click", ({ target }) => {
    const button = target.closest("button[type=button]");
    if (button) dialog.close();
    if (button?.value) record(contents(button));
  });
  dialog.addEventListener("submit", () => {
    choose(NOTHING);
    setTimeout(() => dialog.close()); // once it was read
  });
  dialog.addEventListener("close", () => dialog.remove());
  dialog.showModal();
}

// After a round that waits, whoever sits in it is proposed for the next one; in the other order where the direction
// changes each game.
function sitOn(dialog) {
  const { header } = standing();
  if (!header || header.seats.length < 2) return;
  const seats = dialog.querySelector("[data-turns]") ? [...header.seats].reverse() : header.seats;
  dialog.querySelectorAll("[name=seats]").forEach((select, place) => {
    select.value = seats[place] ?? "";
  });
}

// The keeper's phone stays awake, where it may.
const stayAwake = () => document.visibilityState === "visible" && form() && !("sleeps" in form().dataset) && navigator.wakeLock?.request("screen").catch(() => {});
document.addEventListener("visibilitychange", stayAwake);
stayAwake();

try {
  const draft = JSON.parse(sessionStorage.getItem(draftPlace));
  if (draft?.after === queue.newest) queue.choose({ cards: draft.cards, seat: draft.seat });
} catch {
  // See above.
}
if (form() && taken().length) queue.choose({ cards: taken().map((key) => key.value), seat: seat()?.value });
draw();
for (const { id } of queue.entries) sayMine(id, "");

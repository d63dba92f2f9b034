// The table's form, made livelier: the button says what will be recorded, keys dim for the chosen seat, and a
// selection survives a reload. Everything works without this, and nothing here judges a move: cards are only named.

const form = document.querySelector("form.record");
const naming = JSON.parse(form.dataset.naming);
const keys = [...form.elements.cards];
const seats = [...form.querySelectorAll("[name=seat]")];
const confirm = form.querySelector("button.main");
const draftPlace = `draft ${location.pathname}`;
const RANKS = "3456789TJQKA2";

const chosenCards = () => keys.filter((key) => key.checked && !key.disabled);
const chosenSeat = () => seats.find((seat) => seat.checked);
const label = (key) => key.closest(".key").querySelector("span").firstChild.textContent + key.value.slice(2);
const fill = (pattern, facts) => pattern.replace(/\{(\w+)\}/g, (whole, name) => facts[name] ?? whole);

// What some cards look like: of one rank, a run, a run of pairs; or just so many cards.
function kindOf(cards) {
  const ranks = [...new Set(cards.map((card) => RANKS.indexOf(card[0])))].sort((a, b) => a - b);
  const each = cards.length / ranks.length;
  const even = ranks.every((rank) => cards.filter((card) => RANKS.indexOf(card[0]) === rank).length === each);
  if (!even) return null;
  if (ranks.length === 1) return ["single", "pair", "triple", "four-of-a-kind"][each - 1] ?? "more-of-a-kind";
  if (each === 4) return "fours";
  const run = ranks.length > (each === 2 ? 1 : 2) && ranks.at(-1) - ranks[0] === ranks.length - 1;
  return run ? { 1: "sequence", 2: "pair-sequence", 3: "triple-sequence" }[each] : null;
}

function nameOf(chosen) {
  const cards = chosen.map((key) => key.value);
  const kind = kindOf(cards);
  const ranks = new Set(cards.map((card) => card[0])).size;
  if (chosen.length > 6 && kind !== "sequence" && kind !== "pair-sequence") {
    return fill(naming.cards, { number: chosen.length });
  }
  const shown = chosen.map(label);
  const listed = shown.length > 6 ? `${shown[0]} … ${shown.at(-1)}` : shown.join(" ");
  return kind ? fill(naming.kinds[kind], { cards: listed, number: naming.numbers[ranks] ?? ranks, count: naming.numbers[chosen.length] ?? chosen.length }) : listed;
}

function show() {
  const chosen = chosenCards();
  const seat = chosenSeat();
  const playable = new Set((seat?.dataset.playable ?? "").split(" "));
  for (const key of keys) {
    key.closest(".key").classList.toggle("dim", !key.disabled && Boolean(seat) && !playable.has(key.value));
  }
  const words = chosen.length ? nameOf(chosen) : confirm.dataset.plain;
  const named = chosen.length && seat ? fill(naming.to, { cards: words, name: seat.dataset.name }) : words;
  confirm.textContent = named.charAt(0).toLocaleUpperCase(document.documentElement.lang) + named.slice(1);
}

function keepDraft() {
  const draft = { after: form.dataset.draft, seat: chosenSeat()?.value, cards: chosenCards().map((key) => key.value) };
  try {
    sessionStorage.setItem(draftPlace, JSON.stringify(draft));
  } catch {
    // Storage may be denied: then a reload forgets the selection.
  }
}

function takeDraft() {
  let draft = null;
  try {
    draft = JSON.parse(sessionStorage.getItem(draftPlace));
  } catch {
    return;
  }
  if (draft?.after !== form.dataset.draft || chosenCards().length) return;
  for (const key of keys) {
    const place = draft.cards.indexOf(key.value);
    key.checked = place >= 0 && !key.disabled;
    if (key.checked) draft.cards.splice(place, 1);
  }
  for (const seat of seats) if (draft.seat) seat.checked = seat.value === draft.seat;
}

form.addEventListener("change", () => {
  show();
  keepDraft();
});
// Back may bring the page as it was: its entry has been recorded since, so the table is asked for anew.
addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});
takeDraft();
show();

// Dictated or typed plays, if the phone is set so: the server returns the plays that a phrase may mean. A sure one is
// chosen on the grid, others are offered. Nothing is recorded without a tap.

const PAUSE = 600;
const TRIES = 10;
/** @type {any} */
let waits = 0;
let asked = 0;

/** @returns {Part} */
const field = () => document.querySelector(".said input");
const keys = () => [...document.querySelectorAll("form.record [name=cards]")];

/** Choose these cards on the grid, and no others. @param {string[]} cards */
function choose(cards) {
  const wanted = [...cards];
  for (const key of keys()) {
    const place = key.disabled ? -1 : wanted.indexOf(key.value);
    if (key.checked !== place >= 0) key.checked = place >= 0;
    if (place >= 0) wanted.splice(place, 1);
  }
  keys()[0]?.dispatchEvent(new Event("change", { bubbles: true }));
}

/** @param {string} text @param {() => void} act */
function chip(text, act) {
  const drawn = { type: "button", textContent: text, className: "chip" };
  const button = Object.assign(document.createElement("button"), drawn);
  button.addEventListener("click", () => {
    field().value = "";
    answer();
    act();
  });
  return button;
}

/** @param {string} words @param {HTMLElement[]} chips */
function answer(words = "", chips = []) {
  document.querySelector(".said [role=status]").replaceChildren(words, ...chips);
}

/** @param {number} tries */
async function ask(tries = TRIES) {
  const { heard, none, away } = document.querySelector(".said").dataset;
  const said = field().value.trim();
  if (!said) {
    answer();
    return;
  }
  const mine = (asked += 1);
  // The server does not know the entries that wait to be recorded.
  if (document.querySelector(".pile .waiting")) {
    if (!tries) answer(away);
    else waits = setTimeout(ask, PAUSE / 2, tries - 1);
    return;
  }
  const seat = document.querySelector("form.record [name=seat]:checked")?.value ?? "";
  try {
    const response = await fetch(`${heard}?${new URLSearchParams({ said, seat })}`);
    if (!response.ok) throw new Error(response.statusText);
    const { pass, plays, sure } = await response.json();
    if (mine !== asked) return;
    if (sure && plays.length && !pass) {
      choose(plays[0].cards);
      answer(plays[0].text);
      return;
    }
    const chips = plays.map((play) => chip(play.text, () => choose(play.cards)));
    const passes = document.querySelector("form.record [value=pass]");
    if (pass) chips.unshift(chip(passes.textContent.trim(), () => passes.click()));
    answer(chips.length ? "" : none.replace("{said}", said), chips);
  } catch {
    if (mine === asked) answer(away);
  }
}

document.addEventListener("input", (event) => {
  if (event.target !== field()) return;
  clearTimeout(waits);
  waits = setTimeout(ask, PAUSE, TRIES);
});

document.addEventListener("keydown", (event) => {
  if (event.target !== field() || event.key !== "Enter") return;
  event.preventDefault();
  clearTimeout(waits);
  ask();
});

const show = () => document.querySelector(".said")?.removeAttribute("hidden");
document.addEventListener("renewed", show);
show();

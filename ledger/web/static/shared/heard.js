// Announcements for screen readers: each move once, in order, and the network's state if it is bad; moves also by
// speech synthesis, if the phone is set so. Each line is added to a live region, which is read after the line before.

import { readAloud } from "../phone/aloud.js";
import { the } from "./facts.js";
import { remember, remembered } from "./remembered.js";

const KEPT = 20;
const log = the("#heard");
const main = the("main");
const known = new Set();
const mine = new Set();
let said = "";

/** Announce one line. @param {string} text */
export function say(text) {
  if (!text) return;
  log.append(Object.assign(document.createElement("p"), { textContent: text }));
  while (log.children.length > KEPT) log.firstChild.remove();
}

// Announce an entry that this phone records, but not again when the page shows it. Without a text it only counts as
// announced.
/** @param {string} id @param {string} text */
export function sayMine(id, text) {
  if (mine.has(id)) return;
  mine.add(id);
  if (!text) return;
  said = turn();
  readAloud(text);
  say([text, said].filter(Boolean).join(". "));
}

const turn = () => main.querySelector(".say .turn")?.textContent.trim() ?? "";

// Announce new moves, the last together with whose turn it is now; and a turn that changed without a move.
function sayNews() {
  const rows = [...main.querySelectorAll("[data-heard]")].filter((row) => !known.has(row.dataset.heard));
  for (const row of rows) known.add(row.dataset.heard);
  const others = rows.filter((row) => !mine.has(row.dataset.event));
  const news = others.map((row) => row.textContent.trim());
  for (const text of news) readAloud(text);
  if (!news.length && turn() === said) return;
  if (news.length || !rows.length) say([...news, turn()].filter(Boolean).join(". "));
  said = turn();
}

// What was announced before this page was left for another one, as to correct a move, is not announced again when the
// same round is back; what has come since then is. A page that was not here before announces only what comes.
const PLACE = "heard";
const here = () => `${location.pathname} ${main.querySelector("h1")?.textContent}`;
const before = remembered(PLACE);
said = turn();
if (before?.here === here()) {
  for (const address of before.known) known.add(address);
  for (const id of before.mine) mine.add(id);
  addEventListener("load", () => setTimeout(sayNews)); // to a live region that has been there for a while
} else {
  for (const row of main.querySelectorAll("[data-heard]")) known.add(row.dataset.heard);
}
document.addEventListener("renewed", () => queueMicrotask(sayNews)); // once the page is drawn
addEventListener("pagehide", () => {
  if (known.size) remember(PLACE, { here: here(), known: [...known], mine: [...mine] });
});

// Announcements for screen readers: each move once, in order, and the network's state if it is bad; moves also by
// speech synthesis, if the phone is set so. Each line is added to a live region, which is read after the line before.

import { readAloud } from "../phone/aloud.js";
import { the } from "./facts.js";

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

for (const row of main.querySelectorAll("[data-heard]")) known.add(row.dataset.heard);
said = turn();
document.addEventListener("renewed", () => queueMicrotask(sayNews)); // once the page is drawn

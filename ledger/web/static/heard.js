// What happens at the table, for who hears the page instead of seeing it: each move once, in order, and the state of
// the network where it is bad; moves in the phone's own voice too, where it is set so. A line that is added to the log
// is read aloud when the reader has finished the one before.

import { readAloud } from "./aloud.js";

const KEPT = 20;
const log = document.querySelector("#heard");
const main = document.querySelector("main");
const known = new Set();
const mine = new Set();
let said = "";

// Read one line aloud.
/** @param {string} text */
export function say(text) {
  if (!text) return;
  log.append(Object.assign(document.createElement("p"), { textContent: text }));
  while (log.children.length > KEPT) log.firstChild.remove();
}

// Read an entry aloud that this phone records, and not again when the page shows it. Without a text it has been read.
// `spoken` is the same with cards by their names.
/** @param {string} id @param {string} text @param {string} [spoken] */
export function sayMine(id, text, spoken = text) {
  if (mine.has(id)) return;
  mine.add(id);
  if (!text) return;
  said = turn();
  readAloud(spoken);
  say([text, said].filter(Boolean).join(". "));
}

const turn = () => main.querySelector(".say .turn")?.textContent.trim() ?? "";

// Whoever's turn it is now is said with the move that brought it about, or where it has changed without one.
function sayNews() {
  const rows = [...main.querySelectorAll("[data-heard]")].filter((row) => !known.has(row.dataset.heard));
  for (const row of rows) known.add(row.dataset.heard);
  const others = rows.filter((row) => !mine.has(row.dataset.event));
  const news = others.map((row) => row.textContent.trim());
  for (const row of others) readAloud(row.dataset.said ?? row.textContent.trim());
  if (!news.length && turn() === said) return;
  if (news.length || !rows.length) say([...news, turn()].filter(Boolean).join(". "));
  said = turn();
}

for (const row of main.querySelectorAll("[data-heard]")) known.add(row.dataset.heard);
said = turn();
document.addEventListener("renewed", () => queueMicrotask(sayNews)); // once the page is drawn

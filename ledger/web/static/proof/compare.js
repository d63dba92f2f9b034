// Compare another phone's head with what this phone has seen, by recomputing the chain between the two.

import { the } from "../shared/facts.js";
import { codeOf, isOf } from "./chain.js";
import { before, show, walk } from "./heads.js";

const place = the("#compared");
const { characters, hash, written } = place.dataset;
const seen = { seq: Number(place.dataset.seq), characters };

async function compared() {
  if (!before) return "none";
  if (seen.seq === before.seq) return isOf(seen, before.hash) ? "same" : "fork";
  if (seen.seq > before.seq) {
    const { head, how } = await walk(before, seen.seq);
    if (head.seq === seen.seq) return isOf(seen, head.hash) ? "newer" : "fork";
    return how === "other" ? "fork" : "beyond";
  }
  // The other phone's code has only a part of its hash. The server sends the rest, and the chain from there must lead
  // to what this phone saw.
  if (!isOf(seen, hash)) return "fork";
  const { head, how } = await walk({ seq: seen.seq, hash }, before.seq);
  if (how === "other" || (head.seq === before.seq && head.hash !== before.hash)) return "fork";
  return head.seq === before.seq ? "older" : ""; // the server lost entries: heads.js warns about that
}

const state = await compared().catch(() => "offline");
for (const part of place.querySelectorAll("[data-state]")) part.hidden = part.dataset.state !== state;
place.classList.toggle("calm", !["fork", "beyond"].includes(state));
if (before) {
  for (const part of document.querySelectorAll(".mine")) part.hidden = false;
  the("dd.mine").textContent = codeOf(before);
  if (state === "fork") show({ how: "fork", mine: codeOf(before), theirs: written });
}

// Keys for the replay of a round: ← and → step through its moves, Home and End go to its beginning and end. The page
// may be renewed meanwhile, so the links are looked up when a key is pressed.

import { the } from "../shared/facts.js";

document.addEventListener("keydown", (event) => {
  const { altKey, ctrlKey, metaKey, shiftKey } = event;
  if (altKey || ctrlKey || metaKey || shiftKey || event.target.closest("input, select, textarea, dialog")) return;
  const steps = the(".steps");
  const back = steps.querySelector("[rel=prev]")?.href;
  const on = steps.querySelector("[rel=next]")?.href;
  const { first, last } = steps.dataset;
  const there = { ArrowLeft: back, ArrowRight: on, Home: back && first, End: on && last }[event.key];
  if (!there) return;
  event.preventDefault();
  location.assign(there);
});

// The keys of a grid are one stop of the Tab key. Within it the arrow keys move: left and right by card, up and down by
// rank. Without this script each key is a stop.

/** @type {Record<string, number>} */
const STEPS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };
/** @type {Part | null} */
let last = null; // the key that had the focus last

/** @param {Element | null} grid @returns {Part[]} */
const keysOf = (grid) => [...(grid?.querySelectorAll("[name=cards]") ?? [])];

// Make one key of each grid the stop: the last one with the focus, or the next that can still be chosen.
export function draw() {
  for (const grid of document.querySelectorAll("main .grid")) {
    const keys = keysOf(grid);
    const from = Math.max(keys.findIndex((key) => key === last), 0);
    const stop = [...keys.slice(from), ...keys].find((key) => !key.disabled);
    for (const key of keys) {
      const index = key === stop ? 0 : -1;
      if (key.tabIndex !== index) key.tabIndex = index;
    }
  }
}

document.addEventListener("focusin", ({ target }) => {
  if (!target.matches(".grid [name=cards]")) return;
  last = target;
  draw();
});

document.addEventListener("keydown", (event) => {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (!(key in STEPS) || !target.matches?.(".grid [name=cards]")) return;
  event.preventDefault();
  const keys = keysOf(target.closest(".grid"));
  const at = keys.indexOf(target);
  const ahead = STEPS[key] > 0 ? keys.slice(at + 1) : keys.slice(0, at).reverse();
  const [rank, suit] = target.value;
  /** @param {Part} one */
  const fits = ({ value }) => /Left|Right/.test(key) || (value[1] === suit && value[0] !== rank);
  ahead.find((one) => !one.disabled && fits(one))?.focus();
});

document.addEventListener("renewed", draw);
draw();

// Only players who sit in a round may lead it.

/** @param {Part | null} form */
function draw(form) {
  /** @param {string} name */
  const named = (name) => [...(form?.elements ?? [])].filter((one) => one.name === name);
  const seats = named("seats").map(({ value }) => value).filter(Boolean);
  for (const one of named("leader")) {
    const label = one.closest("label");
    const stands = Boolean(one.value) && seats.length > 0 && !seats.includes(one.value);
    if (label) label.hidden = stands;
    if (stands) one.checked = false;
  }
}

const drawAll = () => document.querySelectorAll("form:has([name=leader])").forEach(draw);
document.addEventListener("change", ({ target }) => target.name === "seats" && draw(target.form));
document.addEventListener("renewed", drawAll);
drawAll();

// Only players who sit in a round may lead it.

/** @param {Part} form */
function draw(form) {
  /** @type {any} */
  const { elements } = form;
  /** @param {string} name @returns {Part[]} */
  const named = (name) => [...elements].filter((one) => one.name === name);
  const seats = named("seats").map(({ value }) => value).filter(Boolean);
  for (const one of named("leader")) {
    one.closest("label").hidden = Boolean(one.value) && seats.length > 0 && !seats.includes(one.value);
    if (one.closest("label").hidden) one.checked = false;
  }
}

const drawAll = () => document.querySelectorAll("form:has([name=leader])").forEach(draw);
document.addEventListener("change", ({ target }) => target.name === "seats" && draw(target.form));
document.addEventListener("renewed", drawAll);
drawAll();

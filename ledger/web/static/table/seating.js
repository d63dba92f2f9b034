// Only players who sit in a round may lead it.

/** @param {ParentNode} form */
function draw(form) {
  const seats = [...form.querySelectorAll("[name=seats]")].map(({ value }) => value).filter(Boolean);
  const leaders = [...form.querySelectorAll("[name=leader]")];
  for (const one of leaders) {
    one.closest("label").hidden = Boolean(one.value) && seats.length > 0 && !seats.includes(one.value);
    if (one.closest("label").hidden) one.checked = false;
  }
}

const drawAll = () => document.querySelectorAll("form:has([name=seats])").forEach(draw);
document.addEventListener("change", ({ target }) => target.name === "seats" && draw(target.form));
document.addEventListener("renewed", drawAll);
drawAll();

// Only players who sit in a round may lead it. Its factor is passed on to the page that enters only its result.

import { timesOf } from "../shared/pressed.js";
import { fieldsOf } from "../shared/facts.js";

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

/** @param {Part | null} form */
function passOn(form) {
  const link = form?.querySelector("a[href*='/result']");
  if (!link) return;
  const { times } = timesOf(fieldsOf(form));
  link.href = link.href.replace(/\?.*|$/, times ? `?times=${times}` : "");
}

const drawAll = () => document.querySelectorAll("form:has([name=leader])").forEach(draw);
document.addEventListener("change", ({ target }) => target.name === "seats" && draw(target.form));
document.addEventListener("change", ({ target }) => target.name === "times" && passOn(target.form));
document.addEventListener("renewed", drawAll);
drawAll();

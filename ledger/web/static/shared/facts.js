// What the server puts into a page: its elements, and the data of a form as JSON, parsed once, and again when the page
// is renewed.

/**
 * The element that a selector finds; an error if the page lacks it.
 * @param {string} selector
 * @param {ParentNode | null} within
 */
export function the(selector, within = document) {
  const found = within?.querySelector(selector);
  if (!found) throw new Error(`no ${selector}`);
  return found;
}

/** @param {Element | null} form */
export function fieldsOf(form) {
  if (!(form instanceof HTMLFormElement)) throw new TypeError("no form");
  return new FormData(form);
}

const known = new WeakMap(); // form -> {text, facts}

/** @template Facts @param {Element | null} form @returns {Facts | null} null without data or form */
export function factsOf(form) {
  const text = form?.querySelector("script[type='application/json']")?.textContent;
  if (!form || !text) return null;
  if (known.get(form)?.text !== text) known.set(form, { text, facts: JSON.parse(text) });
  return known.get(form).facts;
}

/** @returns {TableFacts | null} of the table on the page */
export const tableFacts = () => factsOf(document.querySelector("main form.record"));

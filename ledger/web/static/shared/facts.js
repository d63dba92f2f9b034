// The data that the server puts into a form as JSON, parsed once, and again when the page is renewed.

const known = new WeakMap(); // form -> {text, facts}

/**
 * @param {Element} form
 * @returns {any} null without data or form
 */
export function factsOf(form) {
  const text = form?.querySelector("script[type='application/json']")?.textContent;
  if (!text) return null;
  if (known.get(form)?.text !== text) known.set(form, { text, facts: JSON.parse(text) });
  return known.get(form).facts;
}

/** @returns {TableFacts} of the table on the page, or null */
export const tableFacts = () => factsOf(document.querySelector("main form.record"));

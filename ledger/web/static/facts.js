// What the server says of a form, in the one object that it writes beside the fields. Of a page that came anew, anew.

const known = new WeakMap(); // form -> {text, facts}

/**
 * @param {Element} form
 * @returns {any} null where nothing is said, or there is no form
 */
export function factsOf(form) {
  const text = form?.querySelector("script[type='application/json']")?.textContent;
  if (!text) return null;
  if (known.get(form)?.text !== text) known.set(form, { text, facts: JSON.parse(text) });
  return known.get(form).facts;
}

/** @returns {TableFacts} of the table on the page, or null */
export const tableFacts = () => factsOf(document.querySelector("main form.record"));

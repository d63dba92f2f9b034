// What a tab remembers as it goes from page to page. Storage may be denied: then nothing is remembered.

/** @param {string} place @param {unknown} what */
export function remember(place, what) {
  try {
    sessionStorage.setItem(place, JSON.stringify(what));
  } catch {
    // Then it is lost with the page.
  }
}

/** @param {string} place @returns {any} null if nothing is remembered there */
export function remembered(place) {
  try {
    return JSON.parse(sessionStorage.getItem(place) ?? "null");
  } catch {
    return null;
  }
}

// `fetch` with a timeout for the whole answer; throws if it is exceeded.

const PATIENCE = 10_000;

/** @param {string} address @param {RequestInit} options */
export function ask(address, options) {
  const patience = new AbortController();
  setTimeout(() => patience.abort(), PATIENCE);
  return fetch(address, { ...options, signal: patience.signal });
}

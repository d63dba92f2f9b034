// Asking the server, for as long as somebody would wait: throws where there is no whole answer by then.

const PATIENCE = 10_000;

/** @param {string} address @param {RequestInit} options */
export function ask(address, options) {
  const patience = new AbortController();
  setTimeout(() => patience.abort(), PATIENCE);
  return fetch(address, { ...options, signal: patience.signal });
}

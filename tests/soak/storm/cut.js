// Make all requests fail at once, or end that. A request held by a route would still go out once its tab closes.
(cut) => {
  window.network ??= window.fetch;
  window.fetch = cut ? () => Promise.reject(new TypeError("cut")) : window.network;
}

// Showing an entry takes the phone longer than the time between two taps.
() => document.addEventListener("queue", () => {
  for (const until = performance.now() + 300; performance.now() < until; );
})

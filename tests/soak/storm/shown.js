// The state of a round on the page, for comparison: whose turn it is, and the cards played.
() => [
  document.querySelector(".say .turn")?.textContent,
  ...[...document.querySelectorAll("[name=cards]:disabled")].map((key) => key.value),
]

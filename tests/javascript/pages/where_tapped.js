// The controls of a form that are seen: what each says, and how high up on the screen it is.
() => [...document.querySelectorAll("main form :is(button, .key, .seat, .pick)")]
  .map((one) => [one.innerText.trim(), one.getBoundingClientRect(), new DOMMatrix(getComputedStyle(one).transform).d])
  .filter(([, box]) => box.height && box.top < innerHeight)
  // A button that is pressed is drawn smaller.
  .map(([text, { top, height }, scale]) => [text, Math.round(top - (height / scale - height) / 2)])

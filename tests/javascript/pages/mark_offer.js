// Mark an offer that ends left of the end of the button under the offers.
() => {
  const edge = document.querySelector("button[value=pass-all]").getBoundingClientRect().right;
  const offers = [...document.querySelectorAll("[data-offer]")];
  offers.find((one) => one.getBoundingClientRect().right < edge).dataset.above = "";
}

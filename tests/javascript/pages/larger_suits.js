() => {
  const button = document.querySelector(".actions button.main");
  const sizeOf = (one) => parseFloat(getComputedStyle(one).fontSize);
  const [whole, suit] = [sizeOf(button), sizeOf(button.querySelector(".suit"))];
  if (suit <= 1.25 * whole) throw new Error(`suits of ${suit} px among letters of ${whole} px`);
  if (button.scrollHeight > button.clientHeight) throw new Error("they are cut");
}

() => {
  const button = document.querySelector(".actions button.main");
  const [whole, suit] = [button, button.querySelector(".suit")].map((one) => parseFloat(getComputedStyle(one).fontSize));
  if (suit <= 1.25 * whole) throw new Error(`suits of ${suit} px among letters of ${whole} px`);
  if (button.scrollHeight > button.clientHeight) throw new Error("they are cut");
}

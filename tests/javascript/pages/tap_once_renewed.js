// As soon as other rows are drawn, tap in the middle of where the element is now: with a finger ("touch"), by assistive
// technology (""), or in an older browser, which does not tell (undefined).
([selector, pointerType]) => {
  const { left, right, top, bottom } = document.querySelector(selector).getBoundingClientRect();
  const [clientX, clientY] = [(left + right) / 2, (top + bottom) / 2];
  const rows = () => document.querySelectorAll(".pile li").length;
  const before = rows();
  const tap = () => {
    if (rows() === before) return;
    document.removeEventListener("renewed", tap);
    const there = document.elementFromPoint(clientX, clientY);
    const at = { clientX, clientY, bubbles: true, cancelable: true };
    const isOld = pointerType === undefined;
    there.dispatchEvent(isOld ? new MouseEvent("click", at) : new PointerEvent("click", { ...at, pointerType }));
  };
  document.addEventListener("renewed", tap);
}

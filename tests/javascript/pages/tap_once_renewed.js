// As soon as other rows are drawn, tap in the middle of where the element is now.
(selector) => {
  const { left, right, top, bottom } = document.querySelector(selector).getBoundingClientRect();
  const [clientX, clientY] = [(left + right) / 2, (top + bottom) / 2];
  const rows = () => document.querySelectorAll(".pile li").length;
  const before = rows();
  const tap = () => {
    if (rows() === before) return;
    document.removeEventListener("renewed", tap);
    const there = document.elementFromPoint(clientX, clientY);
    there.dispatchEvent(new MouseEvent("click", { clientX, clientY, bubbles: true, cancelable: true }));
  };
  document.addEventListener("renewed", tap);
}

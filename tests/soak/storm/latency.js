// Note when a tap is made, drawn and recorded, and when an entry is shown.
() => {
  window.times = [];
  window.shown = {};
  const now = () => performance.timeOrigin + performance.now();
  const seq = () => Number(document.querySelector(".proof").dataset.seq);
  let last = seq();
  const frame = (act) => requestAnimationFrame(() => requestAnimationFrame(act));
  document.addEventListener("click", (event) => {
    if (!event.target.closest(".actions button")) return;
    const time = { tapped: now() };
    times.push(time);
    frame(() => { if (document.querySelector(".waiting") || seq() > last) time.drawn = now(); });
  }, true);
  document.addEventListener("queue", ({ detail }) => {
    if (detail?.recorded && times.length) times.at(-1).recorded ??= now();
  });
  document.addEventListener("renewed", () => {
    last = seq();
    shown[last] ??= now();
  });
}

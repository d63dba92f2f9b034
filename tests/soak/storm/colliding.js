// Note when an entry is shown, and when the last button was tapped.
() => {
  window.shown = {};
  const foot = document.querySelector(".proof");
  new MutationObserver(() => (shown[foot.dataset.after] ??= performance.now())).observe(foot, { attributes: true });
  addEventListener("click", (event) => event.target.closest("button") && (window.tapped = event.timeStamp), true);
}

// Note how many milliseconds each tap that records takes until its entry is drawn, through page loads.
const drawn = JSON.parse(sessionStorage.drawn ?? "[]");
addEventListener("click", ({ target, timeStamp }) => {
  if (!target.closest(".actions button")) return;
  requestAnimationFrame(() => requestAnimationFrame((now) => {
    drawn.push(now - timeStamp);
    sessionStorage.drawn = JSON.stringify(drawn);
  }));
}, true);

// Share the lines by the phone's share sheet. Without one (plain HTTP, most desktops) the button is hidden, and the
// lines can be copied.

for (const button of document.querySelectorAll("[data-share]")) {
  const text = button.closest(".copy")?.querySelector("textarea")?.value;
  if (!navigator.canShare?.({ text })) continue;
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      await navigator.share({ text });
    } catch (error) {
      if (!(error instanceof Error) || error.name !== "AbortError") throw error; // closed without choosing an app
    }
  });
}

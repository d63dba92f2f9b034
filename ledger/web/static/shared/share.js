// Share lines, or a link, by the phone's share sheet. Without one (plain HTTP, most desktops) the button is hidden, and
// the text can be copied.

for (const button of document.querySelectorAll("[data-share]")) {
  const field = button.closest(".copy")?.querySelector("textarea, input");
  if (!field) continue;
  const shared = field.matches("input") ? { url: field.value } : { text: field.value };
  if (!navigator.canShare?.(shared)) continue;
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      await navigator.share(shared);
    } catch (error) {
      if (!(error instanceof Error) || error.name !== "AbortError") throw error; // closed without choosing an app
    }
  });
}

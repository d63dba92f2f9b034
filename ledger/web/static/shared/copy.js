// Copy a link with one tap. Without access to the clipboard (plain HTTP, a browser within another app), the link is
// only selected.

for (const button of document.querySelectorAll("[data-copy]")) {
  const field = /** @type {Part | null} */ (button.previousElementSibling);
  if (!field) continue;
  field.addEventListener("focus", () => field.select());
  button.hidden = false;
  button.addEventListener("click", async () => {
    field.focus();
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      button.textContent = button.dataset.done;
    } catch {
      // It stays selected.
    }
  });
}

// Show which features this browser lacks on pages that are not secure. Nothing else depends on it.

for (const line of document.querySelectorAll("#lacking [data-lacks]")) line.hidden = line.dataset.lacks in navigator;
document.querySelector("#lacking")?.toggleAttribute("hidden", isSecureContext);

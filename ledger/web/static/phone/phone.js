// Show which features this browser lacks on pages that are not secure. Nothing else depends on it.

const lacking = document.querySelector("#lacking");

for (const line of lacking.querySelectorAll("[data-lacks]")) line.hidden = line.dataset.lacks in navigator;
lacking.hidden = isSecureContext;

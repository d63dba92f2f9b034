// What a browser does not give to a page that it does not take for secure: said, and nothing else depends on it.

const lacking = document.querySelector("#lacking");

for (const line of lacking.querySelectorAll("[data-lacks]")) line.hidden = line.dataset.lacks in navigator;
lacking.hidden = isSecureContext;

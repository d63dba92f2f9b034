// Another entry was chosen: the form shows what is recorded of it. Without this, its button does.

const form = document.querySelector("form");
const button = form.querySelector("button[value=edit]");

form.elements.target.addEventListener("change", () => form.requestSubmit(button));
button.hidden = true;

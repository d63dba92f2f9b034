// Another entry was chosen: the form shows what is recorded of it. Without this, its button does.

const target = document.querySelector("select[name=target]");
const button = target.form.querySelector("button[value=edit]");

target.addEventListener("change", () => button.click());
button.hidden = true;

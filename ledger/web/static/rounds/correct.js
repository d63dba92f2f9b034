// When another entry is chosen, load its recorded fields into the form. Without this script a button does so.

const target = document.querySelector("select[name=target]");
const button = target?.form?.querySelector("button[value=edit]");

target?.addEventListener("change", () => button?.click());
if (button) button.hidden = true;

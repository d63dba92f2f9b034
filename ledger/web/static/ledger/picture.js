// The board as a picture for a chat, shared by the phone's share sheet. Without one (plain HTTP, most desktops) the
// picture is shown for saving.

import { the } from "../shared/facts.js";
import { draw } from "./drawing.js";

/** @param {string} address @param {string} name */
function fileOf(address, name) {
  const bytes = Uint8Array.from(atob(address.split(",")[1]), (letter) => letter.charCodeAt(0));
  return new File([bytes], name, { type: "image/png" });
}

/** @param {Part | null} place @param {string} address @param {string} name */
function show(place, address, name) {
  const fresh = the("template", place).content.cloneNode(true);
  the("img", fresh).src = address;
  Object.assign(the("a", fresh), { href: address, download: name });
  place?.querySelector("figure")?.remove();
  place?.append(fresh);
  the("figure", place).scrollIntoView({ block: "nearest" });
}

document.documentElement.classList.add("draws");
document.addEventListener("click", async ({ target }) => {
  const button = target.closest("[data-picture]");
  if (!button) return;
  const picture = JSON.parse(button.dataset.picture);
  const address = draw(picture, button.dataset).toDataURL("image/png");
  const files = [fileOf(address, picture.file)];
  if (navigator.canShare?.({ files })) {
    try {
      return await navigator.share({ files });
    } catch (error) {
      if (error instanceof Error && error.name === "AbortError") return; // closed without choosing an app
    }
  }
  show(button.parentElement, address, picture.file);
});

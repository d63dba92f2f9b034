// The list of rules, made shorter: by what is searched for, and by how many players have been named. Beside each house
// rule and way of paying stands whether it would change anything under the chosen rules. All of it is said by the
// server without this too. Without this the night is of the server's day; with it, of the phone's.

const presets = [...document.querySelectorAll(".presets .choice")];
const names = [...document.querySelectorAll("[name=players]")];
const switches = [...document.querySelectorAll(".switch[data-idle]")];
const search = document.querySelector("#search");
const none = document.querySelector("#none");
const notes = document.querySelector("#notes").dataset;

/** @param {string} text */
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").replace(/đ/gi, "d").toLowerCase();

function shorten() {
  const wanted = plain(search.value).split(/[\s,]+/).filter(Boolean);
  const named = names.filter((name) => name.value.trim()).length;
  let shown = 0;
  for (const preset of presets) {
    const words = plain(preset.dataset.words);
    const fits = named < 2 || Number(preset.dataset.players) <= named;
    const found = wanted.every((word) => words.includes(word));
    preset.hidden = !(preset.querySelector("input").checked || (fits && found));
    shown += found && fits ? 1 : 0;
  }
  // What is looked for may be any of them.
  if (wanted.length) document.querySelector(".presets details").open = true;
  none.textContent = shown ? "" : none.dataset.none;
}

function note() {
  const chosen = document.querySelector("[name=ruleset]:checked")?.value;
  for (const one of switches) {
    one.querySelector("small")?.remove();
    const words = JSON.parse(one.dataset.refused)[chosen];
    if (!words && !one.dataset.idle.split(" ").includes(chosen)) continue;
    const small = document.createElement("small");
    small.textContent = words ? ` – ${notes.refused}: ${words}` : ` – ${notes.idle}`;
    one.querySelector("span").append(small);
  }
}

search.parentElement.hidden = false;
search.addEventListener("input", shorten);
// Enter searches, and does not open a table half filled in.
search.addEventListener("keydown", (event) => event.key === "Enter" && event.preventDefault());
for (const name of names) name.addEventListener("input", shorten);
for (const preset of presets) preset.addEventListener("change", () => (shorten(), note()));
shorten();
note();

// What the phone's clock is ahead of UTC: +07:00.
const ahead = -new Date().getTimezoneOffset();
/** @param {number} number */
const two = (number) => String(Math.trunc(Math.abs(number))).padStart(2, "0");
document.querySelector("[name=zone]").value = `${ahead < 0 ? "-" : "+"}${two(ahead / 60)}:${two(ahead % 60)}`;

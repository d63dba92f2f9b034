// Show recorded times in this phone's time zone instead of the server's. Today's need no day.

const vietnamese = document.documentElement.lang === "vi";
/** @param {number} number */
const two = (number) => String(number).padStart(2, "0");
/** @param {Date} at */
const minuteOf = (at) => [at.getHours(), at.getMinutes()].map(two).join(":");
/** @param {Date} at */
const timeOf = (at) => `${minuteOf(at)}:${two(at.getSeconds())}`;

/** @param {Date} at */
function dayOf(at) {
  if (vietnamese) return `${two(at.getDate())}/${two(at.getMonth() + 1)}`;
  return `${at.getDate()} ${at.toLocaleDateString("en", { month: "short" })}`;
}

export function tell() {
  const today = new Date().toDateString();
  for (const time of document.querySelectorAll("time[datetime]")) {
    const at = new Date(time.dateTime);
    const day = "day" in time.dataset && (time.dataset.day || at.toDateString() !== today);
    time.textContent = ("minute" in time.dataset ? minuteOf(at) : timeOf(at)) + (day ? `, ${dayOf(at)}` : "");
  }
}

document.addEventListener("renewed", tell);
tell();

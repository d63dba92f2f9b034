// The phone's own voice, in which what is recorded is said where the phone is set so. Voices that need the network are
// not used.

const { lang, dataset } = document.documentElement;
const speech = "speechSynthesis" in window ? speechSynthesis : null;
const voice = () => speech?.getVoices().find((one) => one.localService && one.lang.startsWith(lang));

/** @param {string} text */
export function readAloud(text) {
  const found = "speaks" in dataset && text && voice();
  if (found) speech.speak(Object.assign(new SpeechSynthesisUtterance(text), { lang, voice: found }));
}

// Some phones let a page speak only once a tap has made it speak.
addEventListener("click", () => readAloud(" "), { once: true });

// Whether there is a voice is known once the browser has looked for all of them.
const lacking = document.querySelector("#voiceless");
const look = () => (lacking.hidden = Boolean(voice()));
if (lacking) {
  look();
  speech?.addEventListener("voiceschanged", look);
}

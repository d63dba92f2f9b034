// Reads entries aloud by speech synthesis, if the phone is set so. Voices that need the network are not used.

const { lang, dataset } = document.documentElement;
const speech = "speechSynthesis" in window ? speechSynthesis : null;
const voice = () => speech?.getVoices().find((one) => one.localService && one.lang.startsWith(lang));

/** @param {string} text */
export function readAloud(text) {
  const found = "speaks" in dataset && text && voice();
  if (found) speech?.speak(Object.assign(new SpeechSynthesisUtterance(text), { lang, voice: found }));
}

// Some phones allow speech only after a tap has started some.
addEventListener("click", () => readAloud(" "), { once: true });

// Browsers load their list of voices asynchronously; Safari says so since version 16.
const lacking = document.querySelector("#voiceless");
if (lacking) {
  const look = () => (lacking.hidden = Boolean(voice()));
  look();
  speech?.addEventListener?.("voiceschanged", look);
}

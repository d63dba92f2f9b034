// A browser with a Vietnamese and an English voice on the phone, and one that is remote.
() => {
  window.spoken = [];
  window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
  SpeechSynthesis.prototype.getVoices = () => [
    { lang: "vi-VN", localService: false, name: "far" },
    ...["vi_VN", "en-GB"].map((lang) => ({ lang, localService: true, name: "near" })),
  ];
  SpeechSynthesis.prototype.speak = ({ lang, text, voice }) =>
    text.trim() && window.spoken.push(`${voice.name} ${lang}: ${text}`);
}

() => {
  const { night } = document.querySelector(".proof").dataset;
  const entry = { id: "broken", night, place: 1, body: "{", told: {}, seq: null };
  localStorage.setItem(`tienlen entry ${night} broken`, JSON.stringify(entry));
}

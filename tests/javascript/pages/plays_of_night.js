// The plays of the page's night as the server has them: each a seat and its cards.
async () => {
  const { log } = document.querySelector(".proof").dataset, entries = [];
  for (;;) {
    const { events, seq } = await (await fetch(`${log}?after=${entries.length}`)).json();
    entries.push(...events.map(({ body }) => JSON.parse(body)));
    if (entries.length === seq) break;
  }
  return entries.flatMap(({ parts }) => parts).filter(({ kind }) => kind === "play")
    .map(({ player, cards }) => [player, ...cards]);
}

// For every case, whether a phone that has seen a head finds fault with the answer of a server.
async (cases) => {
  const foot = document.querySelector(".proof");
  const answers = {};
  window.fetch = async (address) => {
    const asked = new URLSearchParams(address.split("?")[1]);
    const { events, ...head } = answers.now ?? {};
    const after = Number(asked.get("after"));
    const since = events?.filter((each) => each.seq > after).slice(0, Number(asked.get("limit")));
    return { ok: Boolean(answers.now), status: 503, json: async () => ({ ...head, events: since }) };
  };
  const found = [];
  for (const { night, seen, answer } of cases) {
    foot.dataset.night = night;
    answers.now = answer;
    const { walk } = await import(`/proof/heads.js?${night}`);
    const run = await walk(seen).catch(() => ({}));
    found.push(Boolean(run.how));
  }
  return found;
}

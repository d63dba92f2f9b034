// How many pages of a night, without its table, the service worker keeps once it has kept the newest and made room.
async ([night, newest, most]) => {
  let kept = [];
  for (let looks = 100; looks && (kept.at(-1) !== newest || kept.length > most); looks--) {
    await new Promise((done) => setTimeout(done, 50));
    const keys = await (await caches.open("pages")).keys();
    kept = keys.map(({ url }) => url.split(`${night}/`)[1]).filter(Boolean);
  }
  return kept.length;
}

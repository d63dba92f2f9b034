// Whether the service worker keeps so many pages of a night, without its table.
async (night) => {
  const kept = await (await caches.open("pages")).keys();
  return kept.filter(({ url }) => url.startsWith(`${night}/`)).length === 40;
}

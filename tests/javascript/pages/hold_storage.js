// Keep IndexedDB busy, so that no write completes while the page is open, as on a slow disk.
() => new Promise((held) => {
  const opening = indexedDB.open("tienlen", 1);
  opening.onsuccess = () => {
    const store = opening.result.transaction("entries", "readwrite").objectStore("entries");
    const again = () => (store.get(["", ""]).onsuccess = again);
    again();
    held();
  };
})

// Keep the phone's storage busy three quarters of the time.
() => setInterval(() => {
  const opening = indexedDB.open("tienlen", 1);
  opening.onupgradeneeded = () => opening.transaction.abort();
  opening.onsuccess = () => {
    const store = opening.result.transaction("entries", "readwrite").objectStore("entries");
    const until = performance.now() + 300;
    const again = () => performance.now() < until && (store.get(["", ""]).onsuccess = again);
    again();
  };
}, 400)

// A phone whose IndexedDB does not open until `release()` is called, as on a busy phone.
() => {
  const open = IDBFactory.prototype.open;
  const released = new Promise((release) => (window.release = release));
  IDBFactory.prototype.open = function (...what) {
    const asked = {};
    released.then(() => {
      const request = open.apply(this, what);
      for (const event of ["onupgradeneeded", "onsuccess", "onerror"])
        request[event] = (...happened) => {
          asked.result = request.result;
          asked[event]?.(...happened);
        };
    });
    return asked;
  };
}

// Let every other entry not fit into the phone's storage.
() => {
  const put = IDBObjectStore.prototype.put;
  IDBObjectStore.prototype.put = function (...what) {
    const request = put.apply(this, what);
    if (Math.random() < 0.5) this.transaction.abort();
    return request;
  };
}

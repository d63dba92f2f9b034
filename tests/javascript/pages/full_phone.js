// A phone that has no room for anything while `window.full` is set.
() => {
  const put = IDBObjectStore.prototype.put;
  IDBObjectStore.prototype.put = function (...what) {
    const request = put.apply(this, what);
    if (window.full) this.transaction.abort();
    return request;
  };
  const set = Storage.prototype.setItem;
  Storage.prototype.setItem = function (...what) {
    if (window.full) throw new DOMException("full", "QuotaExceededError");
    return set.apply(this, what);
  };
}

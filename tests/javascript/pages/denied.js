// A phone that denies every storage to its pages.
() => {
  for (const storage of ["indexedDB", "localStorage", "sessionStorage"])
    Object.defineProperty(window, storage, { get() { throw new Error("denied"); } });
}

// Lay the page out in this family, or in its own.
(family) => {
  document.documentElement.style.fontFamily = family;
  dispatchEvent(new Event("resize"));  // what a page measures, it measures again
}

// The lines that live regions have announced on this page since the last call; the first call begins to listen. What is
// hidden announces nothing, until it is shown.
() => {
  const live = "[role=log], [role=alert], [role=status], [aria-live]";
  const regionOf = (one) => {
    const region = (one instanceof Element ? one : one.parentElement)?.closest(live);
    return region?.getClientRects().length ? region : null;
  };
  const heard = ({ type, target, addedNodes }) => {
    if (type === "attributes") return target.matches(live) ? [target] : [];
    if (regionOf(target)) return type === "characterData" ? [target] : [...addedNodes];
    return [...addedNodes].filter((one) => one instanceof Element && one.matches(live));
  };
  if (!window.announced) {
    const lines = (window.announced = [...document.querySelectorAll("[role=log] > *")].map((one) => one.textContent));
    const about = { subtree: true, childList: true, characterData: true, attributeFilter: ["hidden"] };
    new MutationObserver((changes) => {
      lines.push(...changes.flatMap(heard).filter(regionOf).map((one) => one.textContent));
    }).observe(document.documentElement, about);
  }
  return window.announced.splice(0).map((line) => line.trim().replace(/\s+/g, " ")).filter(Boolean);
}

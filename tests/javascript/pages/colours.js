// The values of the colours with these names, and what the page is drawn in.
(names) => {
  const root = getComputedStyle(document.documentElement), { backgroundColor, color } = getComputedStyle(document.body);
  const values = Object.fromEntries(names.map((name) => [name, root.getPropertyValue(name).trim()]));
  return { ...values, backgroundColor, color };
}

// The values of the colours with these names, and what the page and the hints in its fields are drawn in.
(names) => {
  const root = getComputedStyle(document.documentElement), { backgroundColor, color } = getComputedStyle(document.body);
  const values = Object.fromEntries(names.map((name) => [name, root.getPropertyValue(name).trim()]));
  const field = document.querySelector("[placeholder]"), hint = field && getComputedStyle(field, "::placeholder").color;
  return { ...values, backgroundColor, color, hint };
}

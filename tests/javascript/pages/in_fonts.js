// What each of some functions finds in the page as it is laid out, in its own family, and in others: the family and the
// finding.
(layOut, functions, own, others) => {
  const find = (family) => functions.map((one) => [family, one()]);
  const found = find(own);
  for (const family of others) {
    layOut(family);
    found.push(...find(family));
  }
  layOut("");
  return found;
}

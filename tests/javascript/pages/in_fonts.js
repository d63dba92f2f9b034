// What each of some functions finds when the page is laid out in each of some families: the family and the finding.
(layOut, functions, families) => {
  const found = families.flatMap((family) => {
    layOut(family);
    return functions.map((one) => [family, one()]);
  });
  layOut("");
  return found;
}

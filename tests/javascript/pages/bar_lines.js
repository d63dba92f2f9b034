// Whether the navigation needs a second line.
() => {
  const tops = [...document.querySelectorAll(".bar nav > *")].map((one) => one.offsetTop);
  return new Set(tops).size > 1 ? ["bar"] : [];
}

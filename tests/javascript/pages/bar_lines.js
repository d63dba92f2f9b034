// The number of lines of the navigation.
() => {
  const tops = [...document.querySelectorAll(".bar nav > *")].map((one) => one.offsetTop);
  return new Set(tops).size;
}

// The numbers of drawn tables, each with the length of its bar: from -1 to 1 of what is longest.
() => [...document.querySelectorAll(".gains tbody td, .counts:not(.crossed) tbody td")].map((cell) => {
  const number = Number(cell.innerText.replace("−", "-")), table = cell.closest("table");
  if (table.matches(".counts")) {
    const high = parseFloat(getComputedStyle(cell).backgroundSize.split(" ").at(-1));
    return ["counts", number, high / 30];
  }
  const { width, marginLeft } = getComputedStyle(cell, "::after");
  const { paddingLeft, paddingRight } = getComputedStyle(cell);
  const half = (cell.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)) / 2;
  const side = parseFloat(marginLeft) + parseFloat(width) / 2 < half ? -1 : 1;
  return ["gains", number, (side * parseFloat(width)) / half];
})

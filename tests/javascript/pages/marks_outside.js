() => [...document.querySelectorAll(".key sub")].filter((mark) => {
  const [its, key] = [mark, mark.closest(".key")].map((one) => one.getBoundingClientRect());
  return its.left < key.left + 2 || its.right > key.right - 2 || its.bottom > key.bottom - 1;
}).map((mark) => mark.closest(".key").innerText)

() => [...document.querySelectorAll(".offers button")].filter((one) => {
  const box = one.getBoundingClientRect();
  return one.scrollWidth > one.clientWidth + 1 || box.left < 0 || box.right > innerWidth || box.height < 24;
}).map((one) => one.innerText)

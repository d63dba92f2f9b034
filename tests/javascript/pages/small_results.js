() => [...document.querySelectorAll(".came, [data-result] button.main")]
  .filter((one) => one.getBoundingClientRect().height < 44).map((one) => one.innerText)

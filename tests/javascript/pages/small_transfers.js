() => [...document.querySelectorAll(".transfer button")]
  .filter((one) => one.getBoundingClientRect().height < 44).map((one) => one.innerText)

// Fields on which an iPhone zooms in when they get the focus.
() => {
  const tapped = (one) => ["checkbox", "radio", "hidden"].includes(one.type);
  const small = (one) => parseFloat(getComputedStyle(one).fontSize) < 16;
  const fields = [...document.querySelectorAll("input, select, textarea")];
  return fields.filter((one) => !tapped(one) && small(one)).map((one) => one.outerHTML);
}

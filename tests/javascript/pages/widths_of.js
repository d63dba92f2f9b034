// The width of a text in each of some families, and in the font of a file, which is encoded in base64.
async ([text, families, file, weight]) => {
  const loaded = new FontFace("from a file", `url(data:font/ttf;base64,${file})`, { weight });
  document.fonts.add(await loaded.load());
  const line = document.body.appendChild(document.createElement("span"));
  line.textContent = text;
  // Chromium hints the fonts of files unless it is asked for their exact widths.
  const exact = { fontSize: "100px", textRendering: "geometricPrecision" };
  Object.assign(line.style, { whiteSpace: "nowrap", fontWeight: weight, ...exact });
  const widths = ["'from a file'", ...families].map((family) => {
    line.style.fontFamily = family;
    return line.getBoundingClientRect().width;
  });
  line.remove();
  document.fonts.delete(loaded);
  return widths;
}

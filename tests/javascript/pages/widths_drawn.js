// How wide some texts are altogether, by each of some fonts of a canvas.
([texts, fonts]) => {
  const pen = document.createElement("canvas").getContext("2d");
  return fonts.map((font) => {
    pen.font = font;
    return texts.reduce((sum, text) => sum + pen.measureText(text).width, 0);
  });
}

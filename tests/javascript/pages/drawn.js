async (edge) => {
  const image = document.querySelector(".drawing img");
  await image.decode();
  const size = { width: image.naturalWidth, height: image.naturalHeight };
  const canvas = Object.assign(document.createElement("canvas"), size);
  const pen = canvas.getContext("2d");
  pen.drawImage(image, 0, 0);
  const colours = (x, y, wide, high) => {
    const { data } = pen.getImageData(x, y, wide, high);
    const found = new Set();
    for (let at = 0; at < data.length; at += 4) found.add([...data.slice(at, at + 3)].join(" "));
    return [...found];
  };
  const below = canvas.height - 210;
  return {
    size: [canvas.width, canvas.height],
    edges: [...colours(0, 210, edge, below), ...colours(canvas.width - edge, 210, edge, below)],
    head: colours(0, 0, canvas.width, 200).length,
    rows: colours(edge, 210, canvas.width - 2 * edge, below).length,
  };
}

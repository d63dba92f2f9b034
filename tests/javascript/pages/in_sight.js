// What somebody sees on the screen without scrolling: the sentences, the empty fields by their hints, and what can be
// tapped, by its words; each with its middle. A button is filled if its colour stands out from the page's.
() => {
  const middle = (one) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  };
  const isSeen = (one) => {
    const hit = document.elementFromPoint(...middle(one));
    return Boolean(hit) && (one.contains(hit) || hit.contains(one)) && !one.closest(".unseen");
  };
  const isText = (node) => node.nodeType === Node.TEXT_NODE && node.data.trim();
  const seen = (selector) => [...document.querySelectorAll(selector)].filter(isSeen);
  const light = (one) => {
    const [red, green, blue, alpha = 1] = getComputedStyle(one).backgroundColor.match(/[\d.]+/g).map(Number);
    return alpha ? (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255 : null;
  };
  const page = light(document.body);
  const filled = (one) => one.matches("a, button:enabled") && Math.abs((light(one) ?? page) - page) > 0.4;
  const words = (one) => (one.innerText ?? "").trim().replace(/\s+/g, " ");
  return {
    sentences: seen("main *").filter((one) => [...one.childNodes].some(isText)).map(words),
    fields: seen("input[placeholder]").filter((one) => !one.value).map((one) => [one.placeholder, middle(one)]),
    taps: seen("main a, main button, main label").map((one) => [words(one), filled(one), middle(one)]),
  };
}

// Keep from now on what is animated, and how often the phone vibrates.
() => {
  window.motions = [];
  window.vibrations = 0;
  const { animate } = Element.prototype;
  Element.prototype.animate = function (frames, options) {
    const properties = [...new Set(frames.flatMap(Object.keys))];
    window.motions.push({ what: this.className, milliseconds: options.duration, properties });
    return animate.call(this, frames, options);
  };
  Object.defineProperty(navigator, "vibrate", { value: () => Boolean(++window.vibrations) });
}

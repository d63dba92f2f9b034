// What is wrong with how the focus of the keyboard is shown: at the element that has it, or at each that can; then none
// has it, and the page is at its top.
(each) => {
  const framesOf = (drawn) => {
    const found = [["the screen", { left: 0, top: 0, right: innerWidth, bottom: innerHeight }]];
    for (let one = drawn.parentElement; one !== document.body; one = one.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(one);
      if (overflowX !== "visible" || overflowY !== "visible") found.push([one.className, one.getBoundingClientRect()]);
    }
    return found;
  };
  const faults = (held) => {
    const found = held.matches(":focus-visible") ? [] : ["not shown"];
    // A control that is transparent has its outline at what is drawn for it.
    const clear = getComputedStyle(held).opacity === "0";
    const drawn = clear ? [...held.parentElement.children].find((one) => one.localName !== "input") : held;
    const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(drawn);
    if (outlineStyle === "none" || parseFloat(outlineWidth) < 2) found.push("no outline");
    const box = drawn.getBoundingClientRect();
    const edge = parseFloat(outlineWidth) + parseFloat(outlineOffset);
    for (const [name, { left, top, right, bottom }] of framesOf(drawn)) {
      // Of what is larger, and of a text area, only a part is scrolled to.
      if (box.height > bottom - top || box.width > right - left || held.localName === "textarea") continue;
      const over = Math.max(left - box.left, box.right - right, top - box.top, box.bottom - bottom) + edge;
      if (over > 3) found.push(`${Math.round(over)} px outside of ${name}`);
    }
    for (const { left, top, width, height } of drawn.getClientRects()) {
      const hit = document.elementFromPoint(left + width / 2, top + height / 2);
      const is = !hit || held.contains(hit) || drawn.contains(hit) || hit.closest("label, .key")?.contains(held);
      if (!is) found.push(`under ${hit.className || hit.localName}`);
    }
    const name = (held.getAttribute("aria-label") ?? held.innerText ?? held.name).trim().slice(0, 40);
    return [...new Set(found)].map((fault) => `${held.localName} “${name}”: ${fault}`);
  };
  if (!each) return document.activeElement === document.body ? ["no focus"] : faults(document.activeElement);
  const able = document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']");
  const found = [...able].flatMap((one) => {
    one.focus();
    return document.activeElement === one ? faults(one) : [];
  });
  document.activeElement.blur();
  scrollTo({ top: 0, behavior: "instant" });
  return found;
}

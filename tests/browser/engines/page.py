"""A page in any browser: what journeys do on it and read from it, the same in all engines."""

import json
import time
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, ClassVar, Protocol

from playwright.sync_api import ViewportSize

from tests.browser.engines.reading import Node
from tests.browser.keeper import SAME_TAP
from tests.processes import wait_for

_SEEN = """((selector, text) => [...document.querySelectorAll(selector)].filter((one) =>
  one.getClientRects().length && one.textContent.includes(text)))"""
"""Such elements that are seen, and contain this text."""
_MIDDLE = f"""((selector, text, place) => {{
  const one = {_SEEN}(selector, text)[place];
  if (document.readyState !== "complete" || !one || one.matches(":disabled")) return null;
  const box = one.getBoundingClientRect();
  if (box.top < 0 || box.bottom > innerHeight) one.scrollIntoView({{ block: "center", behavior: "instant" }});
  // The first line of a link that is broken has a middle that belongs to it.
  const {{ left, top, width, height }} = one.getClientRects()[0];
  const at = [left + width / 2, top + height / 2];
  const hit = document.elementFromPoint(...at);
  return hit && (one.contains(hit) || hit.contains(one)) ? at : null;
}})"""
"""The middle of one of them, if a tap there hits it and it is enabled."""


class Page(ABC):
    """One page, on a phone of its own."""

    def __init__(self) -> None:
        self._tapped, self._since = "", 0.0

    # What each engine does in its own way

    @abstractmethod
    def goto(self, address: str) -> None:
        """Open an address, and wait until the page is loaded."""

    @abstractmethod
    def evaluate(self, function: str, argument: object = None) -> Any:
        """What a JavaScript function, awaited, returns in the page: a value of JSON."""

    @abstractmethod
    def touch(self, x: float, y: float) -> None:
        """Tap a point of the screen."""

    @abstractmethod
    def type(self, text: str) -> None:
        """Enter text where the focus is."""

    @abstractmethod
    def set_viewport_size(self, size: ViewportSize) -> None: ...

    @abstractmethod
    def set_dark(self, dark: bool) -> None:
        """Prefer dark colours on this phone, or light ones."""

    @abstractmethod
    def screenshot(self, path: Path) -> None: ...

    @abstractmethod
    def read(self) -> list[Node]:
        """The accessibility tree as it is now, in reading order."""

    @abstractmethod
    def activate(self, node: Node) -> None:
        """Do what assistive technology does with this node when its reader activates it."""

    @abstractmethod
    def press(self, key: str) -> None:
        """Press a key: `Tab`, `Shift+Tab`, `Enter`, `Space`, `ArrowDown`, or a letter."""

    # What follows from that

    def until(self, expression: str, what: str = "") -> Any:
        """Wait until a JavaScript expression, or `what` it stands for, is true; returns its value. Documents may
        replace each other meanwhile."""
        found: list[Any] = []

        def is_true() -> bool:
            try:
                found[:] = [self.evaluate(f"() => {expression}")]
            except Interrupted:
                return False
            return bool(found[0])

        wait_for(is_true, what or expression)
        return found[0]

    def draw(self) -> None:
        """Wait until the page is laid out and drawn as it is now."""
        self.evaluate(
            "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))"
        )

    def tap(self, selector: str, text: str = "", place: int = 0) -> None:
        """Tap the element at this place of those that are seen and contain this text, when it is enabled and
        covered by nothing."""
        which = f"{json.dumps(selector)}, {json.dumps(text)}, {place}"
        if which == self._tapped:
            time.sleep(max(0.0, SAME_TAP / 1000 - (time.monotonic() - self._since)))
        self.touch(*self.until(f"{_MIDDLE}({which})", f"{which} to be tapped"))
        self._tapped, self._since = which, time.monotonic()

    def leave(self, selector: str, text: str = "", place: int = 0) -> None:
        """Tap what leads to another page, and wait for that."""
        began = self.evaluate("() => performance.timeOrigin")
        self.tap(selector, text, place)
        # An empty document may come in between.
        arrived = "document.readyState === 'complete' && Boolean(document.querySelector('main'))"
        self.until(f"performance.timeOrigin !== {began} && {arrived}", "another page")

    def fill(self, selector: str, text: str, place: int = 0) -> None:
        """Replace what a field holds."""
        self.tap(selector, place=place)
        self.until(f'{_SEEN}({json.dumps(selector)}, "")[{place}] === document.activeElement')
        self.evaluate("() => document.activeElement.select()")
        self.type(text)
        self.until(f"document.activeElement.value === {json.dumps(text)}")

    def sees(self, selector: str, text: str = "") -> None:
        """Wait until such an element is seen that contains this text."""
        self.until(f"{_SEEN}({json.dumps(selector)}, {json.dumps(text)}).length", f"{selector} with {text!r}")


class Interrupted(Exception):
    """The page was replaced by another while a function ran in it."""


class Engine(Protocol):
    """A running browser."""

    name: ClassVar[str]

    def page(self, size: tuple[int, int]) -> Page:
        """An empty page on a phone that has no data, reads English, and is as large as this."""

    def errors(self) -> list[str]:
        """What the consoles have reported as errors since the last call: also what a page's policy has refused."""

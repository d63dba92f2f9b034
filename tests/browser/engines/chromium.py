"""Chromium, driven by Playwright."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, ClassVar

from playwright.sync_api import Browser, ConsoleMessage, Error, ViewportSize
from playwright.sync_api import Page as Driven

from tests.browser.engines.page import Interrupted, Page
from tests.browser.engines.reading import Node, node
from tests.browser.phones import resize, shut


class Chromium:
    """A running Chromium, as an engine; its owner ends it."""

    name: ClassVar[str] = "Chromium"

    def __init__(self, browser: Browser) -> None:
        self._browser, self._errors = browser, list[str]()
        self._driven: list[Driven] = []

    def page(self, size: tuple[int, int]) -> Page:
        context = self._browser.new_context(has_touch=True, locale="en-GB", reduced_motion="reduce")
        page = context.new_page()
        resize(page, size)
        page.on("pageerror", lambda error: self._errors.append(str(error)))
        page.on("console", self._hear)
        self._driven.append(page)
        return _Page(page)

    def _hear(self, message: ConsoleMessage) -> None:
        # A refusal is an answer: the page says why.
        if message.type == "error" and "a status of 422" not in message.text:
            self._errors.append(message.text)

    def errors(self) -> list[str]:
        for page in self._driven:
            page.wait_for_timeout(0)  # Playwright passes on what it has heard only when it is called
        found, self._errors = self._errors, []
        return found

    def close(self) -> None:
        for page in self._driven:
            shut(page)
            page.context.close()


@contextmanager
def running_chromium(browser: Browser) -> Iterator[Chromium]:
    """A browser that Playwright has started, as an engine."""
    with closing(Chromium(browser)) as engine:
        yield engine


class _Page(Page):
    def __init__(self, driven: Driven) -> None:
        super().__init__()
        self._driven = driven
        self._session = driven.context.new_cdp_session(driven)

    def goto(self, address: str) -> None:
        self._driven.goto(address)

    def evaluate(self, function: str, argument: object = None) -> Any:
        try:
            return self._driven.evaluate(function, argument)
        except Error as error:
            if "context was destroyed" in error.message or "navigation" in error.message:
                raise Interrupted from error
            raise

    def touch(self, x: float, y: float) -> None:
        self._driven.touchscreen.tap(x, y)

    def type(self, text: str) -> None:
        self._driven.keyboard.insert_text(text)

    def set_viewport_size(self, size: ViewportSize) -> None:
        self._driven.set_viewport_size(size)
        self.draw()

    def set_dark(self, dark: bool) -> None:
        self._driven.emulate_media(color_scheme="dark" if dark else "light")

    def screenshot(self, path: Path) -> None:
        self._driven.screenshot(path=path)

    def read(self) -> list[Node]:
        return [*self._each(self._ask("Accessibility.getFullAXTree")["nodes"])]

    def _each(self, nodes: list[dict[str, Any]]) -> Iterator[Node]:
        by_id, waiting = {one["nodeId"]: one for one in nodes}, [nodes[0]["nodeId"]]
        while waiting:
            one = by_id.get(waiting.pop())
            if one is None:
                continue
            waiting += reversed(one.get("childIds", ()))
            if not one["ignored"]:
                states = [
                    state["name"]
                    for state in one.get("properties", ())
                    if state["value"].get("value") in (True, "true")
                ]
                name, role = (one.get(part, {}).get("value") for part in ("name", "role"))
                yield node(role, name, states, one.get("backendDOMNodeId"))

    def activate(self, node: Node) -> None:
        found = self._ask("DOM.resolveNode", backendNodeId=node.handle)["object"]["objectId"]
        does = "function () { this.focus(); this.click(); }"
        self._ask("Runtime.callFunctionOn", objectId=found, functionDeclaration=does)

    def press(self, key: str) -> None:
        self._driven.keyboard.press(key)

    def _ask(self, method: str, **parameters: object) -> Any:
        return self._session.send(method, parameters)

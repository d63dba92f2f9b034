"""Firefox, driven by its own protocol, Marionette: JSON over TCP, each message after its length and a colon."""

import json
import shutil
import socket
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedRWPair
from pathlib import Path
from typing import Any, ClassVar

import pytest
from playwright.sync_api import ViewportSize

from tests import processes
from tests.browser import fonts
from tests.browser.engines.page import Interrupted, Page
from tests.browser.engines.reading import Node, node
from tests.ports import free_port

_PREFERENCES = {
    "dom.w3c_touch_events.enabled": 1,
    "intl.accept_languages": "en-GB",
    "layout.css.prefers-color-scheme.content-override": 1,
    "security.sandbox.content.read_path_whitelist": f"{fonts.CONFIGURATION.parent}/",
    "ui.prefersReducedMotion": 1,
    "ui.useOverlayScrollbars": 1,
}
_OPEN = """
const [place] = arguments, window = Services.wm.getMostRecentWindow("navigator:browser");
const triggeringPrincipal = Services.scriptSecurityManager.getSystemPrincipal();
const tab = window.gBrowser.addTab("about:blank", { userContextId: place, triggeringPrincipal });
const opened = window.gBrowser.replaceTabWithWindow(tab);
await new Promise((resolve) => opened.addEventListener("load", resolve, { once: true }));
await opened.delayedStartupPromise;
"""
"""Open a window whose pages share no data with those of other windows."""
_SIZE = """
const [width, height] = arguments, { style } = gBrowser.selectedBrowser;
for (const least of ["min-", "max-"]) {
  style.setProperty(`${least}width`, `${width}px`);
  style.setProperty(`${least}height`, `${height}px`);
}
"""
_DARK = 'Services.prefs.setIntPref("layout.css.prefers-color-scheme.content-override", arguments[0] ? 0 : 1)'
# A request that a page has given up, since it went elsewhere, is reported as an error of its service worker.
_ERRORS = """
const GIVEN_UP = /A ServiceWorker intercepted the request and encountered an unexpected error/;
const errors = Services.console.getMessageArray().filter((one) => one instanceof Ci.nsIScriptError
  && !(one.flags & one.warningFlag) && !one.isFromChromeContext && !/^(chrome|resource):/.test(one.sourceName));
Services.console.reset();
return errors.map((one) => one.errorMessage).filter((one) => !GIVEN_UP.test(one));
"""

_READ = """
const { nsIAccessibilityService } = Ci;
const service = (window.reading ??= Cc["@mozilla.org/accessibilityService;1"].getService(nsIAccessibilityService));
const found = [];
window.read = [];
const each = (one) => {
  const [state, more] = [{}, {}];
  one.getState(state, more);
  const states = [...service.getStringStates(state.value, more.value)].map(
    (name) => ({ unavailable: "disabled" })[name] ?? name);
  found.push([service.getStringRole(one.role), one.name, states, window.read.push(one) - 1]);
  for (let child = one.firstChild; child; child = child.nextSibling) each(child);
};
const document = service.getAccessibleFor(gBrowser.selectedBrowser)?.firstChild;
if (document) each(document);
return found;
"""
_ACTIVATE = "window.read[arguments[0]].doAction(0)"
_KEYS = {"Shift": "\ue008", "Tab": "\ue004", "Enter": "\ue007", "Space": " "}
_KEYS |= {"ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015"}


class _Marionette:
    """A connection to a running Firefox."""

    def __init__(self, stream: BufferedRWPair) -> None:
        self._stream = stream
        self._receive()

    def ask(self, command: str, **parameters: object) -> Any:
        asked = json.dumps([0, 0, command, parameters]).encode()
        self._stream.write(b"%d:%s" % (len(asked), asked))
        self._stream.flush()
        _, _, error, answer = self._receive()
        if error:
            raise _Refused(f"{error['error']}: {error['message']}")
        return answer.get("value") if isinstance(answer, dict) else answer

    def _receive(self) -> Any:
        length = bytearray()
        while (one := self._stream.read(1)) != b":":
            length += one
        return json.loads(self._stream.read(int(length)))


class _Refused(Exception):
    pass


class Firefox:
    """A running Firefox, as an engine. Each phone is a window with a container, and so with data, of its own."""

    name: ClassVar[str] = "Firefox"

    def __init__(self, stream: BufferedRWPair) -> None:
        self._firefox = _Marionette(stream)
        self._firefox.ask("WebDriver:NewSession")
        self._phones = 0

    def page(self, size: tuple[int, int]) -> Page:
        self._phones += 1
        known = self._firefox.ask("WebDriver:GetWindowHandles")
        self.privileged(_OPEN, self._phones)
        handle = next(one for one in self._firefox.ask("WebDriver:GetWindowHandles") if one not in known)
        page = _Page(self, self._firefox, handle)
        page.set_viewport_size({"width": size[0], "height": size[1]})
        return page

    def privileged(self, script: str, *arguments: object) -> Any:
        """What a script of the browser itself returns."""
        self._firefox.ask("Marionette:SetContext", value="chrome")
        try:
            return self._firefox.ask(
                "WebDriver:ExecuteScript", script=f"return (async () => {{{script}}})()", args=arguments
            )
        finally:
            self._firefox.ask("Marionette:SetContext", value="content")

    def errors(self) -> list[str]:
        found: list[str] = self.privileged(_ERRORS)
        return found


class _Page(Page):
    def __init__(self, engine: Firefox, firefox: _Marionette, handle: str) -> None:
        super().__init__()
        self._engine, self._firefox, self._handle = engine, firefox, handle

    def _ask(self, command: str, **parameters: object) -> Any:
        self._firefox.ask("WebDriver:SwitchToWindow", handle=self._handle, focus=False)
        return self._firefox.ask(command, **parameters)

    def goto(self, address: str) -> None:
        self._ask("WebDriver:Navigate", url=address)

    def evaluate(self, function: str, argument: object = None) -> Any:
        try:
            script = f"return ({function})(...arguments)"
            return self._ask("WebDriver:ExecuteScript", script=script, args=[argument])
        except _Refused as error:
            if "unloaded" in str(error) or "discarded" in str(error):
                raise Interrupted from error
            raise

    def touch(self, x: float, y: float) -> None:
        move = {"type": "pointerMove", "x": int(x), "y": int(y)}
        actions = [move, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        finger = {
            "type": "pointer",
            "id": "finger",
            "parameters": {"pointerType": "touch"},
            "actions": actions,
        }
        self._ask("WebDriver:PerformActions", actions=[finger])

    def type(self, text: str) -> None:
        element = self._ask("WebDriver:GetActiveElement")
        self._ask("WebDriver:ElementSendKeys", id=next(iter(element.values())), text=text)

    def set_viewport_size(self, size: ViewportSize) -> None:
        self._ask("WebDriver:GetTitle")
        self._engine.privileged(_SIZE, size["width"], size["height"])
        self.until(f"innerWidth === {size['width']} && innerHeight === {size['height']}")
        self.draw()

    def set_dark(self, dark: bool) -> None:
        self._engine.privileged(_DARK, dark)
        self.until(f"matchMedia('(prefers-color-scheme: dark)').matches === {str(dark).lower()}")

    def screenshot(self, path: Path) -> None:
        path.write_bytes(b64decode(self._ask("WebDriver:TakeScreenshot", full=False, hash=False)))

    def read(self) -> list[Node]:
        self._ask("WebDriver:GetTitle")
        return [node(*one) for one in self._engine.privileged(_READ)]

    def activate(self, node: Node) -> None:
        self._engine.privileged(_ACTIVATE, node.handle)

    def press(self, key: str) -> None:
        keys = [_KEYS.get(one, one) for one in key.split("+")]
        actions = [{"type": "keyDown", "value": one} for one in keys]
        actions += [{"type": "keyUp", "value": one} for one in reversed(keys)]
        self._ask("WebDriver:PerformActions", actions=[{"type": "key", "id": "keys", "actions": actions}])


@contextmanager
def running_firefox(folder: Path) -> Iterator[Firefox]:
    """Run Firefox with a new profile in this folder. Skips the test if there is none."""
    program = shutil.which("firefox-esr") or shutil.which("firefox")
    if program is None:
        pytest.skip("no Firefox found: install Debian's firefox-esr package")
    port = free_port()
    settings = {**_PREFERENCES, "marionette.port": port}
    lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in settings.items()]
    (folder / "user.js").write_text("".join(lines), encoding="utf-8")
    command = [program, "--headless", "--marionette", "--remote-allow-system-access", "--no-remote"]

    def answers() -> bool:
        socket.create_connection(("127.0.0.1", port)).close()
        return True

    log, home = folder / "log", {"HOME": str(folder)}
    command += ["--profile", str(folder)]
    with (
        processes.running(command, log, home, ready=answers, what="Firefox to answer"),
        socket.create_connection(("127.0.0.1", port)) as connection,
        connection.makefile("rwb") as stream,
    ):
        yield Firefox(stream)

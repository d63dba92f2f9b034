"""WebKitGTK, driven through `webkit_window.py`."""

import json
import re
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedRWPair
from pathlib import Path
from typing import Any, ClassVar

import pytest
from playwright.sync_api import ViewportSize

from tests import processes
from tests.browser.engines.page import Interrupted, Page
from tests.browser.engines.reading import Node, node
from tests.ports import free_port

PYTHON = "/usr/bin/python3"
"""Debian's own, which finds what python3-gi has installed."""
REGISTRY = "/usr/libexec/at-spi2-registryd"
"""The program that `webkit_window.py` starts for the accessibility tree."""
NEEDS = "import ctypes, gi; gi.require_version('WebKit2', '4.1'); ctypes.CDLL('libXtst.so.6')"


class WebKit:
    """A running program with WebKitGTK's widgets, as an engine."""

    name: ClassVar[str] = "WebKit"

    def __init__(self, lines: BufferedRWPair) -> None:
        self._lines = lines

    def ask(self, name: str, *arguments: object) -> Any:
        self._lines.write(json.dumps([name, *arguments]).encode() + b"\n")
        self._lines.flush()
        answer = json.loads(self._lines.readline())
        if isinstance(answer, dict) and answer.keys() == {"error"}:
            gone = re.search("no longer reachable|Object does not exist|No such interface", answer["error"])
            raise (Interrupted if gone else RuntimeError)(answer["error"])
        return answer

    def page(self, size: tuple[int, int]) -> Page:
        return _Page(self, self.ask("page", *size))

    def errors(self) -> list[str]:
        found: list[str] = self.ask("errors")
        return found


class _Page(Page):
    def __init__(self, engine: WebKit, number: int) -> None:
        super().__init__()
        self._engine, self._number = engine, number

    def goto(self, address: str) -> None:
        self._engine.ask("goto", self._number, address)

    def evaluate(self, function: str, argument: object = None) -> Any:
        body = f"return await ({function})({json.dumps(argument)}) ?? null"
        return self._engine.ask("evaluate", self._number, body)

    def touch(self, x: float, y: float) -> None:
        self._engine.ask("touch", self._number, x, y)

    def type(self, text: str) -> None:
        self._engine.ask("write", self._number, text)

    def set_viewport_size(self, size: ViewportSize) -> None:
        self._engine.ask("resize", self._number, size["width"], size["height"])
        self.until(f"innerWidth === {size['width']} && innerHeight === {size['height']}")
        self.draw()

    def set_dark(self, dark: bool) -> None:
        self._engine.ask("set_dark", dark)
        self.until(f"matchMedia('(prefers-color-scheme: dark)').matches === {str(dark).lower()}")

    def screenshot(self, path: Path) -> None:
        self._engine.ask("screenshot", self._number, str(path))

    def read(self) -> list[Node]:
        return [node(*one) for one in self._engine.ask("read", self._number)]

    def activate(self, node: Node) -> None:
        self._engine.ask("activate", self._number, *node.handle)

    def press(self, key: str) -> None:
        self._engine.ask("press", self._number, key)


@contextmanager
def running_webkit(folder: Path) -> Iterator[WebKit]:
    """Run the program; its log is in this folder. Skips the test if what it stands on is not installed."""
    found = shutil.which("Xvfb") and subprocess.run([PYTHON, "-c", NEEDS], check=False, capture_output=True)
    if not found or found.returncode or not Path(REGISTRY).exists():
        needed = "at-spi2-core, gir1.2-webkit2-4.1, libxtst6, python3-gi and xvfb"
        pytest.skip(f"no WebKitGTK found: install Debian's {needed} packages")
    port, log = free_port(), folder / "log"
    command = [PYTHON, str(Path(__file__).with_name("webkit_window.py")), str(port)]
    connections: list[socket.socket] = []

    def answers() -> bool:
        connections.append(socket.create_connection(("127.0.0.1", port)))
        return True

    with (
        processes.running(command, log, {"HOME": str(folder)}, ready=answers, what="WebKit to answer"),
        connections[0] as connection,
        connection.makefile("rwb") as lines,
    ):
        yield WebKit(lines)

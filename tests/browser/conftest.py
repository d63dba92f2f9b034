"""A real server, a real Chromium: the program is run as people run it."""

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

SECONDS_TO_START = 60


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a `tienlen serve` with a database of its own."""
    folder = tmp_path_factory.mktemp("server")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-c", "from ledger.cli import main; main()"]
    arguments = ["--database", f"sqlite:///{folder / 'ledger.db'}", "serve", "--port", str(port)]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen([*command, *arguments], stdout=log, stderr=log)
    address = f"http://127.0.0.1:{port}"
    try:
        _wait_for(address, process, folder / "log")
        yield address
    finally:
        process.terminate()
        process.wait(timeout=SECONDS_TO_START)


def _wait_for(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    patience = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < patience and process.poll() is None:
        try:
            with urlopen(f"{address}/healthz", timeout=SECONDS_TO_START):
                return
        except (URLError, ConnectionError):
            time.sleep(0.1)
    raise AssertionError(log.read_text(errors="replace"))

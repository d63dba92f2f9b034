"""`tienlen serve` as people run it, with a database of its own; it can be killed, and started again."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

SECONDS_TO_START = 60


class Served:
    """A server with its processes; a context that starts and stops it."""

    def __init__(self, folder: Path) -> None:
        self._log = folder / "log"
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.address = f"http://127.0.0.1:{port}"
        program = [sys.executable, "-c", "from ledger.cli import main; main()"]
        self._command = [
            *program,
            "--database",
            f"sqlite:///{folder / 'ledger.db'}",
            "serve",
            "--port",
            str(port),
        ]
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> "Served":
        self.start()
        return self

    def __exit__(self, *failure: object) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(timeout=SECONDS_TO_START)

    def kill(self) -> None:
        """Kill it with all its processes, whatever they are doing."""
        assert self._process is not None
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(timeout=SECONDS_TO_START)

    def start(self) -> None:
        """Start it, and wait until it answers."""
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(self._command, stdout=log, stderr=log, start_new_session=True)
        patience = time.monotonic() + SECONDS_TO_START
        while time.monotonic() < patience and self._process.poll() is None:
            try:
                with urlopen(f"{self.address}/healthz", timeout=SECONDS_TO_START):
                    return
            except (URLError, ConnectionError):
                time.sleep(0.1)
        raise AssertionError(self._log.read_text(errors="replace"))

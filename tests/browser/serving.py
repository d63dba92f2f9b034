"""`tienlen serve` with its own database; it can be killed and restarted."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from random import Random
from types import MappingProxyType
from urllib.error import URLError
from urllib.request import urlopen

from tests.ports import free_port

SECONDS_TO_START = 60


class Served:
    """A server with its processes, as a context manager. Its folder holds the log, and the database unless another
    is named. `plant` is Python code that it runs first."""

    def __init__(
        self,
        folder: Path,
        database: str | None = None,
        *,
        workers: int = 2,
        environment: Mapping[str, str] = MappingProxyType({}),
        plant: str = "",
    ) -> None:
        self.log = folder / "log"
        self._environment = os.environ | environment
        self.database = database or f"sqlite:///{folder / 'ledger.db'}"
        self.port = port = free_port()
        self.address = f"http://127.0.0.1:{port}"
        program = [sys.executable, "-c", f"{plant}\nfrom ledger.cli import main; main()"]
        self._command = [
            *program,
            "--database",
            self.database,
            "serve",
            "--port",
            str(port),
            "--workers",
            str(workers),
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
        """Kill all its processes at once, with SIGKILL."""
        assert self._process is not None
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(timeout=SECONDS_TO_START)

    def kill_worker(self, chance: Random) -> bool:
        """Kill one worker, which the server replaces; returns whether there was one."""
        assert self._process is not None
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children")
        workers = children.read_text().split()
        if not workers:
            return False
        with suppress(ProcessLookupError):
            os.kill(int(chance.choice(workers)), signal.SIGKILL)
        return True

    def start(self) -> None:
        """Start it, and wait until it responds."""
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command, stdout=log, stderr=log, start_new_session=True, env=self._environment
            )
        patience = time.monotonic() + SECONDS_TO_START
        while time.monotonic() < patience and self._process.poll() is None:
            try:
                with urlopen(f"{self.address}/healthz", timeout=SECONDS_TO_START):
                    return
            except (URLError, ConnectionError):
                time.sleep(0.1)
        raise AssertionError(self.log.read_text(errors="replace"))

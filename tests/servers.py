"""`tienlen serve` as tests, harnesses and benchmarks run it: its processes, and requests to it."""

import http.client
import json
import os
import signal
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any, Self

from tests import processes
from tests.patience import SECONDS, children_of
from tests.ports import free_port

PROGRAM = (sys.executable, "-c", "from ledger.cli import main; main(prog_name='tienlen')")
"""The command line of `tienlen`."""
KEY = "00" * 32
UNCOUNTED = "from ledger.web import security; security.Counter.spend = lambda *_: None"
"""Planted, a server allows any number of requests: all tests of a process share an address, and how many tests they
are depends on the number of processes."""
JSON = "application/json"
Data = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def data(self) -> Data:
        data: Data = json.loads(self.body)
        return data


class Served:
    """A server of several processes, as a context; within it, it can be killed and started again.

    Its folder has its log, and its database unless another is named. `plant` is Python code that it runs first,
    `under` a command that runs it. Requests go to `host`.
    """

    process: processes.Process

    def __init__(
        self,
        folder: Path,
        database: str | None = None,
        *,
        workers: int = 2,
        options: Sequence[str] = (),
        environment: Mapping[str, str] = MappingProxyType({}),
        plant: str = "",
        under: Sequence[str] = (),
    ) -> None:
        self.folder, self.log = folder, folder / "log"
        self.database = database or f"sqlite:///{folder / 'ledger.db'}"
        self.host, self.port = "127.0.0.1", free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.environment = {"TIENLEN_DATABASE_URL": self.database, "TIENLEN_KEY": KEY, **environment}
        python, run, program = PROGRAM
        self._command = [*under, python, run, f"{plant}\n{program}", "serve", *options]
        self._command += ["--port", str(self.port), "--workers", str(workers)]

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *failure: object) -> None:
        self.stop()

    def start(self) -> None:
        """Start it, and wait until it responds. Raises DidNotStart with its log."""
        self.process = processes.start(self._command, self.log, self.environment)
        try:
            processes.await_answer(self.process, self._responds, "tienlen serve to respond", self.log)
        except BaseException:
            self.stop(signal.SIGKILL)
            raise

    def _responds(self) -> bool:
        return self.ask("GET", "/healthz").status == 200

    def stop(self, number: int = signal.SIGTERM) -> None:
        """Stop it, if it runs, and whatever it has started."""
        processes.stop(self.process, number)

    def terminate(self, within: float = SECONDS) -> None:
        """Ask it to end, and wait, as `processes.wait_for` does; what it leaves behind is not ended."""
        self.process.terminate()
        processes.await_end(self.process, within)

    def kill(self) -> None:
        """Kill all its processes at once."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.stop()

    def kill_worker(self, chance: Random) -> bool:
        """Kill one worker, which the server replaces; returns whether there was one."""
        workers = sorted(self.workers)
        if workers:
            with suppress(ProcessLookupError):
                os.kill(chance.choice(workers), signal.SIGKILL)
        return bool(workers)

    @property
    def workers(self) -> set[int]:
        """The pids of the processes that answer."""
        return children_of(self.process.pid)

    def ask(
        self, method: str, path: str, body: bytes | Iterable[bytes] | None = None, **headers: str
    ) -> Answer:
        """One request on a new connection; an iterable body is sent in chunks. In header names, _ stands for -."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        with closing(http.client.HTTPConnection(self.host, self.port)) as connection:
            connection.request(method, path, body, named, encode_chunked=True)
            response = connection.getresponse()
            return Answer(response.status, dict(response.getheaders()), response.read())

    def send(self, path: str, data: Any, token: str = "", **headers: str) -> Answer:
        """Post JSON, with a token or without."""
        bearer = {"Authorization": f"Bearer {token}"} if token else {}
        return self.ask("POST", path, json.dumps(data).encode(), Content_Type=JSON, **bearer, **headers)

    def get(self, path: str, token: str = "") -> Answer:
        """Request a path, with a token or without."""
        bearer = {"Authorization": f"Bearer {token}"} if token else {}
        return self.ask("GET", path, None, **bearer)

"""The one way in which tests, harnesses and benchmarks start servers.

Each server ends with the process that started it, also if that is killed."""

import http.client
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any, Self

from tests.ports import free_port
from tests.processes import children_of

SECONDS_TO_START = 90
"""A generous timeout for what takes a second or three on an idle machine; the same for an end."""
_SILENT_SECONDS = 10
"""After so long a start says what it waits for."""


class DidNotStart(Exception):
    """A process ended, or did not answer in time; the message has its log."""


@cache
def _guard(process: int) -> "subprocess.Popen[bytes]":
    """The guard of this process, by its pid, since a fork needs one of its own."""
    command = [sys.executable, "-S", str(Path(__file__).with_name("guard.py"))]
    return subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True)


def watch(process: int, folder: Path | None = None) -> None:
    """Kill a process and its group when this process ends, and then delete a folder."""
    _tell(f"watch {process} {folder or ''}".strip())


def release(process: int) -> None:
    """Forget a process that has ended: its pid may soon be another's."""
    _tell(f"release {process}")


def _tell(line: str) -> None:
    pipe = _guard(os.getpid()).stdin
    assert pipe is not None
    pipe.write(f"{line}\n".encode())
    pipe.flush()


def start(
    command: Sequence[str | Path], log: Path, environment: Mapping[str, str] = MappingProxyType({})
) -> "subprocess.Popen[bytes]":
    """Start a process with a session of its own, whose output is appended to a log."""
    with log.open("ab") as output:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env=os.environ | dict(environment),
            start_new_session=True,
        )
    watch(process.pid)
    return process


def await_answer(
    process: "subprocess.Popen[bytes]", log: Path, answers: Callable[[], object], what: str
) -> None:
    """Wait until a process answers; an OSError of `answers` is none. Raises DidNotStart."""
    began, told = time.monotonic(), False
    while process.poll() is None and (waited := time.monotonic() - began) < SECONDS_TO_START:
        with suppress(OSError, http.client.HTTPException):
            if answers():
                return
        if waited > _SILENT_SECONDS and not told:
            told = True
            print(f"waiting up to {SECONDS_TO_START} s for {what}", file=sys.stderr, flush=True)
        time.sleep(0.02)
    ended = "did not answer" if process.poll() is None else f"ended with {process.returncode}"
    stop(process, signal.SIGKILL)
    raise DidNotStart(f"{what} {ended}:\n{log.read_text(errors='replace')}")


def stop(process: "subprocess.Popen[bytes]", how: signal.Signals = signal.SIGTERM) -> None:
    """Send a signal, to the whole group if it is SIGKILL, and wait for the end."""
    with suppress(ProcessLookupError):
        if how is signal.SIGKILL:
            os.killpg(process.pid, how)
        else:
            process.send_signal(how)
    process.wait(timeout=SECONDS_TO_START)
    release(process.pid)


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer of a server, read completely."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def data(self) -> dict[str, Any]:
        data: dict[str, Any] = json.loads(self.body)
        return data


class Served:
    """`tienlen serve`, as a context manager; it can be killed and restarted. Its folder holds the log, and the
    database unless another is named. `plant` is Python code that it runs first, `under` a command that runs it."""

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
        self.address = f"http://{self.host}:{self.port}"
        self.process: subprocess.Popen[bytes]
        self.environment = {"TIENLEN_KEY": "00" * 32, **environment}
        program = [*under, sys.executable, "-c", f"{plant}\nfrom ledger.cli import main; main()"]
        listening = ["--port", str(self.port), "--workers", str(workers)]
        self._command = [*program, "--database", self.database, "serve", *listening, *options]

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *failure: object) -> None:
        if self.process.poll() is None:
            self.stop()

    def start(self) -> None:
        """Start it, and wait until it answers. Raises DidNotStart with its log."""
        self.process = start(self._command, self.log, self.environment)
        await_answer(
            self.process, self.log, lambda: self.ask("GET", "/healthz").status == 200, "tienlen serve"
        )

    def stop(self) -> None:
        """Stop it as an init system does, and wait for its end."""
        stop(self.process)

    def kill(self) -> None:
        """Kill all its processes at once, with SIGKILL."""
        stop(self.process, signal.SIGKILL)

    @property
    def workers(self) -> set[int]:
        """The pids of the processes that answer."""
        return children_of(self.process.pid)

    def kill_worker(self, chance: Random) -> bool:
        """Kill one worker, which the server replaces; returns whether there was one."""
        if not (workers := sorted(self.workers)):
            return False
        with suppress(ProcessLookupError):
            os.kill(chance.choice(workers), signal.SIGKILL)
        return True

    def ask(
        self, method: str, path: str, body: bytes | Iterable[bytes] | None = None, **headers: str
    ) -> Answer:
        """Send one request on a new connection; an iterable body is sent in chunks. `_` in names stands for `-`."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=SECONDS_TO_START)
        try:
            names = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, path, body, names, encode_chunked=True)
            response = connection.getresponse()
            return Answer(response.status, dict(response.getheaders()), response.read())
        finally:
            connection.close()

    def call(
        self, method: str, path: str, body: bytes | Iterable[bytes] | None = None, **headers: str
    ) -> tuple[int, dict[str, Any]]:
        """Send one request that is answered with JSON; returns the status and the answer."""
        answer = self.ask(method, path, body, **headers)
        return answer.status, answer.data

    def send(self, path: str, data: Any, token: str = "") -> tuple[int, dict[str, Any]]:
        """Post JSON."""
        headers = {"Content_Type": "application/json", "Authorization": f"Bearer {token}"}
        return self.call("POST", path, json.dumps(data).encode(), **headers)

"""Servers that run during a measurement, and a client's connection to them."""

import json
import os
import select
import socket
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from benchmarks import bare
from ledger.web.server.serve import THREADS
from tests.patience import children_of
from tests.ports import free_port
from tests.processes import running
from tests.servers import KEY, PROGRAM

WORKERS = 2
_PATIENCE = 60.0


class Answer:
    """An answer, and the seconds until it was complete."""

    def __init__(self, seconds: float, head: bytes, body: bytes) -> None:
        self.seconds, self.status, self.body = seconds, int(head.split(None, 2)[1]), body
        self._head = head

    @property
    def data(self) -> dict[str, Any]:
        data: dict[str, Any] = json.loads(self.body)
        return data

    def header(self, name: str) -> str:
        """The value of a header. Raises LookupError if it is missing."""
        for line in self._head.decode().split("\r\n")[1:]:
            said, _, value = line.partition(":")
            if said.lower() == name.lower():
                return value.strip()
        raise LookupError(name)


def expect(status: int, answer: Answer) -> Answer:
    """The answer, if it has this status; any other ends the measurement with RuntimeError."""
    if answer.status != status:
        raise RuntimeError(f"{answer.status}, not {status}:\n{answer.body.decode(errors='replace')}")
    return answer


class Connection:
    """A client's connection, kept alive unless the server closes it. Uses a raw socket, so that the client's cost
    does not hide the server's."""

    _socket: socket.socket
    _ends: bool

    def __init__(self, port: int) -> None:
        self._port = port
        self._open()

    def get(self, path: str, headers: Mapping[str, str] | None = None) -> Answer:
        return self._ask(f"GET {path} HTTP/1.1", headers or {}, b"")

    def post(self, path: str, data: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> Answer:
        return self._send(path, "application/json", json.dumps(data), headers or {})

    def post_form(self, path: str, fields: Mapping[str, Any], headers: Mapping[str, str]) -> Answer:
        return self._send(path, "application/x-www-form-urlencoded", urlencode(fields, doseq=True), headers)

    def close(self) -> None:
        self._socket.close()

    def _send(self, path: str, kind: str, text: str, headers: Mapping[str, str]) -> Answer:
        body = text.encode()
        about = {"Content-Type": kind, "Content-Length": str(len(body))}
        return self._ask(f"POST {path} HTTP/1.1", about | dict(headers), body)

    def _ask(self, line: str, headers: Mapping[str, str], body: bytes) -> Answer:
        fields = (f"{name}: {value}" for name, value in headers.items())
        request = "\r\n".join([line, "Host: 127.0.0.1", *fields, "", ""]).encode() + body
        if self._ends or self._was_closed():
            self.close()
            self._open()
        started = time.perf_counter()
        self._socket.sendall(request)
        head, answered = self._receive()
        seconds = time.perf_counter() - started
        self._ends = b"\r\nconnection: close" in head.lower()
        return Answer(seconds, head, answered)

    def _open(self) -> None:
        self._ends = False
        self._socket = socket.create_connection(("127.0.0.1", self._port), timeout=_PATIENCE)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def _was_closed(self) -> bool:
        """Whether the server has closed it, as it does after a silence."""
        readable, _, _ = select.select([self._socket], [], [], 0)
        return bool(readable)

    def _receive(self) -> tuple[bytes, bytes]:
        received = bytearray()
        while (end := received.find(b"\r\n\r\n")) < 0:
            received += self._more()
        head = bytes(received[:end])
        said = head.lower().partition(b"content-length:")[2].split(None, 1)
        length = int(said[0]) if said else 0
        while len(received) < end + 4 + length:
            received += self._more()
        return head, bytes(received[end + 4 :])

    def _more(self) -> bytes:
        chunk = self._socket.recv(65536)
        if not chunk:
            raise RuntimeError("the server closed the connection")
        return chunk


@dataclass(frozen=True, slots=True)
class Server:
    """A running server. `ready` is the seconds until it first answered."""

    port: int
    process: int
    ready: float

    def connect(self) -> Connection:
        return Connection(self.port)


def cpu_seconds(process: int) -> float:
    """The CPU seconds that a process, those that it started, and those of them that ended have used."""
    try:
        stat, started = Path(f"/proc/{process}/stat").read_text(), children_of(process)
    except (FileNotFoundError, ProcessLookupError):  # ended meanwhile
        return 0.0
    ticks = map(int, stat.rpartition(")")[2].split()[11:15])
    return sum(ticks) / os.sysconf("SC_CLK_TCK") + sum(map(cpu_seconds, started))


@contextmanager
def ledger_server(database: str, log: Path, owner: str = "") -> Iterator[Server]:
    """`tienlen serve` with a trusted proxy, so that clients can vary their address and are not rate-limited."""
    port = free_port()
    command = [*PROGRAM, "--database", database]
    command += ["serve", "--port", str(port), "--workers", str(WORKERS)]
    environment = {"TIENLEN_PROXIES": "1"}
    # A database in a file has its key next to it.
    environment |= {"TIENLEN_OWNER_URL": owner, "TIENLEN_KEY": KEY} if owner else {}
    with _serving(command, port, log, environment, "/healthz") as server:
        yield server


@contextmanager
def bare_server(database: str, log: Path) -> Iterator[Server]:
    """The baseline application of `bare`."""
    environment = {bare.DATABASE_VARIABLE: database}
    with waitress_server(sys.executable, "benchmarks.bare:application", log, environment, "/") as server:
        yield server


@contextmanager
def waitress_server(
    python: str, application: str, log: Path, environment: Mapping[str, str], healthy: str
) -> Iterator[Server]:
    """An application in waitress, with as many processes and threads as the ledger."""
    port = free_port()
    command = [python, "-m", "benchmarks.waitresses", application, str(port), str(WORKERS), str(THREADS)]
    with _serving(command, port, log, environment, healthy) as server:
        yield server


@contextmanager
def _serving(
    command: Sequence[str], port: int, log: Path, environment: Mapping[str, str], healthy: str
) -> Iterator[Server]:
    def answers() -> bool:
        with closing(Connection(port)) as connection:
            return connection.get(healthy).status == 200

    started = time.perf_counter()
    with running(command, log, environment, ready=answers, what=f"{command[0]} to answer") as process:
        yield Server(port, process.pid, time.perf_counter() - started)

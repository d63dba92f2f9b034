"""A recorded move over HTTP against the least that a durable request can cost."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any
from uuid import uuid4

from benchmarks import bare, records
from benchmarks.measuring import Effort, Goal, Row
from ledger.game.state import Round

_API = "/api/v1/nights"
_WARMING_UP = 30
_ROUNDS_A_NIGHT = 4
_PATIENCE = 30.0

Timed = list[tuple[float, float]]
"""Seconds of a move and of the bare insert after it."""


def rows(effort: Effort) -> Iterator[Row]:
    """One client, one connection kept alive."""
    starts = [_start_and_record(effort.moves) for _ in range(effort.starts)]
    ours = [second for timed in starts for second, _ in timed]
    theirs = [second for timed in starts for _, second in timed]
    yield Row(
        name="durable-move",
        title="a recorded move over HTTP, p50 of 1 client",
        values=[median(one for one, _ in timed) / median(other for _, other in timed) for timed in starts],
        goal=Goal(5),
        same_work="`tienlen serve`: POST a play or a pass, judged, chained, synced, answered with the whole board. "
        "The same gunicorn with a bare WSGI route: one raw sqlite3 insert of the same body, as durable (BEGIN "
        "IMMEDIATE, TRUNCATE, FULL). In turns, over one kept-alive connection each.",
        measured={
            "a move": median(ours) * 1e6,
            "p99": _p99(ours) * 1e6,
            "an insert": median(theirs) * 1e6,
            "its p99": _p99(theirs) * 1e6,
        },
    )


def _p99(seconds: list[float]) -> float:
    return sorted(seconds)[len(seconds) * 99 // 100]


def _start_and_record(moves: int) -> Timed:
    """Start both servers anew and record so many moves; each answer is checked."""
    with (
        TemporaryDirectory(prefix="tienlen-bench-") as folder,
        _ledger_server(Path(folder)) as ledger,
        _bare_server(Path(folder)) as plain,
    ):
        timed: Timed = []
        rounds = cycle(records.rounds_of_four())
        while len(timed) < moves + _WARMING_UP:
            timed += _record_night(ledger, plain, list(islice(rounds, _ROUNDS_A_NIGHT)))
        return timed[_WARMING_UP : _WARMING_UP + moves]


def _record_night(ledger: "Connection", plain: "Connection", rounds: list[Round]) -> Timed:
    """Record a night from its opening on, and keep the same bodies with the bare route."""
    night = str(uuid4())
    _, opened = ledger.post(_API, {"id": night, "ruleset": records.RULESET.id, "players": records.NAMES})
    token, path, chain = opened["tokens"]["keeper"], f"{_API}/{night}/events", records.Chain(night)
    timed: Timed = []
    for round in rounds:
        ledger.post(path, chain.event(records.header(round)), token)
        for move in records.moves(round):
            event = chain.event(move)
            timed.append((ledger.post(path, event, token)[0], plain.post("/", event)[0]))
        ledger.post(path, chain.event(records.SETTLE), token)
    return timed


class Connection:
    """One client's connection, kept alive. Bare bytes: what the client costs must not hide what the server does."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=_PATIENCE)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def post(self, path: str, data: dict[str, Any], token: str = "") -> tuple[float, dict[str, Any]]:
        """Seconds until the whole answer was there, and the answer, which must be a 201."""
        body = json.dumps(data).encode()
        lines = [f"POST {path} HTTP/1.1", "Host: 127.0.0.1", "Content-Type: application/json"]
        lines += [f"Content-Length: {len(body)}", *([f"Authorization: Bearer {token}"] if token else [])]
        request = "\r\n".join([*lines, "", ""]).encode() + body
        started = time.perf_counter()
        self._socket.sendall(request)
        head, text = self._receive()
        seconds = time.perf_counter() - started
        if not head.startswith(b"HTTP/1.1 201"):
            raise RuntimeError(f"{head.decode()}\n{text.decode()}")
        return seconds, json.loads(text)

    def close(self) -> None:
        self._socket.close()

    def _receive(self) -> tuple[bytes, bytes]:
        received = bytearray()
        while (end := received.find(b"\r\n\r\n")) < 0:
            received += self._more()
        head = bytes(received[:end])
        length = int(head.lower().partition(b"content-length:")[2].split(None, 1)[0])
        while len(received) < end + 4 + length:
            received += self._more()
        return head, bytes(received[end + 4 :])

    def _more(self) -> bytes:
        chunk = self._socket.recv(65536)
        if not chunk:
            raise RuntimeError("the server closed the connection")
        return chunk


def _ledger_server(folder: Path) -> Any:
    port = _free_port()
    command = [sys.executable, "-c", "from ledger.cli import main; main()"]
    command += ["--database", f"sqlite:///{folder / 'ledger.db'}", "serve", "--port", str(port)]
    return _serving(command, port, folder / "ledger.log", {})


def _bare_server(folder: Path) -> Any:
    port = _free_port()
    command = [sys.executable, "-m", "gunicorn", "--config", "python:ledger.web.serving"]
    command += ["--bind", f"127.0.0.1:{port}", "--workers", "2", "benchmarks.bare:application"]
    return _serving(command, port, folder / "bare.log", {bare.DATABASE_VARIABLE: str(folder / "bare.db")})


@contextmanager
def _serving(command: list[str], port: int, log: Path, environment: dict[str, str]) -> Iterator[Connection]:
    """A server that runs for as long as the block, and a connection to it."""
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, env=os.environ | environment, stdout=output, stderr=output, start_new_session=True
        )
    try:
        connection = _connect(process, port, log)
        try:
            yield connection
        finally:
            connection.close()
    finally:
        process.terminate()
        process.wait(_PATIENCE)


def _connect(process: "subprocess.Popen[bytes]", port: int, log: Path) -> Connection:
    give_up = time.monotonic() + _PATIENCE
    while time.monotonic() < give_up and process.poll() is None:
        with suppress(ConnectionRefusedError):
            return Connection(port)
        time.sleep(0.05)
    raise RuntimeError(f"the server did not start:\n{log.read_text(errors='replace')}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port

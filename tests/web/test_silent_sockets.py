"""Clients that send or read nothing, and clients that hang up, do not delay the others.

The silent clients stay: a server that is blocked by them answers no other, ever."""

import resource
import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from select import select

import pytest

from tests.servers import Served
from tests.soak.faults import serving
from tests.web.streams import Night

ROUNDS = 12
"""How often each thing is asked of the server meanwhile; the rate of a phone's moves is limited."""
FILES = 2048
LONG = "/api/v1/openapi.json"
"""A response of more than 100 KB."""
SEGMENT = 536
"""A small packet size in bytes: on loopback the system would otherwise buffer megabytes for a client that does not
read."""

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _files() -> Iterator[None]:
    """Allow as many open sockets as there are clients."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(FILES, before[1]), before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


@contextmanager
def clients(port: int, count: int, sent: bytes) -> Iterator[list[socket.socket]]:
    """So many connections that have sent these bytes and read nothing."""
    with ExitStack() as held:
        made = []
        for _ in range(count):
            client = held.enter_context(closing(socket.socket()))
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, SEGMENT)
            client.connect(("127.0.0.1", port))
            client.sendall(sent)
            made.append(client)
        yield made


@pytest.fixture(scope="module")
def patient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that never closes a silent connection."""
    plant = "from ledger.web.server import serve; serve.LIMITS.update(channel_timeout=1e9)"
    with Served(tmp_path_factory.mktemp("patient"), plant=plant) as server:
        yield server


def others_are_answered(night: Night) -> bool:
    """Whether health, moves and the board are answered. Does not return if the server is blocked."""
    for _ in range(ROUNDS):
        night.note()
        if {night.server.get("/healthz").status, night.board().status} != {200}:
            return False
    return True


HEAD = b"POST /api/v1/score HTTP/1.1\r\nHost: ledger\r\n"
SILENT = {
    "half a head": (150, HEAD + b"X-"),
    "half a body": (150, HEAD + b"Content-Type: text/plain\r\nContent-Length: 900\r\n\r\ntien"),
    "half a chunk": (150, HEAD + b"Content-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n9\r\ntien"),
}


@pytest.mark.parametrize("silent", SILENT)
def test_whoever_is_silent_holds_up_nobody(patient: Served, silent: str) -> None:
    night = Night(patient)
    count, sent = SILENT[silent]
    with night.stream() as stream, clients(patient.port, count, sent):
        assert others_are_answered(night)
        assert next(stream.messages()).id >= 1


def test_whoever_reads_nothing_of_a_long_answer_holds_up_nobody(patient: Served) -> None:
    night = Night(patient)
    for _ in range(20):  # each process makes it once
        assert patient.get(LONG).status == 200
    request = f"GET {LONG} HTTP/1.1\r\nHost: ledger\r\n\r\n".encode()
    with night.stream() as stream, clients(patient.port, 320, request):
        assert others_are_answered(night)
        assert next(stream.messages()).id >= 1


def test_a_hundred_streams_hold_up_nobody_and_are_told(patient: Served) -> None:
    night = Night(patient)
    with ExitStack() as phones:
        streams = [phones.enter_context(night.stream()) for _ in range(100)]
        assert {stream.response.status for stream in streams} == {200}
        assert others_are_answered(night)
        for stream in streams:
            assert next(stream.messages()).id >= 1


FEW = 8
A_SMALL_SERVER = f"""
from ledger.web.server import serve
serve.CONNECTIONS = {FEW}
serve.LIMITS.update(channel_timeout=2, cleanup_interval=1)
"""


def test_where_all_connections_are_silent_whoever_comes_next_is_answered_once_they_are_closed(
    tmp_path: Path,
) -> None:
    with (
        serving.Server(tmp_path, plant=A_SMALL_SERVER) as server,
        clients(server.port, FEW, HEAD + b"X-") as silent,
    ):
        assert server.ask("GET", "/healthz").status == 200
        assert select(silent, [], [], 0)[0], "one was closed before the next was answered"
        assert [client.recv(1) for client in silent] == [b""] * FEW

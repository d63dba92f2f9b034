"""`tienlen serve` in operation: its log, its counts, its processes, and how it stops."""

import fcntl
import http.client
import json
import os
import signal
import socket
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode
from urllib.request import urlopen

import pytest

from ledger.recorder import server_address
from ledger.store import Store
from tests.databases import copy_database
from tests.nights import Data, new_id
from tests.ports import free_port
from tests.processes import is_running, is_waited_for, wait_for
from tests.servers import JSON, PROGRAM, Served
from tests.web.phones import NIGHTS, new_night, new_secret
from tests.web.streams import Night

pytestmark = pytest.mark.slow

STOP_SECONDS = 5.0
SECRETS = ["Kim-Ngân", "Thục Đoan", "Bảo-Châu", "Xuân*Quỳnh", "vì chia nhầm bài", "trả tiền phở"]
"""Names and reasons that people type."""


class Operated(Served):
    """A server with a metrics port, whose log is read."""

    def __init__(self, folder: Path, **settings: str) -> None:
        self.metrics_port = free_port()
        options = ["--metrics-port", str(self.metrics_port)]
        super().__init__(folder, options=options, environment={"TMPDIR": str(folder), **settings})

    def lines(self) -> list[Data]:
        text = self.log.read_text(encoding="utf-8")
        return [json.loads(line) for line in text.splitlines() if line.startswith("{")]

    def counts(self) -> dict[str, float]:
        """The counters of all processes together, by name and labels."""
        with urlopen(f"http://127.0.0.1:{self.metrics_port}/metrics") as answer:
            lines = answer.read().decode().splitlines()
        pairs = (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
        return {name: float(value) for name, value in pairs}


@pytest.fixture(scope="module")
def operated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Operated]:
    with Operated(tmp_path_factory.mktemp("operated")) as found:
        yield found


def test_whatever_is_asked_the_log_holds_no_cards_names_links_or_texts(operated: Operated) -> None:
    tokens = evening(operated)
    lines = operated.lines()
    assert all(line.keys() >= {"timestamp", "level", "event"} for line in lines)
    routes = {line["route"] for line in lines if line["event"] == "request"}
    assert routes >= {"/t/<token>", f"{NIGHTS}/<night:night>/events", "/n/<night:night>", "none"}
    codes = {line.get("code") for line in lines}
    assert codes >= {"not-found", "unreadable", "stale", "card-already-played"}
    assert any("no HTTP" in line["event"] for line in lines)
    text = json.dumps([line | {"route": ""} for line in lines], ensure_ascii=False)
    cards = ['"3s"', "3♠", "2♥", "3s 3c"]
    for secret in [*SECRETS, *map(quote, SECRETS), *tokens, *cards, "Traceback", "Kim", "Cookie", "Bearer"]:
        assert secret not in text
        assert secret not in json.dumps(text)


def test_a_host_is_shown_what_goes_on_in_one_screen(operated: Operated, tmp_path: Path) -> None:
    night = Night(operated)
    night.record("round", opening=True)
    (tmp_path / "tienlen-20260101T000000Z.db").touch()
    command = [*PROGRAM, "status", "--backups", str(tmp_path)]
    environment = os.environ | operated.environment
    shown = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
    lines = dict(line.split(maxsplit=1) for line in shown.splitlines())
    assert len(shown.splitlines()) < 24
    assert lines["server"].startswith(operated.address)
    assert int(lines["tables"]) >= 1
    assert float(lines["moves"].split()[-1]) > 0
    assert "free" in lines["room"]
    assert lines["backups"].startswith("1 in")


def evening(server: Served) -> list[str]:
    """A night with names found nowhere else, and all kinds of invalid requests; returns its tokens and secret."""
    content = new_night(players=SECRETS[:4])
    tokens_by_role = server.send(NIGHTS, content).data["tokens"]
    night, keeper = content["id"], tokens_by_role["keeper"]
    path, after = f"{NIGHTS}/{night}/events", night
    for event in (
        {"kind": "round", "opening": True},
        {"kind": "play", "seat": "p1", "cards": ["3s"]},
        {"kind": "play", "seat": "p2", "cards": ["3c"]},
        {"kind": "play", "seat": "p3", "cards": ["3s"]},
        {"kind": "adjust", "payer": "p1", "payee": "p2", "points": 5, "reason": SECRETS[5]},
        {"kind": "void", "round": 1, "reason": SECRETS[4]},
        {"kind": "rename", "player": "p1", "name": SECRETS[2]},
        {"kind": "play", "seat": SECRETS[0], "cards": [SECRETS[1]], SECRETS[2]: SECRETS[3]},
    ):
        sent = {"id": new_id(), "after": after, **event}
        after = sent["id"] if server.send(path, sent, keeper).status == 201 else after
    server.send(path, {"id": new_id(), "after": night, "kind": "round", "opening": True}, keeper)
    tokens = [keeper, tokens_by_role["watch"], *tokens_by_role["seats"].values()]
    open_pages(server, night, tokens)
    for wrong in ({"secret": new_secret()}, {"players": SECRETS[:3]}, {"ruleset": "western"}):
        server.send(NIGHTS, content | wrong)
    for raw in (
        f"GET /t/{keeper} HTTP/9.9",
        f"GET  /t/{keeper} {SECRETS[4]}",
        f"GET / HTTP/1.1\r\nCookie {keeper}",
        f"GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: {SECRETS[0]}",
    ):
        with socket.create_connection(("127.0.0.1", server.port)) as connection:
            connection.sendall(f"{raw}\r\n\r\n".encode())
            connection.recv(65536)
    return [*tokens, content["secret"]]


def open_pages(server: Served, night: str, tokens: list[str]) -> None:
    """Open every link and accept it, read pages with the cookie, and request missing pages."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    cookies: list[str] = []

    def ask(method: str, path: str, **fields: str) -> None:
        headers = {"Accept": "text/html", "Content-Type": "application/x-www-form-urlencoded"}
        headers["Cookie"] = "; ".join(cookies)
        connection.request(method, path, urlencode(fields), headers)
        response = connection.getresponse()
        response.read()
        cookies.extend(value.partition(";")[0] for value in response.headers.get_all("Set-Cookie", []))

    for token in tokens:
        ask("GET", f"/t/{token}")
        ask("POST", f"/t/{token}")
    ask("GET", f"/t/{tokens[0][:-1]}x")
    ask("GET", f"/{tokens[0]}?name={quote(SECRETS[0])}")
    for page in ("", "/ledger", "/rounds", "/links", f"/rounds?player={quote(SECRETS[0])}"):
        ask("GET", f"/n/{night}{page}")
    ask("POST", f"/n/{night}", kind="play", seat="p1", cards=SECRETS[1], id=SECRETS[2], reason=SECRETS[4])
    connection.close()


def test_counts_are_those_of_all_processes(operated: Operated) -> None:
    before = operated.counts()
    night = Night(operated)
    for _ in range(12):
        night.note()
    late = {"id": new_id(), "after": night.night, "kind": "undo"}
    assert night.send(late).status == 409
    expected = {'tienlen_entries_total{kind="note"}': 12, 'tienlen_conflicts_total{code="stale"}': 1}
    # A request is counted just after its response is sent.
    wait_for(lambda: all(added(before, operated.counts(), name) >= count for name, count in expected.items()))
    after = operated.counts()
    assert {name: added(before, after, name) for name in expected} == expected
    assert any(name.startswith("tienlen_build_info{") for name in after)


def added(before: dict[str, float], after: dict[str, float], name: str) -> float:
    return after.get(name, 0) - before.get(name, 0)


def test_a_process_that_is_killed_is_replaced_and_its_streams_count_no_more(operated: Operated) -> None:
    night = Night(operated)
    with ExitStack() as phones:
        for _ in range(6):
            phones.enter_context(night.stream())
        assert operated.counts()["tienlen_open_streams"] == 6
        # Kill both: the kernel may have given one none of the streams.
        killed = operated.workers
        for process in killed:
            os.kill(process, signal.SIGKILL)
        wait_for(lambda: len(operated.workers - killed) == 2)
        wait_for(lambda: operated.counts().get("tienlen_open_streams", 0) == 0)
        assert server_address(operated.database), "commands find the server still"
        assert night.note()["seq"] == 1


def test_all_processes_let_no_more_guesses_pass_than_one_would(operated: Operated) -> None:
    """Each process allows its share of 300 a minute."""
    statuses = Counter(operated.ask("GET", "/t/nothing", Accept=JSON).status for _ in range(320))
    assert statuses.keys() == {404, 429}
    assert statuses[404] <= 300


def test_the_process_that_watches_over_the_others_has_loaded_nothing_of_the_program(
    operated: Operated,
) -> None:
    def libraries(process: int) -> str:
        return Path(f"/proc/{process}/maps").read_text()

    assert all("pydantic" in libraries(worker) for worker in operated.workers)
    assert "site-packages" not in libraries(operated.process.pid)


def test_no_process_outlives_the_one_that_watches_over_it(operated: Operated) -> None:
    """The last test of this server, since it ends it."""
    workers = operated.workers
    assert len(workers) == 2
    operated.process.kill()
    operated.process.wait()
    wait_for(lambda: not any(map(is_running, workers)))
    operated.stop()


@pytest.fixture(scope="module")
def with_another_key(operated: Operated, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Operated]:
    """A server of the same database with another key than the links were made with."""
    folder = tmp_path_factory.mktemp("another-key")
    copy_database(operated.folder / "ledger.db", folder / "ledger.db")
    with Operated(folder, TIENLEN_KEY="11" * 32) as found:
        yield found


def test_a_server_with_another_key_than_the_links_were_made_with_says_so_as_it_starts(
    operated: Operated, with_another_key: Operated
) -> None:
    def says_so(server: Operated) -> bool:
        return any("another key" in line.get("says", "") for line in server.lines())

    wait_for(lambda: says_so(with_another_key))
    assert not says_so(operated)


def test_a_process_that_cannot_end_is_killed_in_time(with_another_key: Operated) -> None:
    """The last test of this server, since it ends it."""
    workers = with_another_key.workers
    for process in workers:
        os.kill(process, signal.SIGSTOP)
    with_another_key.terminate(within=STOP_SECONDS + 1)
    assert not any(map(is_running, workers))
    assert with_another_key.process.returncode == 0


def test_an_audit_ends_with_its_server(tmp_path: Path) -> None:
    """A stand-in for the audit: it runs for ten minutes, and writes a file when it has begun."""
    begun = tmp_path / "begun"
    audit = f"import os, pathlib; pathlib.Path({str(begun)!r}).write_text(f'{{os.getpid()}} ')"
    audit += "; import time; time.sleep(600)"
    plant = "import sys; from ledger.web.observability import periodic_audit"
    plant += f"; periodic_audit._AUDIT = (sys.executable, '-c', {audit!r})"
    with Served(tmp_path, plant=plant, environment={"TIENLEN_AUDIT_HOURS": "0.0001"}) as server:
        wait_for(lambda: begun.exists() and begun.read_text().endswith(" "))
        process = int(begun.read_text())
        assert is_running(process)
        server.terminate()
        assert not is_running(process)


def test_what_is_being_written_as_a_server_stops_is_answered_and_kept(tmp_path: Path) -> None:
    with Operated(tmp_path) as found, ExitStack() as phones:
        night = Night(found)
        streams = [phones.enter_context(night.stream()) for _ in range(4)]
        with (tmp_path / "ledger.db.lock").open("rb") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            writing = phones.enter_context(being_written(night))
            wait_for(lambda: is_waited_for(tmp_path / "ledger.db.lock"))
            stopping = thread_of(found.terminate, phones)
            for stream in streams:
                assert list(stream.messages()) == []
                stream.close()
        response = writing.getresponse()
        assert response.status == 201
        recorded = json.load(response)
        stopping()
        assert not any("is killed" in line.get("says", "") for line in found.lines())
        assert found.process.returncode == 0
        left = {path.name for path in tmp_path.iterdir()}
        assert "ledger.db" in left
        assert not {name for name in left if "counts" in name or name.endswith(("-wal", ".address"))}
    with closing(Store.open(f"sqlite:///{tmp_path / 'ledger.db'}")) as store, store.reading() as reader:
        assert reader.head(night.night).hash.hex() == recorded["hash"]


@contextmanager
def being_written(night: Night) -> Iterator[http.client.HTTPConnection]:
    """A request that waits for the database's lock, its body read by the server and its response still to come."""
    body = json.dumps(night.event("round", opening=True)).encode()
    headers = {
        "Authorization": f"Bearer {night.tokens['keeper']}",
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        "Expect": "100-continue",
    }
    with closing(http.client.HTTPConnection("127.0.0.1", night.server.port)) as connection:
        connection.request("POST", f"{night.path}/events", headers=headers)
        assert connection.sock.recv(64).startswith(b"HTTP/1.1 100 ")
        connection.send(body)
        yield connection


def thread_of(call: Callable[[], Any], stack: ExitStack) -> Callable[[], Any]:
    """Start a call in its own thread; the function returned waits for its result."""
    future = stack.enter_context(ThreadPoolExecutor(1)).submit(call)
    return lambda: future.result()

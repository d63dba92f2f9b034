"""Expensive work runs one request at a time, and not for clients that hung up."""

import logging
import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from ledger.game import report
from ledger.web import heavy_work
from tests.processes import wait_for
from tests.servers import Served
from tests.web.phones import Table, answered, open_table

SCORE = "/api/v1/score"
TEXT = "tienlen 1\nruleset southern-classic\np1 An\np2 Bình\n\nround 1 opening\np1 3s\n"


class Scorer:
    """Replaces the scorer: blocks until released, and records the most concurrent calls."""

    def __init__(self) -> None:
        self.begun, self.working, self.most = 0, 0, 0
        self.released = threading.Event()
        self._lock = threading.Lock()

    def __call__(self, text: str, *rest: Any) -> report.Report[Any]:
        with self._lock:
            self.begun += 1
            self.working += 1
            self.most = max(self.most, self.working)
        self.released.wait()
        with self._lock:
            self.working -= 1
        return report.score(text, *rest)


@pytest.fixture
def scorer(monkeypatch: pytest.MonkeyPatch) -> Iterator[Scorer]:
    made = Scorer()
    monkeypatch.setattr("ledger.web.api.nights.score", made)
    yield made
    made.released.set()


class Asked:
    """A request to score a text, sent from its own thread."""

    def __init__(self, app: Flask, hung_up: Callable[[], bool] = lambda: False) -> None:
        self._app, self._hung_up = app, hung_up
        self._thread = threading.Thread(target=self._ask)
        self._thread.start()

    def _ask(self) -> None:
        self._answer = self._app.test_client().post(
            SCORE,
            data=TEXT,
            content_type="text/plain",
            environ_overrides={"waitress.client_disconnected": self._hung_up},
            buffered=True,  # read to the end, as a server does
        )

    @property
    def waits(self) -> bool:
        return self._thread.is_alive()

    def answer(self) -> TestResponse:
        self._thread.join()
        return self._answer


def test_one_is_worked_for_at_a_time_and_whoever_hangs_up_meanwhile_not_at_all(
    app: Flask, scorer: Scorer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "tienlen")
    left = threading.Event()
    first = Asked(app)
    wait_for(lambda: scorer.begun == 1)
    stays, leaves = Asked(app), Asked(app, left.is_set)
    left.set()
    assert leaves.answer().status_code == heavy_work.HUNG_UP_STATUS  # nobody reads it
    assert stays.waits
    scorer.released.set()
    assert [first.answer().status_code, stays.answer().status_code] == [200, 200]
    assert (scorer.begun, scorer.most) == (2, 1)
    assert Asked(app, lambda: True).answer().status_code == heavy_work.HUNG_UP_STATUS
    assert scorer.begun == 2
    records = [(line.levelname, getattr(line, "status", None)) for line in caplog.records]
    assert records.count(("INFO", heavy_work.HUNG_UP_STATUS)) == 2
    assert "ERROR" not in {level for level, _ in records}, "it is nobody's error that somebody left"


def test_when_too_many_wait_the_others_are_told_to_come_again(app: Flask, scorer: Scorer) -> None:
    waiting = [Asked(app) for _ in range(heavy_work.MOST + 3)]
    wait_for(lambda: sum(asked.waits for asked in waiting) == heavy_work.MOST)
    scorer.released.set()
    answers = [asked.answer() for asked in waiting]
    refused = [answer for answer in answers if answer.status_code == 503]
    assert len(refused) == 3
    assert {answered(answer)["code"] for answer in refused} == {"busy"}
    assert all(int(answer.headers["Retry-After"]) > 0 for answer in refused)


PAGES = (
    "/n/{}/statistics",
    "/n/{}/settle-up",
    "/n/{}/settle-up/p1",
    "/n/{}/export",
    "/n/{}/export/json",
    "/n/{}/under/northern",
    "/api/v1/nights/{}/replay",
)
"""Pages computed from a whole night, or from several."""


@pytest.fixture
def released() -> Iterator[threading.Event]:
    """Set at the end of the test at the latest."""
    event = threading.Event()
    yield event
    event.set()


@pytest.mark.parametrize("page", PAGES)
def test_pages_of_whole_nights_are_made_one_at_a_time_and_the_table_goes_on(
    app: Flask, page: str, released: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, begun = open_table(app.test_client()), threading.Event()

    def slow(*given: Any, **how: Any) -> str:
        begun.set()
        released.wait()
        return ""

    def get(path: str) -> threading.Thread:
        asked = threading.Thread(target=lambda: answers.append(phone(app, table).get(path).status_code))
        asked.start()
        return asked

    answers: list[int] = []
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr("ledger.web.pages.ledger.statistics.night_page", slow)
        threads = [get(f"/n/{table.night}/statistics")]
        assert begun.wait()
    threads.append(get(page.format(table.night)))
    threads[1].join(0.2)
    assert threads[1].is_alive()
    assert phone(app, table).get(f"/n/{table.night}").status_code == 200
    assert app.test_client().get(page.format(table.night)).status_code == 401
    assert Asked(app).answer().status_code == 200
    table.keeper.record("round", opening=True)
    released.set()
    for thread in threads:
        thread.join()
    assert answers == [200, 200]


def phone(app: Flask, table: Table) -> FlaskClient:
    """A browser with a watcher's link."""
    client = app.test_client()
    client.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {table.tokens['watch']}"
    return client


BLOCKS = """
import time
from pathlib import Path
from ledger.web.api import nights

def score(*given, usual=nights.score):
    with open({begun!r}, "a") as begun:
        begun.write("one ")
    while not Path({released!r}).exists():
        time.sleep(0.01)
    return usual(*given)

nights.score = score
"""


@pytest.mark.slow
def test_whoever_sends_costly_texts_and_hangs_up_stops_nobody(tmp_path: Path) -> None:
    begun, released = tmp_path / "begun", tmp_path / "released"
    plant = BLOCKS.format(begun=str(begun), released=str(released))
    head = f"POST {SCORE} HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\n"
    head += f"Content-Length: {len(TEXT.encode())}\r\n\r\n"
    with Served(tmp_path, workers=1, plant=plant) as server, ThreadPoolExecutor(1) as thread:

        def score() -> int:
            return server.ask("POST", SCORE, TEXT.encode(), Content_Type="text/plain").status

        first = thread.submit(score)
        wait_for(begun.exists)
        for _ in range(130):
            with socket.create_connection(("127.0.0.1", server.port)) as client:
                client.sendall(f"{head}{TEXT}".encode())
        assert server.get("/healthz").status == 200
        released.touch()
        assert first.result() == 200
        wait_for(lambda: score() == 200)
    assert begun.read_text() == "one one "

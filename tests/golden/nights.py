"""Reproducible nights: the same entries at the same times, with the same ids and the same key."""

import os
import random
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch
from uuid import UUID, uuid5

from flask import Flask

from ledger.game import notation
from ledger.recorder import KINDS, Recorder, Role, import_tln
from ledger.recorder.moves_file import as_replay, is_moves_file
from ledger.store import Store, migrate
from ledger.web import Rate, Settings, create_app
from ledger.web.recorder import recorder
from tests.golden.stories import Story
from tests.recorder.tables import KEY
from tests.store.goldens import GOLDEN
from tests.stories import read_story

Data = dict[str, Any]

NIGHTS = "/api/v1/nights"
BEGINNING = datetime(2026, 11, 20, 17, 30, tzinfo=UTC)
"""00:30 of the next day in the nights' time zone."""


class StandingClock:
    """A clock that is only advanced explicitly, so that the number of requests makes no difference."""

    def __init__(self) -> None:
        self.now = BEGINNING

    def __call__(self) -> datetime:
        return self.now


@contextmanager
def no_chance(seed: str) -> Iterator[None]:
    """Replace the system's randomness (salts, ids of requests) by constant bytes."""

    def bytes_of(count: int) -> bytes:
        return random.Random(f"{seed} {count}").randbytes(count)

    with (
        patch.object(os, "urandom", bytes_of),
        patch.object(random.SystemRandom, "randbytes", lambda self, count: bytes_of(count)),
    ):
        yield


@contextmanager
def in_zone(zone: str) -> Iterator[None]:
    """Set the time zone of the server."""
    with patch.dict(os.environ, TZ=zone):
        time.tzset()
        yield
    time.tzset()


@dataclass
class House:
    """A deterministic installation."""

    app: Flask
    clock: StandingClock
    url: str

    @contextmanager
    def recorder(self) -> Iterator[Recorder]:
        """Another recorder over its database, as for the command line."""
        store = Store.open(self.url, web=False)
        try:
            yield Recorder(store, KEY, self.clock)
        finally:
            store.close()

    def carry(self, replay: Path, seed: str = "") -> str:
        """Import a replay or a moves file. Returns the id of its night, which depends on the seed or file name."""
        self.clock.now = BEGINNING
        text = replay.read_text(encoding="utf-8")
        night = notation.replay(notation.read(as_replay(text).text if is_moves_file(text) else text))
        with self.recorder() as recorder, no_chance(seed or replay.name):
            return import_tln(recorder, night).night


@contextmanager
def house(folder: Path) -> Iterator[House]:
    """A deterministic installation with a new database."""
    url, clock = f"sqlite:///{folder / 'ledger.db'}", StandingClock()
    migrate(url)
    with standing(url, clock) as app:
        yield House(app, clock, url)


@contextmanager
def standing(url: str, clock: StandingClock | None = None) -> Iterator[Flask]:
    """The web application over a database, deterministic."""
    settings = Settings(database_url=url, key=KEY, writes=Rate(1_000_000), new_nights=Rate(1_000_000))
    app, timed = create_app(settings), partial(Recorder, clock=clock or StandingClock())
    with (
        patch.object(
            Recorder,
            "open",
            lambda url, key, on_committed: timed(Store.open(url), key, on_committed=on_committed),
        ),
        app.app_context(),
    ):
        opened = recorder()
    with in_zone("Asia/Ho_Chi_Minh"), no_chance("a page"):
        yield app
    opened.store.close()


@dataclass
class Teller:
    """Records a story through the interface, one entry a minute, and keeps the answers."""

    house: House
    story: Story
    answers: list[tuple[str, Data]] = field(default_factory=list)
    after: str = ""
    entries: int = 0
    tokens: Data = field(default_factory=dict)
    language: str = "vi"
    tries: bool = True
    """Whether each entry is previewed before it is recorded."""

    def tell(self) -> None:
        """Open the night and record every line of the story."""
        self.open()
        for line in filter(None, map(str.strip, self.story.lines.splitlines())):
            self.record(line)

    def open(self) -> None:
        """Open the night at BEGINNING."""
        self.house.clock.now = BEGINNING
        self.tokens, self.after = self.send_opening()["tokens"], self.story.id

    def send_opening(self) -> Data:
        """Send the request that opens the night; returns the answer."""
        night = self.story.id
        return self._sent("", "opens", "", {"id": night, "secret": UUID(night).hex, **self.story.opening})

    def record(self, line: str) -> None:
        """Record a line; one with the prefix `? ` must be refused."""
        refused = line.startswith("? ")
        ((kind, content),) = read_story(line.removeprefix("? "))
        self.entries += 1
        self.house.clock.now = BEGINNING + timedelta(minutes=self.entries)
        token = self.tokens["keeper"]
        if KINDS[kind].recorded_by is Role.SEAT:
            token = self.tokens["seats"][content.pop("player")]
        event = {"id": str(uuid5(UUID(self.story.id), str(self.entries))), "kind": kind, **content}
        if KINDS[kind].depends_on_play():
            event["after"] = self.after
        path = f"/{self.story.id}/events"
        if self.tries:
            self._sent(f"{path}?preview=true", f"try {line}", token, event)
        recorded = self._sent(path, line, token, event)
        assert ("code" in recorded) == refused, f"{line}: {recorded}"
        if not refused:
            self.tokens = recorded.get("tokens", self.tokens)
            self.after = event["id"] if "after" in event else self.after

    def _sent(self, path: str, line: str, token: str, data: Data) -> Data:
        headers = {"Accept-Language": self.language} | ({"Authorization": f"Bearer {token}"} if token else {})
        with no_chance(f"salts of {self.story.id}"):
            response = self.house.app.test_client().post(f"{NIGHTS}{path}", json=data, headers=headers)
        answer: Data = response.get_json()
        self.answers.append((line, answer))
        return answer


def old_database(folder: Path, revision: str) -> str:
    """A database of an old schema, migrated to the newest; returns its URL."""
    path = folder / f"{revision}.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((GOLDEN / f"{revision}.sql").read_text(encoding="utf-8"))
    url = f"sqlite:///{path}"
    migrate(url)
    return url

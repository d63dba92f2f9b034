"""A night that a recorder keeps, with its keeper's phone."""

import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, is_dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any, cast

import pytest
from sqlalchemy import text

from ledger.game.rulesets import PRESETS
from ledger.game.terms import Stake, Terms
from ledger.language import speaker
from ledger.recorder import (
    KINDS,
    EventRequest,
    Link,
    NightSnapshot,
    Problem,
    Recorded,
    Recorder,
    Role,
    export_tln,
    preview,
)
from ledger.recorder.history import is_recording
from ledger.recorder.views.entry import EntryRow
from ledger.store import Store
from tests.game.table import lay_all
from tests.nights import Data, Telling, new_id
from tests.stories import read_story

RECORDS = Path(__file__).parent.parent / "records"
CLASSIC = "southern-classic"
WINNER_TAKES_ALL = "southern-winner-takes-all"
NAMES = ("An", "Bình", "Chi", "Dũng", "Em Thảo")
KEY = bytes(range(32))
SECRET = bytes(range(16))
"""The secret of the phone that opens a night."""
SAY = speaker("vi").finding
TABLES = ("night", "event", "correction", "payment", "person", "group_entry")


class Clock:
    """A clock that advances by a second at each call."""

    def __init__(self) -> None:
        self._looks = count()

    def __call__(self) -> datetime:
        return datetime(2026, 11, 20, 20, 15, tzinfo=UTC) + timedelta(seconds=next(self._looks))


def plain(view: Any) -> Any:
    """A view as plain data; an entry without most of its empty fields."""
    if isinstance(view, EntryRow):
        kept = ("combination", "code", "clause")
        values = {one.name: getattr(view, one.name) for one in fields(view)}
        return {name: plain(value) for name, value in values.items() if value is not None or name in kept}
    if is_dataclass(view) and not isinstance(view, type):
        return {one.name: plain(getattr(view, one.name)) for one in fields(view)}
    if isinstance(view, dict):
        return {name: plain(value) for name, value in view.items()}
    return [*map(plain, view)] if isinstance(view, list | tuple) else view


def links_of(recorder: Recorder, tokens: Iterable[str]) -> dict[str, Link]:
    """Token -> its link; those that open nothing now are left out."""
    with recorder.snapshot() as snapshot:
        return snapshot.read_tokens(tokens)


@dataclass
class Table(Telling[Recorded]):
    """A night with its keeper's phone, whose requests follow the last entry that it saw."""

    recorder: Recorder
    night: str
    after: str = ""
    recorded: list[Recorded] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.after = self.after or self.night

    @property
    def keeper(self) -> Link:
        return Link(self.night, Role.KEEPER)

    def request(self, kind: str, content: Data, **fields: Any) -> EventRequest:
        event = self.event(kind)
        return EventRequest(
            **{"id": event["id"], "after": event.get("after"), "kind": kind, "content": content} | fields
        )

    def deliver(self, event: Data) -> Recorded:
        content = {name: value for name, value in event.items() if name not in ("id", "after", "kind")}
        return self.send(EventRequest(event["id"], event.get("after"), event["kind"], content))

    def send(self, request: EventRequest) -> Recorded:
        """Record a request unchanged; afterwards the phone has seen its entry."""
        recorded = self.recorder.record(self.night, *self.asked(request))
        if is_recording(request.kind):
            self.after = request.id
        self.recorded.append(recorded)
        return recorded

    def asked(self, request: EventRequest) -> tuple[EventRequest, Link]:
        """A request with the link that may record it: the player's seat for entries of seats, else the keeper."""
        if KINDS[request.kind].recorded_by is not Role.SEAT:
            return request, self.keeper
        content = dict(request.content)
        seat = Link(self.night, Role.SEAT, content.pop("player"))
        return replace(request, content=content), seat

    def preview(self, kind: str, **content: Any) -> dict[str, Any]:
        """The preview of an entry."""
        request, link = self.asked(self.request(kind, content))
        with self.recorder.night(self.night) as snapshot:
            would: dict[str, Any] = plain(preview(snapshot, request, link, SAY))
            return would

    @property
    def ask(self) -> NightSnapshot:
        return asked(self.recorder, self.night)

    def board(self) -> dict[str, Any]:
        board: dict[str, Any] = plain(self.ask.board(self.keeper, SAY))
        return board

    def round(self) -> dict[str, Any]:
        """The round on the board."""
        round: dict[str, Any] = self.board()["round"]
        return round

    def log(self, *, after: int = 0, limit: int | None = None) -> list[dict[str, Any]]:
        """The events of the log."""
        events: list[dict[str, Any]] = plain(self.ask.log(after=after, limit=limit).events)
        return events

    def page(self, number: int) -> dict[str, Any]:
        page: dict[str, Any] = plain(self.ask.round_page(number, SAY))
        return page

    def replay_text(self) -> str:
        """The night as a replay."""
        return export_tln(self.recorder, self.night)

    def restarted(self) -> "Table":
        """The same night after a restart of the server, with empty caches."""
        return Table(Recorder(self.recorder.store, KEY, Clock()), self.night, self.after)

    def refused(self, line: str) -> Problem:
        """The problem with which an entry is refused; checks that the store is unchanged."""
        before = self.contents()
        ((kind, content),) = read_story(line)
        with pytest.raises(Problem) as caught:
            self.record(kind, **content)
        assert self.contents() == before
        return caught.value

    def contents(self) -> dict[str, list[tuple[Any, ...]]]:
        """All rows of the store, by table."""
        with self.recorder.store.reading() as reader:
            return {
                name: [tuple(row) for row in reader.rows(text(f"SELECT * FROM {name}"), {})]
                for name in TABLES
            }


def asked(recorder: Recorder, night: str) -> NightSnapshot:
    """A night's snapshot whose every access runs in a new transaction, on the night at that time."""
    return cast(NightSnapshot, _Asked(recorder, night))


@dataclass(frozen=True)
class _Asked:
    recorder: Recorder
    night: str

    def __getattr__(self, name: str) -> Any:
        with self.recorder.night(self.night) as snapshot:
            found = getattr(snapshot, name)
        if not callable(found):
            return found

        def answer(*args: Any, **more: Any) -> Any:
            with self.recorder.night(self.night) as snapshot:
                return getattr(snapshot, name)(*args, **more)

        return answer


def open_table(
    recorder: Recorder,
    players: int = 4,
    *,
    ruleset: str = CLASSIC,
    rules: Iterable[str] = (),
    stake: Stake | None = None,
) -> Table:
    """Open a new night."""
    night = new_id()
    agreed = lay_all(PRESETS[ruleset], rules)
    recorder.open_night(night, secret=SECRET, terms=Terms(agreed, stake), players=NAMES[:players])
    return Table(recorder, night)


def record_text(number: int) -> str:
    """The replay of a night that was scored by hand."""
    return (RECORDS / f"southern-{number:02}.tln").read_text(encoding="utf-8")


@contextmanager
def opened(path: Path, template: Path, *, web: bool = True) -> Iterator[Recorder]:
    """A recorder over a new database."""
    shutil.copyfile(template, path)
    store = Store.open(f"sqlite:///{path}", web=web)
    try:
        yield Recorder(store, KEY, Clock())
    finally:
        store.close()

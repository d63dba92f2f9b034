"""An endless night, the same at every run: its n-th entry and that entry's id depend only on the night and n. So
the successor of a killed writer can send again what was not acknowledged, as a phone does, and continue."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, Final
from uuid import UUID, uuid5

from ledger.game.rulesets import PRESETS
from ledger.game.terms import Terms
from ledger.recorder import EventRequest, Link, Recorder, Role, audit
from ledger.recorder.history import is_recording
from ledger.recorder.operations.damaged_logs import tell_log
from ledger.store import Head, Store, StoredEvent
from ledger.store.chain import break_after
from tests.recorder.tables import CLASSIC, KEY, NAMES, SECRET
from tests.stories import read_story

LINES: Final = tuple(Path(__file__).with_name("night.txt").read_text(encoding="utf-8").splitlines())
"""A round with an undo and a redo, an adjustment and a rename; repeated for ever."""


def nights() -> Iterator[str]:
    return (str(uuid5(UUID(int=0), f"night {number}")) for number in count())


def entry(night: str, number: int) -> EventRequest:
    """The entry to record at this seq, counted from 1."""
    kind, content = _entry(number)
    recording = (n for n in range(number - 1, 0, -1) if is_recording(_entry(n)[0]))
    before = next(recording, 0)
    after = (_id(night, before) if before else night) if is_recording(kind) else None
    return EventRequest(id=_id(night, number), after=after, kind=kind, content=content)


def open_night(recorder: Recorder, night: str, players: Sequence[str] = NAMES[:2]) -> str:
    """Open a night; returns its hash."""
    return recorder.open_night(night, secret=SECRET, terms=Terms(PRESETS[CLASSIC]), players=players).hash


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a night's log: the seq and hash of an entry."""

    seq: int
    hash: str

    def __str__(self) -> str:
        return f"{self.seq} {self.hash}"

    @classmethod
    def of(cls, row: StoredEvent | Head) -> "Place":
        return cls(row.seq, row.hash.hex())

    @classmethod
    def read(cls, line: str) -> "Place":
        seq, hash = line.split()
        return cls(int(seq), hash)


def record(
    recorder: Recorder, night: str, *, after: int, acknowledge: Callable[[Place], None]
) -> Iterator[Place]:
    """Record one entry after another, acknowledging each. Raises AssertionError if one is recorded twice."""
    keeper = Link(night, Role.KEEPER)
    for number in count(after + 1):
        recorded = recorder.record(night, entry(night, number), keeper)
        assert recorded.seq == number, f"entry {number} is recorded as {recorded.seq}"
        acknowledge(place := Place(recorded.seq, recorded.hash))
        yield place


def missing(store: Store, night: str, since: Place, acknowledged: list[Place]) -> list[str]:
    """Faults in the log after a place: acknowledged entries that are missing, and breaks of the chain."""
    with store.reading() as reader:
        rows = reader.events(night, after=since.seq)
    there = {since, *map(Place.of, rows)}
    faults = [f"lost: {place}" for place in acknowledged if place not in there]
    seq, head = since.seq, bytes.fromhex(since.hash)
    for row in rows:
        if broken := break_after(seq, head, row):
            faults.append(f"broken: {broken}")
        seq, head = row.seq, row.hash
    return faults


def audited(url: str, *, killed: bool = False) -> list[str]:
    """The findings of a database's audit, one line each. Whoever is `killed` may leave a frame of the log that was
    being written: the audit tells it, and it is no fault."""
    with closing(Store.open(url, web=False)) as store:
        left = [tell_log(log) for log in store.damaged_logs()] if killed else []
        return [
            f"audit: {found.night} {found.seq} {found.what}"
            for found in audit(Recorder(store, KEY))
            if found.what not in left
        ]


def _entry(number: int) -> tuple[str, dict[str, Any]]:
    line = LINES[(number - 1) % len(LINES)].replace("{number}", str(number))
    ((kind, content),) = read_story(line)
    return kind, content


def _id(night: str, number: int) -> str:
    return str(uuid5(UUID(night), str(number)))

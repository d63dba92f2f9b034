"""The exact log of a night as JSON lines: exported from one database, imported into another, with the same head.

    {"line":"night","body":TEXT,"hash":HEX}
    {"line":"people","people":[{"player":"p1","name":NAME or null,"salt":HEX or null}, …]}
    {"line":"event","body":TEXT,"hash":HEX}          one for each event, in order

A body is the exact text that was hashed, as a JSON string; it includes payments and corrections. The people are
those at the last event, with their names then.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any, Final

from ledger.store.chain import NOT_OF_THE_TEXT, break_after, matches_commitment, night_hash
from ledger.store.errors import LogAltered, LogUnlinked, LogUnreadable, NightExists, StoreRefused
from ledger.store.event_codec import (
    BodyUnreadable,
    NewEvent,
    get,
    new_event,
    read_event,
    read_night,
    read_object,
    write_text,
)
from ledger.store.heads import Head
from ledger.store.log import Reader, Writer
from ledger.store.models import Night, Person

_PAGE: Final = 1000
_PEOPLE: Final = 2  # line number
_FIRST_EVENT: Final = 3


@dataclass(frozen=True, slots=True)
class ExactLog:
    """A night read from an exact log, its chain and names verified."""

    night: Night
    people: tuple[Person, ...]
    events: tuple[NewEvent, ...]
    head: Head

    def hash_at(self, seq: int) -> bytes:
        """The hash of an entry; seq 0 is the night itself."""
        return self.head.hash if seq == self.head.seq else self.events[seq].row.prev


def export_lines(read: Callable[[], AbstractContextManager[Reader]], night: str) -> Iterator[str]:
    """Yield the lines of a night's exact log, up to its current head. Raises LookupError.

    The log is read in pages, each in its own transaction: a moment that a slow consumer kept would keep SQLite's
    write-ahead log from being emptied.
    """
    with read() as reader:
        row, people, head = reader.night(night), reader.people(night), reader.head(night)
    if row is None:
        raise LookupError(f"no night {night}")
    yield write_text({"line": "night", "body": row.body, "hash": row.hash.hex()})
    listed = [
        {"player": one.player, "name": one.name, "salt": None if one.salt is None else one.salt.hex()}
        for one in people
    ]
    yield write_text({"line": "people", "people": listed})
    seq = 0
    while seq < head.seq:
        with read() as reader:
            events = reader.events(night, after=seq, limit=min(_PAGE, head.seq - seq))
        for event in events:
            yield write_text({"line": "event", "body": event.body, "hash": event.hash.hex()})
        seq = events[-1].seq


def read_lines(lines: Iterable[str]) -> ExactLog:
    """Read a whole exact log. Raises LogUnreadable at the first invalid line, LogAltered at the first that does not
    verify."""
    number, reading = 0, _Reading()
    try:
        for number, line in enumerate(lines, start=1):  # noqa: B007 - the handler reports the line
            reading.take(line)
        log = reading.finished()
        number = _PEOPLE
        reading.check_names(log.people)
        return log
    except _Altered as error:
        raise LogAltered(number, str(error)) from error
    except (BodyUnreadable, ValueError) as error:
        raise LogUnreadable(number, str(error)) from error


def append(writer: Writer, log: ExactLog) -> None:
    """Append a night as if it were recorded now. Raises NightExists; LogAltered if the database refuses a row."""
    if writer.night(log.night.id) is not None:
        raise NightExists(f"the night {log.night.id} is in this database already")
    line = 1
    try:
        writer.create_night(log.night, log.people)
        for line, event in enumerate(log.events, start=_FIRST_EVENT):  # noqa: B007
            writer.append(event)
    except StoreRefused as error:
        raise LogAltered(line, f"the database refuses it: {error}") from error


class _Altered(Exception):
    """A line does not verify; the message says why."""


def missing_tail(reader: Reader, log: ExactLog) -> tuple[NewEvent, ...]:
    """The events of a log after the head of its night in this database. Raises LogUnlinked if there are none."""
    night = log.night.id
    row = reader.night(night)
    if row is None:
        raise LogUnlinked(f"the night {night} is not in this database: import all of it")
    if row.hash != log.hash_at(0):
        raise LogUnlinked(
            f"the night {night} was opened otherwise in this database: it is not the same night"
        )
    head = reader.head(night)
    for event in reader.events(night, limit=log.head.seq):
        if event.hash != log.hash_at(event.seq):
            raise LogUnlinked(
                f"the log and this database differ from entry {event.seq} on: one is not the other's tail"
            )
    if log.head.seq <= head.seq:
        raise LogUnlinked(
            f"nothing is missing: the log ends at entry {log.head.seq}, this database at {head.seq}"
        )
    return log.events[head.seq :]


class _Reading:
    """The state of reading an exact log: its parts so far, and the head after them."""

    def __init__(self) -> None:
        self._night: Night | None = None
        self._committed: dict[str, str] = {}
        self._people: tuple[Person, ...] | None = None
        self._events: list[NewEvent] = []
        self._head = b""

    def take(self, line: str) -> None:
        """Read the next line. Raises _Altered, BodyUnreadable, ValueError."""
        fields = read_object(line)
        kind = get(fields, "line", str)
        if self._night is None:
            _expect("night", kind)
            self._take_night(*_sealed(fields))
        elif self._people is None:
            _expect("people", kind)
            night = self._night.id
            self._people = tuple(_read_person(night, person) for person in get(fields, "people", list))
        else:
            _expect("event", kind)
            self._take_event(*_sealed(fields), self._night.id)

    def finished(self) -> ExactLog:
        """The complete log, after the last line. Raises BodyUnreadable if it is too short."""
        if self._night is None or self._people is None:
            raise BodyUnreadable("the log ends before its people")
        head = Head(len(self._events), self._head)
        return ExactLog(self._night, self._people, tuple(self._events), head)

    def check_names(self, people: Iterable[Person]) -> None:
        """Raise _Altered unless these are the players, each with the name that the log commits to.

        Called at the end, as players join and are renamed during a night.
        """
        players = [person.player for person in people]
        if len(set(players)) != len(players) or set(players) != self._committed.keys():
            raise _Altered("these are not the players of the night")
        for person in people:
            if not matches_commitment(self._committed[person.player], person.name, person.salt):
                raise _Altered(f"the name of {person.player} is not the one that the night is committed to")

    def _take_night(self, text: str, sealed: bytes) -> None:
        if night_hash(text) != sealed:
            raise _Altered("the night's hash is not that of its text")
        with _inside_a_text():
            body = read_night(text)
        self._committed, self._head = dict(body.players), sealed
        self._night = Night(
            id=body.night, format=body.format, body=text, hash=sealed, created_at=body.created_at
        )

    def _take_event(self, text: str, sealed: bytes, night: str) -> None:
        with _inside_a_text():
            body = read_event(text)
        event = new_event(body, text, self._head)
        if broken := break_after(len(self._events), self._head, event.row):
            raise _Altered(broken)
        if event.row.hash != sealed:
            raise _Altered(NOT_OF_THE_TEXT)
        if body.night != night:
            raise _Altered("the event is another night's")
        self._events.append(event)
        self._committed |= body.names
        self._head = sealed


@contextmanager
def _inside_a_text() -> Iterator[None]:
    """Raise _Altered for an invalid text inside a valid line."""
    try:
        yield
    except BodyUnreadable as error:
        raise _Altered(f"the text cannot be read: {error}") from error


def _read_person(night: str, fields: object) -> Person:
    if not isinstance(fields, dict):
        raise BodyUnreadable("a person is not an object")
    player = get(fields, "player", str)
    if fields.get("name") is None and fields.get("salt") is None:
        return Person(night=night, player=player, name=None, salt=None)
    name, salt = get(fields, "name", str), bytes.fromhex(get(fields, "salt", str))
    return Person(night=night, player=player, name=name, salt=salt)


def _expect(wanted: str, found: str) -> None:
    if found != wanted:
        raise BodyUnreadable(f"a line of the kind {wanted!r} comes here")


def _sealed(fields: Mapping[str, Any]) -> tuple[str, bytes]:
    return get(fields, "body", str), bytes.fromhex(get(fields, "hash", str))

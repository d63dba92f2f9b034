"""The store of one process: its transactions, on any database system."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self, TypeVar
from weakref import finalize

from sqlmodel import col, func, select, tuple_

from ledger.store import exchange, verify
from ledger.store.database import DamagedLog, Database, Standbys
from ledger.store.errors import StoreDamaged, StoreNotConforming, StoreRefused
from ledger.store.event_codec import BodyUnreadable, get, read_object
from ledger.store.heads import Head
from ledger.store.links import note_digest
from ledger.store.log import Reader, Writer
from ledger.store.models import Event, LinkKey, Night
from ledger.store.schema import is_current, revision_of
from ledger.store.systems import open_database
from ledger.store.verify import AuditedEvent, Listed, LogDifference, listed_nights

_MANY: Final = 200
"""Nights per query."""


@dataclass(frozen=True, slots=True)
class Description:
    """What a database holds. `schema` is its revision, `size` in bytes, `newest` the time of the newest entry."""

    system: str
    schema: str | None
    size: int
    nights: int
    entries: int
    newest: str | None


def describe(reader: Reader, schema: str | None, system: str, size: int) -> Description:
    """Describe a database that conforms, by reading the last entry of every night."""
    nights = listed_nights(reader)
    times: list[str | None] = list(reader.all(select(func.max(Night.created_at))))
    for first in range(0, len(nights), _MANY):
        last = tuple_(col(Event.night), col(Event.seq)).in_(nights[first : first + _MANY])
        times += [_time(body) for body in reader.all(select(Event.body).where(last))]
    return Description(
        system=system,
        schema=schema,
        size=size,
        nights=len(nights),
        entries=sum(night.entries for night in nights),
        newest=max(filter(None, times), default=None),
    )


def _time(body: str) -> str | None:
    """When an entry was recorded; None if it cannot be read, which the audit reports."""
    try:
        return get(read_object(body), "at", str)
    except BodyUnreadable:
        return None


MOST_AT_ONCE: Final = 3_000
"""The most entries appended in one transaction while a server runs: on SQLite no table can record meanwhile. So
many, a long evening, take 150 ms."""

_Answer = TypeVar("_Answer")


class Store:
    """One per process, made after the fork by `Store.open`. Threads share it.

    A thread has one transaction that writes at a time. An unclosed store is closed when collected, but not
    at the exit of a process, which may have inherited it by a fork.
    """

    def __init__(self, database: Database, url: str) -> None:
        self.url = url
        """The address, for other processes to open the same database. Never show it: it may have a password."""
        self._database = database
        self._closed = finalize(self, database.close)
        self._closed.atexit = False
        self._differences: tuple[str, ...] = ()

    @classmethod
    def open(cls, url: str, *, web: bool = True) -> Self:
        """Open a database made by `migrate`; the connections of a `web` store can only read and append.

        A database that does not conform can be read and audited, but not written.
        Raises StoreAddressUnusable, StoreUnavailable, and StoreNotConforming if there is no database.
        """
        store = cls(open_database(url, web=web), url)
        try:
            store.differences()
        except BaseException:
            store.close()
            raise
        return store

    def close(self) -> None:
        """Close every connection, once."""
        self._closed()

    def warm_up(self) -> None:
        """Open the connections that the first requests would wait for. Raises StoreUnavailable."""
        self._database.warm_up()

    def is_replaced(self) -> bool:
        """Whether the file at the database's path is another than the one opened: then open a new store."""
        return self._database.is_replaced()

    @contextmanager
    def reading(self) -> Iterator[Reader]:
        """A reader of one moment, however long the block lasts; no writer waits for it, and it waits for none.
        Raises StoreUnavailable."""
        with self._database.reading() as connection:
            yield Reader(connection)

    @contextmanager
    def writing(self, *nights: str, forgets: bool = False, entries: int = 1) -> Iterator[Writer]:
        """A transaction that appends; committed and synced when its block ends, all of it or nothing.

        Only `nights` are locked if the system can lock nights separately (PostgreSQL). Only a transaction that
        `forgets` can change or erase a name. For more `entries` than MOST_AT_ONCE, SQLite raises StoreBusy while
        another process has the database open. Raises StoreUnavailable, StoreRefused.
        """
        if self._differences:
            raise StoreNotConforming(self._differences)
        long = entries > MOST_AT_ONCE
        with self._database.writing(nights, forgets=forgets, long=long) as connection:
            yield Writer(connection, forgets)

    def confirm(self, *nights: str) -> None:
        """Return once what a reader has seen in some nights is as safe as a commit, so that it may be acknowledged.
        Raises StoreUnavailable."""
        self._database.confirm(nights)

    def differences(self) -> tuple[str, ...]:
        """How the schema and settings differ from those required, in words. Any difference bars writing."""
        with self._database.inspecting() as connection:
            if is_current(connection):
                self._differences = self._database.differences(connection)
            else:
                self._differences = ("the schema is not this version's: migrate",)
        return self._differences

    def check(self) -> None:
        """Raise StoreUnavailable unless the database conforms and can be read and written. Nothing is written, and
        readers do not wait."""
        if self.differences():
            raise StoreNotConforming(self._differences)
        self._database.require_writable()

    def damaged_logs(self) -> Sequence[DamagedLog]:
        """The logs of which a part could not be read when the database was opened; a host removes them once nothing
        is missing any more. Raises StoreUnavailable."""
        return self._database.damaged_logs()

    def standbys(self) -> Standbys | None:
        """The standbys of the database's server; None for a system without standbys. Raises StoreUnavailable."""
        return self._database.standbys()

    def key_digest(self) -> bytes | None:
        """The stored digest of the key that signed the links; None if there is none. Raises StoreUnavailable."""
        with self.reading() as reader:
            return reader.connection.scalar(select(LinkKey.digest))

    def note_key(self, digest: bytes) -> None:
        """Store the digest of the key that signs links, unless one is. Raises StoreUnavailable, StoreRefused."""
        if self.key_digest() is not None:
            return
        try:
            with self.writing("") as writer:
                note_digest(writer.connection, digest)
        except StoreRefused:
            if self.key_digest() is None:  # otherwise another host has just stored it
                raise

    # The audit, in independent parts. Other transactions may run between two differences.

    def damages(self, *, quick: bool = False) -> list[LogDifference]:
        """The findings of the database system's own checks of its files; of the `quick` ones alone if asked."""
        try:
            return [LogDifference(None, 0, damage) for damage in self._database.damages(quick=quick)]
        except StoreDamaged as error:
            return [LogDifference(None, 0, str(error))]

    def listed_nights(self) -> list[Listed]:
        """All nights, the oldest first, each with the number of its events. Raises StoreDamaged."""
        with self._inspecting() as reader:
            return verify.listed_nights(reader)

    def audit(self, night: str | Listed) -> Iterator[Night | AuditedEvent | LogDifference]:
        """Yield a night and its events, in order, each followed by its differences from its text.

        Raises LookupError if the night does not exist; for a `Listed` night that is a difference.
        """
        id = night.night if isinstance(night, Listed) else night
        try:
            yield from verify.audit_night(self._look, id)
        except StoreDamaged as error:
            yield LogDifference(id, 0, str(error))
        except LookupError:
            if id is night:
                raise
            yield LogDifference(id, 0, "the night is listed, and is not there")
        except UnicodeEncodeError:
            if id is night:
                raise
            yield LogDifference(id, 0, "the night's id is no text any more")

    def strays(self) -> list[LogDifference]:
        """Rows of nights that do not exist."""
        try:
            with self._inspecting() as reader:
                return list(verify.strays(reader))
        except StoreDamaged as error:
            return [LogDifference(None, 0, str(error))]

    def describe(self) -> Description:
        """Describe the database: system, schema, and size."""
        with self._database.inspecting() as connection:
            facts = revision_of(connection), *self._database.facts(connection)
        return self._look(lambda reader: describe(reader, *facts))

    def export_log(self, night: str) -> Iterator[str]:
        """The lines of a night's exact log, without line ends. Raises LookupError."""
        return exchange.export_lines(self.reading, night)

    def import_log(self, lines: Iterable[str]) -> tuple[str, Head]:
        """Read an exact log and append its night, as `append_log` does. Raises LogUnreadable with the line."""
        log = exchange.read_lines(lines)
        self.append_log(log)
        return log.night.id, log.head

    def append_log(self, log: exchange.ExactLog) -> None:
        """Append the night of an exact log as if it were recorded now, with the head that it has in the log.

        Neither rules nor rights are checked: a log from elsewhere must be verified first.
        Raises LogAltered, NightExists, StoreUnavailable; then nothing was recorded.
        """
        with self.writing(log.night.id, entries=len(log.events)) as writer:
            exchange.append(writer, log)

    def copy_to(self, file: Path) -> None:
        """Copy the whole database, as of one moment, to a new file, and sync it.

        Recording goes on meanwhile. Wrong values are copied unchanged: a copy is a backup only once it was audited.
        Raises StoreUnavailable, StoreDamaged for what cannot be read or belongs to no night.
        """
        for stray in self.strays():
            raise StoreDamaged(stray.what)
        self._database.copy_to(file)

    def watching(self) -> AbstractContextManager[Callable[[], bool]]:
        """A function for one thread that returns whether any process has written since its last call; True on the
        first. Both raise StoreUnavailable."""
        return self._database.watching()

    def _look(self, ask: Callable[[Reader], _Answer]) -> _Answer:
        """Query by pooled connections; if a text is damaged, by a connection that can read it."""
        try:
            with self.reading() as reader:
                return ask(reader)
        except StoreDamaged:
            with self._inspecting() as reader:
                return ask(reader)

    @contextmanager
    def _inspecting(self) -> Iterator[Reader]:
        with self._database.inspecting() as connection:
            yield Reader(connection)

"""The store of one process: its transactions, whatever database system they go through."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self, TypeVar
from weakref import finalize

from sqlmodel import col, func, select, tuple_

from ledger.store import exchange, verify
from ledger.store.database import Database, Standbys
from ledger.store.errors import StoreDamaged, StoreNotConforming, StoreRefused
from ledger.store.event_codec import BodyUnreadable, get, read_object
from ledger.store.links import known_digest, note_digest
from ledger.store.log import Head, NightHead, Reader, Snapshot, Writer
from ledger.store.models import Event, Night
from ledger.store.schema import is_current, revision_of
from ledger.store.systems import open_database
from ledger.store.verify import AuditedEvent, Difference, Listed, listed_nights

_MANY: Final = 200
"""Nights that are asked about at once."""


@dataclass(frozen=True, slots=True)
class Description:
    """`schema` is the revision that the migrations have come to, `newest` the time of the newest entry."""

    system: str
    schema: str | None
    size: int
    nights: int
    entries: int
    newest: str | None


def describe(reader: Reader, schema: str | None, system: str, size: int) -> Description:
    """A database that conforms. Walks over every night."""
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
    """When an entry was recorded; None of one that cannot be read, which is for an audit to say."""
    try:
        return get(read_object(body), "at", str)
    except BodyUnreadable:
        return None


MOST_AT_ONCE: Final = 3_000
"""Entries that a night may be given in one transaction beside a server: on SQLite no table can record meanwhile,
which is 150 ms for so many, a long evening."""

_Answer = TypeVar("_Answer")


class Store:
    """One per process, made after the fork by `Store.open`. Threads share it.

    A thread has one transaction at a time: none inside another. What nobody closes is closed when the store is
    gone, but not at a process's end: it may have the store from the one that it was forked from.
    """

    def __init__(self, database: Database, url: str) -> None:
        self.url = url
        """Where another process opens the same database: no text to be shown, a password may be in it."""
        self._database = database
        finalize(self, database.close).atexit = False
        self._differences: tuple[str, ...] = ()

    @classmethod
    def open(cls, url: str, *, web: bool = True) -> Self:
        """Open a database that `migrate` has made; a `web` store's connections can only read and append.

        A database that does not conform can be read and audited, and refuses to be written.
        Raises StoreAddressUnusable, StoreUnavailable, and StoreNotConforming where there is no database.
        """
        store = cls(open_database(url, web=web), url)
        try:
            store.differences()
        except BaseException:
            store.close()
            raise
        return store

    def close(self) -> None:
        """Close every connection."""
        self._database.close()

    def warm_up(self) -> None:
        """Make ready what the first requests would wait for. Raises StoreUnavailable."""
        self._database.warm_up()

    def is_replaced(self) -> bool:
        """Whether another file, or none, lies where the database was opened: whoever goes on opens it anew."""
        return self._database.is_replaced()

    @contextmanager
    def reading(self) -> Iterator[Reader]:
        """What each night says, as of the moment at which it is asked about first, however long its block lasts:
        writers wait for single questions only. Raises StoreUnavailable."""
        with self._database.reading() as moment:
            yield Snapshot(moment)

    def night_head(self, night: str, revoking: str) -> NightHead | None:
        """What every request asks of a night; None where there is none of that id. `revoking` is the kind of events
        that revoke links. Raises StoreUnavailable."""
        with self._database.reading() as moment:
            return Reader(moment).night_head(night, revoking)

    @contextmanager
    def writing(self, night: str, *, forgets: bool = False, entries: int = 1) -> Iterator[Writer]:
        """A transaction that appends; kept and synced once its block has ended, all of it or nothing.

        `night` is the one that is written: a database that can tell them apart lets other nights go on. Only one
        that `forgets` can take a name back. Of more `entries` than MOST_AT_ONCE, a database that cannot tell nights
        apart refuses to take any (StoreBusy) while another process has it open. Raises StoreUnavailable,
        StoreRefused.
        """
        self._require_conforming()
        long = entries > MOST_AT_ONCE
        with self._database.writing(night, forgets=forgets, long=long) as connection:
            yield Writer(connection, forgets)

    def differences(self) -> tuple[str, ...]:
        """How the schema and settings differ from what they must be, in words; what is found bars writing."""
        with self._database.inspecting() as connection:
            if is_current(connection):
                self._differences = self._database.differences(connection)
            else:
                self._differences = ("the schema is not this version's: migrate",)
        return self._differences

    def check(self) -> None:
        """Return if the database can be read and written, and conforms; nothing is written, and nobody who reads
        waits for it. Raises StoreUnavailable."""
        if self.differences():
            raise StoreNotConforming(self._differences)
        self._database.require_writable()

    def standbys(self) -> Standbys | None:
        """What follows the database's server, and what commits wait for; None where there can be no standby. Raises
        StoreUnavailable."""
        return self._database.standbys()

    def key_digest(self) -> bytes | None:
        """The digest of the key that links of these nights were made with; None if none was noted. Raises
        StoreUnavailable."""
        with self._database.reading() as moment, moment() as connection:
            return known_digest(connection)

    def note_key(self, digest: bytes) -> None:
        """Note the key that links are made with, if none was noted. Raises StoreUnavailable, StoreRefused."""
        if self.key_digest() is not None:
            return
        try:
            with self.writing("") as writer:
                note_digest(writer.connection, digest)
        except StoreRefused:
            if self.key_digest() is None:  # else another host was first, which starts at the same time
                raise

    # The audit, in parts of which each stands for itself. Other transactions may run between two differences.

    def damages(self) -> list[Difference]:
        """What the database system's own checks of its files find."""
        try:
            return [Difference(None, 0, damage) for damage in self._database.damages()]
        except StoreDamaged as error:
            return [Difference(None, 0, str(error))]

    def listed_nights(self) -> list[Listed]:
        """All nights, the oldest first, each with the number of its entries. Raises StoreDamaged."""
        return verify.listed_nights(Reader(self._database.inspecting))

    def audit(self, night: str | Listed) -> Iterator[Night | AuditedEvent | Difference]:
        """A night and its events as they are read, in order, and behind each what differs in it from what the log
        says.

        Raises LookupError for a night that is not there; that one of those that are listed is not is a difference.
        """
        id = night.night if isinstance(night, Listed) else night
        try:
            yield from verify.audit_night(self._look, id)
        except StoreDamaged as error:
            yield Difference(id, 0, str(error))
        except LookupError:
            if id is night:
                raise
            yield Difference(id, 0, "the night is listed, and is not there")
        except UnicodeEncodeError:
            if id is night:
                raise
            yield Difference(id, 0, "the night's id is no text any more")

    def strays(self) -> list[Difference]:
        """Rows of nights that are not there."""
        try:
            return list(verify.strays(Reader(self._database.inspecting)))
        except StoreDamaged as error:
            return [Difference(None, 0, str(error))]

    def describe(self) -> Description:
        """What the database is and how much lies in it."""
        with self._database.inspecting() as connection:
            facts = revision_of(connection), *self._database.facts(connection)
        return self._look(lambda reader: describe(reader, *facts))

    def export_log(self, night: str) -> Iterator[str]:
        """The exact log of a night: lines of JSON, without their ends. Raises LookupError."""
        return exchange.export_lines(self.reading, night)

    def import_log(self, lines: Iterable[str]) -> tuple[str, Head]:
        """Read an exact log and append its night, as `append_log` does. Raises LogUnreadable with the line."""
        log = exchange.read_lines(lines)
        self.append_log(log)
        return log.night.id, log.head

    def append_log(self, log: exchange.ExactLog) -> None:
        """Append the night of an exact log as if it were recorded now: it has the same head as where it came from.

        The rules are not asked, nor who may say what: whoever takes a log from elsewhere verifies it before.
        Raises LogAltered, NightExists, StoreUnavailable; then nothing was recorded.
        """
        with self.writing(log.night.id, entries=len(log.events)) as writer:
            exchange.append(writer, log)

    def copy_to(self, file: Path) -> None:
        """Write the whole database, each night as of one moment, to a new file, and sync it.

        Whoever records goes on meanwhile. What is said wrongly is copied as it is: a copy is a backup once `audit`
        found nothing in it. Raises StoreUnavailable, StoreDamaged for what cannot be read or belongs to no night.
        """
        for stray in self.strays():
            raise StoreDamaged(stray.what)
        self._database.copy_to(file)

    def watching(self) -> AbstractContextManager[Callable[[], bool]]:
        """A question for one thread to ask as often as it likes: was anything written since it asked last, by
        whichever process? The first answer is yes. Raises StoreUnavailable, as the question does."""
        return self._database.watching()

    def _require_conforming(self) -> None:
        if self._differences:
            raise StoreNotConforming(self._differences)

    def _look(self, ask: Callable[[Reader], _Answer]) -> _Answer:
        """Ask by connections that are kept, and inspect where a text is no text any more."""
        try:
            with self.reading() as reader:
                return ask(reader)
        except StoreDamaged:
            return ask(Snapshot(self._database.inspecting))

"""The store of one process: its connections, its lock, and the transactions that go through them."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as NoConnectionFree

from ledger.store import auditing, conformance, exchange, sqlite
from ledger.store.auditing import Difference
from ledger.store.errors import StoreBusy, StoreDamaged, StoreNotConforming, explained_files
from ledger.store.files import sync
from ledger.store.locking import LockFile
from ledger.store.migrating import is_current
from ledger.store.reading import Reader
from ledger.store.rows import Head
from ledger.store.writing import Writer


class Store:
    """One per process, made after the fork by `Store.open`. Threads share it.

    A thread has one transaction at a time: none inside another.
    """

    def __init__(self, path: Path, *, web: bool) -> None:
        self._path = path
        self._lock = LockFile(sqlite.lock_path(path))
        self._reading = sqlite.reading_engine(path, guarded=web)
        self._writing = sqlite.writing_engine(path, guarded=web)
        self._inspecting = sqlite.inspecting_engine(path)
        self._differences: tuple[str, ...] = ()

    @classmethod
    def open(cls, url: str, *, web: bool = True) -> "Store":
        """Open a database that `migrate` has made; a `web` store's connections can only read and append.

        A database that does not conform can be read and audited, and refuses to be written.
        Raises StoreAddressUnusable, StoreNewer, and StoreNotConforming where there is no database.
        """
        path = sqlite.database_path(url)
        if not path.is_file():
            raise StoreNotConforming((f"there is no database at {path}",))
        store = cls(path, web=web)
        try:
            store.differences()
        except BaseException:
            store.close()
            raise
        return store

    def close(self) -> None:
        """Close every connection."""
        for engine in (self._reading, self._writing, self._inspecting):
            engine.dispose()
        self._lock.close()

    @contextmanager
    def reading(self) -> Iterator[Reader]:
        """A transaction that reads: one moment of the log. Raises StoreUnavailable."""
        with _explained(), self._lock.shared(), self._reading.begin() as connection:
            yield Reader(connection)

    @contextmanager
    def writing(self, night: str) -> Iterator[Writer]:
        """A transaction that appends; kept and synced once its block has ended, all of it or nothing.

        `night` is the one that is written: a database that can tell them apart lets other nights go on.
        Raises StoreUnavailable, StoreRefused.
        """
        if self._differences:
            raise StoreNotConforming(self._differences)
        with _explained(), self._lock.exclusive(), self._writing.begin() as connection:
            yield Writer(connection)

    def differences(self) -> tuple[str, ...]:
        """How the schema and settings differ from what they must be, in words; what is found bars writing."""
        with self._inspect() as reader:
            if is_current(reader.connection):
                self._differences = conformance.differences(reader.connection)
            else:
                self._differences = ("the schema is not this version's: migrate",)
        return self._differences

    def check(self) -> None:
        """Return if the database can be read and written, and conforms. Raises StoreUnavailable."""
        if self.differences():
            raise StoreNotConforming(self._differences)
        with self.writing(""):
            pass

    def audit(self, night: str | None = None) -> Iterator[Difference]:
        """What is not as the log says, in one night or in the whole database; the first difference first.

        Raises LookupError for a night that is not there. Other transactions may run between two differences.
        """
        try:
            if night is not None:
                yield from auditing.audit_night(self._inspect, night)
                return
            with self._inspect() as reader:
                damages = list(sqlite.damages(reader.connection))
            yield from (Difference(None, 0, damage) for damage in damages)
            yield from auditing.audit_nights(self._inspect)
        except StoreDamaged as error:
            yield Difference(night, 0, str(error))

    def export_log(self, night: str) -> Iterator[str]:
        """The exact log of a night: lines of JSON, without their ends. Raises LookupError."""
        return exchange.export_lines(self.reading, night)

    def import_log(self, lines: Iterable[str]) -> tuple[str, Head]:
        """Append the night of an exact log; returns its id and its head, the same as where it came from.

        Raises LogUnreadable with the line, NightExists, StoreUnavailable; then nothing was recorded.
        """
        log = exchange.read_lines(lines)
        with self.writing(log.night.id) as writer:
            exchange.append(writer, log)
        return log.night.id, log.head

    def copy_to(self, file: Path) -> None:
        """Write the whole database, as of one moment, to a new file, and sync it; writers wait meanwhile.

        What is damaged is copied as it is: a copy is a backup once `audit` found nothing in it.
        Raises StoreUnavailable.
        """
        with self._inspect() as reader:
            sqlite.copy(reader.connection, file)
        with explained_files(f"the copy {file} cannot be kept"):
            sync(file)

    @contextmanager
    def watching(self) -> Iterator[Callable[[], bool]]:
        """A question for one thread to ask as often as it likes: was anything written since it asked last, by
        whichever process? The first answer is yes. Raises StoreUnavailable, as the question does."""
        with _explained(), self._inspecting.connect() as connection:
            seen: int | None = None

            def changed() -> bool:
                nonlocal seen
                with self._lock.shared():
                    before, seen = seen, sqlite.version(connection)
                return seen != before

            yield changed

    @contextmanager
    def _inspect(self) -> Iterator[Reader]:
        with _explained(), self._lock.shared(), self._inspecting.begin() as connection:
            yield Reader(connection)


@contextmanager
def _explained() -> Iterator[None]:
    """Failures of the database in the store's own words."""
    try:
        yield
    except NoConnectionFree as error:
        raise StoreBusy("every connection to the database was in use for too long") from error
    except DBAPIError as error:
        raise sqlite.translated(error) from error

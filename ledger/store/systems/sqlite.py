"""SQLite, a database in a file: its transactions, which wait in line at a lock file next to it."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Final, Self

from sqlalchemy import Connection

from ledger.store.database import NO_CONNECTION, Moment, explained, read_address
from ledger.store.errors import (
    StoreAddressUnusable,
    StoreBusy,
    StoreFailing,
    StoreNotConforming,
    StoreUncertain,
    explained_files,
)
from ledger.store.files import require_room, sync, write_new
from ledger.store.models import Person
from ledger.store.schema import compared, wanted_schema
from ledger.store.systems.locks import FairSemaphore, LockFile
from ledger.store.systems.sqlite_connections import (
    BUSY_SECONDS,
    CONNECTIONS,
    FORGETTING,
    INSPECTING,
    READING,
    any_text,
    driver_of,
    engine_of,
    meaning,
    only_appends,
    opener,
    schema,
    wrong_settings,
)
from ledger.store.systems.sqlite_copy import copy, unlike_their_tables

_WRITES_NOTHING: Final = (
    f"INSERT INTO {Person.__tablename__} SELECT * FROM {Person.__tablename__} WHERE false"
)

_PAGES_AT_ONCE: Final = 2000
"""The largest file for SQLite's own integrity check, which takes up to 50 ms and blocks recording."""

_ROOM: Final = 1 << 16
"""Bytes on the disk that an entry may take, including SQLite's journal."""


class Sqlite:
    """A `Database` in a file: the engines of one process, and the lock file at which its connections wait.

    Connections for the `web` have the authorizer: they can only read and append.
    """

    def __init__(self, url: str, *, web: bool) -> None:
        self._path = database_path(url)
        if not self._path.is_file():
            raise StoreNotConforming((f"there is no database at {self._path}",))
        self._file = _identity(self._path)
        guard = only_appends if web else None
        self._lock = LockFile(lock_path(self._path))
        # A fair place for each connection, before the wait for the file: a pool lets threads starve.
        self._readers = FairSemaphore(CONNECTIONS)
        self._reading = engine_of(opener(self._path, READING), "BEGIN", pool_size=CONNECTIONS, guard=guard)
        self._writing = engine_of(opener(self._path), "BEGIN IMMEDIATE", pool_size=CONNECTIONS, guard=guard)
        self._forgetting = engine_of(opener(self._path, FORGETTING), "BEGIN IMMEDIATE", guard=guard)
        self._inspecting = engine_of(opener(self._path, INSPECTING, any_text), "BEGIN")

    def close(self) -> None:
        for engine in (self._reading, self._writing, self._forgetting, self._inspecting):
            engine.dispose()
        self._lock.close()

    def warm_up(self) -> None:
        """Nothing to do: opening a file is fast."""

    def is_replaced(self) -> bool:
        """Compares device and inode: opening and closing the file would release SQLite's locks."""
        return _identity(self._path) != self._file

    @contextmanager
    def _shared(self) -> Iterator[None]:
        with self._lock.shared():
            self._require_in_place()
            yield

    @contextmanager
    def _alone(self) -> Iterator[None]:
        with self._lock.exclusive():
            self._require_in_place()
            yield
            self._require_in_place()  # otherwise it was committed to a file moved away meanwhile

    def _require_in_place(self) -> None:
        if self.is_replaced():
            raise StoreFailing(f"{self._path} is not the file any more that was opened")

    @contextmanager
    def reading(self) -> Iterator[Moment]:
        """Each query sees its own moment: while a reader holds the file, nobody can write to it."""
        yield self._moment

    @contextmanager
    def _moment(self) -> Iterator[Connection]:
        with (
            explained(meaning),
            self._readers.acquired(BUSY_SECONDS, NO_CONNECTION),
            self._shared(),
            self._reading.begin() as connection,
        ):
            yield connection

    @contextmanager
    def writing(self, night: str, *, forgets: bool, long: bool = False) -> Iterator[Connection]:
        """Exclusive for all nights: a file has one writer at a time. A `long` one would block every table, so no
        other process may have the file open."""
        engine = self._forgetting if forgets else self._writing
        with (
            self._sole_process() if long else nullcontext(),
            _CommitGuard() as ending,
            explained(meaning),
            self._alone(),
            engine.begin() as connection,
        ):
            yield connection
            ending.commits = True

    @contextmanager
    def _sole_process(self) -> Iterator[None]:
        with self._lock.unshared() as unshared:
            if not unshared:
                raise StoreBusy(
                    "so many entries at once would keep every table waiting: stop the server that has the database"
                    " open, and start it again after"
                )
            yield

    def require_writable(self) -> None:
        """Waits in line as a reader only, since SQLite grants its reserved lock while others read. A read-only file
        lets the transaction begin, and refuses the first statement that writes."""
        with explained_files("nothing can be added to the database"):
            require_room(self._path.resolve().parent, _ROOM)
        with explained(meaning), self._shared(), self._writing.begin() as connection:
            connection.exec_driver_sql(_WRITES_NOTHING)

    def standbys(self) -> None:
        """None: a file has no standby."""

    @contextmanager
    def inspecting(self) -> Iterator[Connection]:
        """Can read pragmas, and damaged text (as surrogates)."""
        with explained(meaning), self._shared(), self._inspecting.begin() as connection:
            yield connection

    @contextmanager
    def watching(self) -> Iterator[Callable[[], bool]]:
        with explained(meaning), self._inspecting.connect() as connection:
            version: int | None = None

            def changed() -> bool:
                nonlocal version
                with self._shared():
                    before, version = version, _version(connection)
                return version != before

            yield changed

    def differences(self, connection: Connection) -> tuple[str, ...]:
        return (*compared(wanted_schema("sqlite"), schema(connection)), *wrong_settings(connection))

    def facts(self, connection: Connection) -> tuple[str, int]:
        pages = "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
        return f"SQLite {sqlite3.sqlite_version}", int(connection.exec_driver_sql(pages).scalar_one())

    def damages(self) -> Iterator[str]:
        """Damaged pages, indexes, constraints and references; only indexes if the file is too large for a full
        check."""
        with self.inspecting() as connection:
            if _pages(connection) <= _PAGES_AT_ONCE:
                yield from list(_whole(connection))
                return
        yield from unlike_their_tables(self.inspecting, self._moment)

    def copy_to(self, file: Path) -> None:
        """Copies row by row, then syncs; writers wait for a few rows at a time."""
        with explained_files(f"the copy {file} cannot be made"):
            write_new(file, b"")
        copy(self._moment, file)
        with explained_files(f"the copy {file} cannot be kept"):
            sync(file)


class _CommitGuard:
    """The end of a transaction. Raises StoreUncertain if a commit fails below SQL: it may stand, as the last sync
    follows the removal of the journal."""

    commits = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if self.commits and isinstance(error, StoreFailing):
            raise StoreUncertain(f"it may have been recorded: {error}") from error


def database_path(url: str) -> Path:
    """The file that an address names. Raises StoreAddressUnusable for anything but a plain SQLite file."""
    parsed = read_address(url)
    if parsed.drivername not in ("sqlite", "sqlite+pysqlite"):
        raise StoreAddressUnusable(
            f"databases of the kind {parsed.drivername!r} are not known here: name one by sqlite:////folder/file.db,"
            " or by postgresql://role:password@host/database"
        )
    if not parsed.database or parsed.database == ":memory:" or parsed.query or parsed.host:
        raise StoreAddressUnusable("the database must be a file: sqlite:////folder/file.db")
    return Path(parsed.database).absolute()


def lock_path(database: Path) -> Path:
    """The lock file of a database."""
    return database.with_name(database.name + ".lock")


@contextmanager
def migrating(url: str) -> Iterator[Connection]:
    """An exclusive transaction that may change the schema; creates a missing file."""
    path = database_path(url)
    lock = LockFile(lock_path(path))
    engine = engine_of(opener(path, FORGETTING), "BEGIN IMMEDIATE")
    try:
        with explained_files("the database's folder cannot be made"):
            path.parent.mkdir(parents=True, exist_ok=True)
        with explained(meaning), lock.exclusive():
            if not path.exists():
                with explained_files("the database cannot be made"):
                    write_new(path, b"")  # private: SQLite would let all users read it
            with engine.begin() as connection:
                yield connection
    finally:
        engine.dispose()
        lock.close()


def _pages(connection: Connection) -> int:
    return int(connection.exec_driver_sql("PRAGMA page_count").scalar_one())


def _whole(connection: Connection) -> Iterator[str]:
    for (finding,) in connection.exec_driver_sql("PRAGMA integrity_check"):
        if finding != "ok":
            yield f"integrity check: {finding}"
    for table, _, parent, _ in connection.exec_driver_sql("PRAGMA foreign_key_check"):
        yield f"a row of {table} refers to a row of {parent} that is not there"


def _identity(path: Path) -> tuple[int, int] | None:
    """Device and inode of the file at a path; None if there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _version(connection: Connection) -> int:
    """A number that changes whenever another connection has written, in any process; takes 2 µs."""
    try:
        (number,) = driver_of(connection).execute("PRAGMA data_version").fetchone()
    except sqlite3.Error as error:
        raise meaning(error) from error
    return int(number)

"""SQLite, a database in a file with a write-ahead log: readers see one moment each and wait for nobody; writers
wait in line at a lock file next to it.

Every checkpoint happens inside that lock: by the writer that holds it, after its commit; a second later, by a
thread of the process that wrote; at each close. So no commit falls into a running checkpoint, which SQLite before
3.51.3 (3.50.7, 3.44.6) does not survive in every case (the WAL-reset race).
"""

import sqlite3
from collections.abc import Callable, Collection, Iterator
from contextlib import closing, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Final, Self

from sqlalchemy import Connection

from ledger.store.database import DamagedLog, connecting, read_address
from ledger.store.errors import (
    StoreAddressUnusable,
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreFailing,
    StoreNotConforming,
    StoreReadOnly,
    StoreUncertain,
    translated_file_errors,
)
from ledger.store.files import NETWORK_SHARES, file_system, identity, is_open, require_room, sync, write_new
from ledger.store.models import Person
from ledger.store.schema import differences as schema_differences
from ledger.store.systems.locks import LockFile, unused
from ledger.store.systems.log_emptier import LogEmptier
from ledger.store.systems.sqlite_connections import (
    BUSY_SECONDS,
    CONNECTIONS,
    INSPECTING,
    NO_SHARED_MEMORY,
    READING,
    Connect,
    any_text,
    checkpoint,
    copy,
    copy_log,
    damages_of,
    data_version,
    driver_of,
    engine_of,
    is_cut,
    journal_mode,
    only_appends,
    opener,
    schema,
    wrong_settings,
)
from ledger.store.systems.sqlite_log import (
    copy_if_damaged,
    damaged_logs,
    log_path,
    log_size,
    put_log_aside,
)

FILE_ENDINGS: Final = ("-wal", "-shm", ".lock", ".lock.open")
"""How the names of the files end that belong to a database, after its own name."""

_WRITES_NOTHING: Final = (
    f"INSERT INTO {Person.__tablename__} SELECT * FROM {Person.__tablename__} WHERE false"
)

_ROOM: Final = 1 << 16
"""Bytes on the disk that an entry may take, including SQLite's log."""

LOG_BYTES: Final = 4 << 20
"""The size of the log from which each writer copies it into the database, as far as no reader needs it."""
MOST_LOG_BYTES: Final = 64 << 20
"""The size of the log from which a writer waits for the readers that keep it from being emptied."""


class Sqlite:
    """A `Database` in a file: the engines of one process, and the lock file at which its writers wait.

    Connections for the `web` have the authorizer: they can only read and append.
    """

    def __init__(self, url: str, *, web: bool) -> None:
        self._path = database_path(url)
        if not self._path.is_file():
            raise StoreNotConforming((f"there is no database at {self._path}",))
        guard = only_appends if web else None
        self._lock = LockFile(lock_path(self._path))
        self._file = self._joined()
        self._log: tuple[int, int] | None = None
        """The identity of the log that the connections of this process have open; None before the first one."""
        self._reading = engine_of(
            self._noting_log(opener(self._path, READING)),
            "BEGIN",
            pool_size=CONNECTIONS,
            overflow=-1,
            guard=guard,
        )
        self._writing = engine_of(
            self._noting_log(opener(self._path)), "BEGIN IMMEDIATE", pool_size=1, guard=guard
        )
        self._inspecting = engine_of(opener(self._path, INSPECTING, any_text), "BEGIN")
        self._to_truncate = False
        """Whether the log may still have a name that was erased."""
        self._emptier = LogEmptier(self._empty_log)

    def _joined(self) -> tuple[int, int] | None:
        """Register this process as a user of the file, and return the file's identity. A log is looked at before
        SQLite reads it, unless another process writes, which has done so."""
        in_use, file = self._lock.join(), identity(self._path)
        inode = str(file and file[1])  # the number of the device changes when the machine starts
        if self._lock.used_file != inode:
            with self._lock.exclusive():
                if self._lock.used_file not in ("", inode) and log_size(self._path):
                    self._put_log_aside(in_use=in_use)
                self._lock.used_file = inode
        if log_size(self._path):
            with self._lock.exclusive_if_free() as free:
                if free:
                    copy_if_damaged(self._path, alone=not in_use)
        return file

    def _put_log_aside(self, *, in_use: bool) -> None:
        """Put aside the log of another file, which was at this path before and may still be open in some processes:
        SQLite would read it as this file's."""
        log = log_path(self._path)
        if not in_use:
            raise StoreFailing(
                f"{log} may belong to another file than the one that is now at {self._path}. If the folder was"
                f" copied whole, delete {self._lock.users}; otherwise move the log away"
            )
        put_log_aside(self._path)
        with translated_file_errors(f"{log} cannot be put aside"):
            log.with_name(f"{self._path.name}-shm").unlink(missing_ok=True)

    def _noting_log(self, connect: Connect) -> Connect:
        """A function that opens connections, and notes the log that the first one has opened."""

        def connect_and_note() -> sqlite3.Connection:
            connection = connect()
            if self._log is None:
                try:
                    connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
                except BaseException:
                    connection.close()
                    raise
                self._log = identity(log_path(self._path))
            return connection

        return connect_and_note

    def close(self) -> None:
        """In the lock, as SQLite empties the log when its last connection closes. If another process keeps the
        lock, it has the database open, and nothing is emptied."""
        self._emptier.close()
        with self._lock.exclusive_if_free(BUSY_SECONDS) as free:
            if free:
                with suppress(StoreError):
                    self._copy_log()
            self._reading.dispose()
            self._writing.dispose()
            self._log = None
        self._lock.close()

    def warm_up(self) -> None:
        """Nothing to do: opening a file is fast."""

    def is_replaced(self) -> bool:
        """Compares device and inode: opening and closing the file would release SQLite's locks."""
        return identity(self._path) != self._file

    @contextmanager
    def _alone(self) -> Iterator[None]:
        with self._lock.exclusive():
            self._require_in_place()
            self._require_log()
            try:
                yield
            except StoreReadOnly:
                self._reading.dispose()  # SQLite keeps what it opened read-only until the last connection closes
                self._log = None
                raise
            self._require_in_place()  # otherwise it was committed to a file moved away meanwhile

    def _require_in_place(self) -> None:
        if self.is_replaced():
            raise StoreFailing(f"{self._path} is not the file any more that was opened")

    def _require_log(self) -> None:
        """Raise if what is written would go to a log that nobody finds any more."""
        if self._has_lost_log():
            raise StoreFailing(f"{self._path}-wal is not the log that was opened: start the server again")

    def _has_lost_log(self) -> bool:
        return self._log not in (None, identity(log_path(self._path)))

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        self._require_in_place()
        with connecting(), self._reading.begin() as connection:
            yield connection

    @contextmanager
    def writing(self, nights: Collection[str], *, forgets: bool, long: bool = False) -> Iterator[Connection]:
        """Exclusive for all nights: a file has one writer at a time. A `long` one would block every table, so no
        other process may have the file open."""
        with (
            self._lock.sole_user() if long else nullcontext(True) as sole,
            _CommitGuard() as ending,
            connecting(),
            self._alone(),
            self._writing.connect() as connection,
        ):
            if not sole:
                raise StoreBusy(
                    "so many entries at once would keep every table waiting: stop the server that has the database"
                    " open, and start it again after"
                )
            with connection.begin():
                yield connection
                ending.commits = True
            self._tend_log(driver_of(connection), forgets=forgets)

    def _tend_log(self, driver: sqlite3.Connection, *, forgets: bool) -> None:
        """After a commit, in the lock: copy the log into the database if it has grown long, otherwise a second
        later; and cut it off after an erasure, once no reader needs it. Raises StoreUncertain if an erased name may
        still be in it, or may be there again after a power cut."""
        self._to_truncate |= forgets
        size = log_size(self._path)
        if self._to_truncate or size >= LOG_BYTES:
            emptied = checkpoint(driver, wait=forgets or size >= MOST_LOG_BYTES)
            if emptied:
                with translated_file_errors("the log that was cut off cannot be kept so"):
                    sync(log_path(self._path))
                self._to_truncate = False
            elif forgets:
                raise StoreUncertain(
                    "the name is erased, but readers keep SQLite's log from being cut off: do it again"
                )
        self._emptier.note_commit()

    def _empty_log(self) -> bool:
        """Copy the log into the database, a second after a commit. Returns whether nothing is left to copy."""
        try:
            with self._lock.exclusive():
                return self._copy_log()
        except StoreError:
            return False

    def _copy_log(self) -> bool:
        """Copy the log into the database, in the lock: the one that the connections have open, even if another file
        is in its place or none. Such a file is put aside, which SQLite would take for the database's log."""
        if not (log_size(self._path) or self._has_lost_log()):
            return True
        with connecting(), self._writing.connect() as connection:
            emptied = checkpoint(driver_of(connection), wait=False)
        if emptied and self._has_lost_log() and log_size(self._path) and not self.is_replaced():
            put_log_aside(self._path)
        return emptied

    def damaged_logs(self) -> list[DamagedLog]:
        return damaged_logs(self._path)

    def confirm(self, nights: Collection[str]) -> None:
        """Nothing to wait for: readers see what was synced, to a log that is there."""
        self._require_log()

    def require_writable(self) -> None:
        """A read-only file lets a transaction begin, and refuses to write; a log that was cut cannot be copied."""
        with translated_file_errors("nothing can be added to the database"):
            require_room(self._path.resolve().parent, _ROOM)
        with connecting(), self._alone():
            with self._writing.begin() as connection:
                connection.exec_driver_sql(_WRITES_NOTHING)
            with self._writing.connect() as connection:
                copied = copy_log(driver_of(connection))
            with self._inspecting.connect() as connection:
                if copied and is_cut(driver_of(connection), self._path):
                    raise StoreDamaged(f"{self._path} has been cut: bring back a backup (tienlen restore)")

    def standbys(self) -> None:
        """None: a file has no standby."""

    @contextmanager
    def inspecting(self) -> Iterator[Connection]:
        """Can read pragmas, and damaged text (as surrogates)."""
        with suppress(StoreError), self.reading() as connection:
            # Kept open, so that the new connection is not the last one that closes, outside the lock.
            connection.exec_driver_sql("SELECT count(*) FROM sqlite_schema")
        self._require_in_place()
        with connecting(), self._inspecting.begin() as connection:
            yield connection

    @contextmanager
    def watching(self) -> Iterator[Callable[[], bool]]:
        with connecting(), self._inspecting.connect() as connection:
            version: int | None = None

            def changed() -> bool:
                nonlocal version
                self._require_in_place()
                before, version = version, data_version(connection)
                return version != before

            yield changed

    def differences(self, connection: Connection) -> tuple[str, ...]:
        return (*schema_differences(connection, "sqlite", schema(connection)), *wrong_settings(connection))

    def facts(self, connection: Connection) -> tuple[str, int]:
        pages = "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
        return f"SQLite {sqlite3.sqlite_version}", int(connection.exec_driver_sql(pages).scalar_one())

    def damages(self, *, quick: bool = False) -> Iterator[str]:
        """Damaged pages, indexes, constraints and references, at one moment; others record meanwhile. A `quick`
        look omits whether indexes have what their tables have."""
        with self.inspecting() as connection:
            yield from list(damages_of(connection, quick=quick))

    def copy_to(self, file: Path) -> None:
        """By SQLite's own backup, of one moment; others record meanwhile."""
        with translated_file_errors(f"the copy {file} cannot be made"):
            write_new(file, b"")
        with self.reading() as connection:
            copy(driver_of(connection), file)
        with translated_file_errors(f"the copy {file} cannot be kept"):
            sync(file)


class _CommitGuard:
    """The end of a transaction. Raises StoreUncertain if a commit fails below SQL: it may stand, as the log may
    have been written whole before its sync failed."""

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
            f"databases of the kind {parsed.drivername!r} are not known: name one by sqlite:////folder/file.db,"
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
    """An exclusive transaction that may change the schema; creates a missing file, and turns one with a rollback
    journal, of an earlier version, over to a write-ahead log."""
    path = database_path(url)
    with translated_file_errors("the database's folder cannot be made"):
        path.parent.mkdir(parents=True, exist_ok=True)
    if file_system(path.parent).startswith(NETWORK_SHARES):
        raise StoreFailing(NO_SHARED_MEMORY)
    engine = engine_of(opener(path), "BEGIN IMMEDIATE")
    with connecting(), LockFile(lock_path(path)).exclusive():
        if not path.exists():
            with translated_file_errors("the database cannot be made"):
                _make_empty(path)
        with unused(lock_path(path)) as nobody:
            copy_if_damaged(path, alone=nobody)
        with engine.connect() as connection:
            earlier = journal_mode(driver_of(connection)) != "wal"
        if earlier and is_open(path):  # by a server that is idle, and holds no lock
            raise StoreBusy("an earlier version has the database open: stop its server, then migrate")
        with engine.connect() as connection:
            if earlier and journal_mode(driver_of(connection), "= wal") != "wal":
                raise StoreFailing(NO_SHARED_MEMORY)
            with connection.begin():
                yield connection
            checkpoint(driver_of(connection), wait=False)


def _make_empty(path: Path) -> None:
    """Make a database without tables, whole once it exists, and private: SQLite would let all users read it."""
    new = path.with_name(f".{path.name}.new")
    new.unlink(missing_ok=True)
    with closing(sqlite3.connect(":memory:")) as empty:
        empty.execute("PRAGMA user_version = 0")  # makes the first page
        write_new(new, empty.serialize())
    new.rename(path)

"""SQLite, a database in a file: addresses, settings, the authorizer, error codes.

A rollback journal everywhere. WAL is safe from the WAL-reset race on a few versions of SQLite only, and one kind of
journal means one set of promises to test; the lock file already keeps readers and writers apart.
"""

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Self

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.pool import NullPool, QueuePool

from ledger.store.conformance import compared, wanted_schema
from ledger.store.databases import Statement, explained, read_address
from ledger.store.errors import (
    StoreAddressUnusable,
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreFailing,
    StoreFull,
    StoreNotConforming,
    StoreReadOnly,
    StoreRefused,
    StoreUncertain,
    explained_files,
)
from ledger.store.files import require_room, sync, write_new
from ledger.store.locking import LockFile
from ledger.store.sqlite_schema import schema
from ledger.store.tables import Correction, Event, LinkKey, Night, Payment, Person

BUSY_SECONDS: Final = 5

_CONNECTIONS: Final = 4
"""Of each kind. sqlite3 drops the interpreter's lock at every step: more of them at work are slower."""

_ROOM: Final = 1 << 16
"""Bytes on the disk that an entry may take, with what SQLite writes beside it until it is kept."""

SETTINGS: Final = {
    "busy_timeout": BUSY_SECONDS * 1000,
    "foreign_keys": 1,
    "recursive_triggers": 1,  # else INSERT OR REPLACE walks round the triggers
    "trusted_schema": 0,
    "secure_delete": 1,  # an erased name is not left behind in the file
    "synchronous": 2,  # FULL
    "journal_mode": "persist",  # voided by zeros over its header: ext4 cuts a file off in a millisecond
    "journal_size_limit": 1 << 20,  # of what a large import leaves
}

FORGETTING: Final = {"journal_mode": "truncate"}
"""A journal that is voided still holds pages as they were: where a name is taken back, it is cut off."""

_INSPECTING: Final = {"query_only": 1}
_READING: Final = _INSPECTING | {"cache_size": -128}
"""Kilobytes. Once anything is written, a reader's pages are read again, out of the machine's own memory: SQLite's
two megabytes are of no use. A writer's changes and a look at the whole file want them."""

_LOG: Final = frozenset(str(table.__tablename__) for table in (Night, Event, Correction, Payment))
_PERSON: Final = str(Person.__tablename__)
_BESIDE: Final = frozenset((_PERSON, str(LinkKey.__tablename__)))
_WRITES_NOTHING: Final = f"INSERT INTO {_PERSON} SELECT * FROM {_PERSON} WHERE false"
Connect = Callable[[], sqlite3.Connection]
Guard = Callable[[int, str | None, str | None, str | None, str | None], int]
Text = Callable[[bytes], str] | type[str]

_ALWAYS_ALLOWED: Final = frozenset(
    (
        sqlite3.SQLITE_SELECT,
        sqlite3.SQLITE_READ,
        sqlite3.SQLITE_FUNCTION,
        sqlite3.SQLITE_RECURSIVE,
        sqlite3.SQLITE_TRANSACTION,
    )
)


class Sqlite:
    """One `Database`: the engines of one process and the lock file that its connections wait in line at.

    `web` says that connections carry the authorizer: they can only read and append.
    """

    def __init__(self, url: str, *, web: bool) -> None:
        self._path = database_path(url)
        if not self._path.is_file():
            raise StoreNotConforming((f"there is no database at {self._path}",))
        guard = _only_appends if web else None
        self._lock = LockFile(lock_path(self._path))
        reads, writes = _opener(self._path, _READING), _opener(self._path)
        self._reading = _engine(reads, "BEGIN", pool_size=_CONNECTIONS, guard=guard)
        self._writing = _engine(writes, "BEGIN IMMEDIATE", pool_size=_CONNECTIONS, guard=guard)
        self._forgetting = _engine(_opener(self._path, FORGETTING), "BEGIN IMMEDIATE", guard=guard)
        self._inspecting = _engine(_opener(self._path, _INSPECTING, _any_text), "BEGIN")
        self._asking, self._keeping = _Straight(reads, guard), _Straight(writes, guard)

    def close(self) -> None:
        for straight in (self._asking, self._keeping):
            straight.close()
        for engine in (self._reading, self._writing, self._forgetting, self._inspecting):
            engine.dispose()
        self._lock.close()

    def warm_up(self) -> None:
        """A file is open in no time."""

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        with explained(meaning), self._lock.shared(), self._reading.begin() as connection:
            yield connection

    def ask(self, statement: Statement, values: Mapping[str, str]) -> Sequence[Sequence[Any]]:
        with self._lock.shared(), self._asking.connection() as connection:
            return connection.execute(statement["sqlite"], values).fetchall()

    @contextmanager
    def writing(self, night: str, *, forgets: bool) -> Iterator[Connection]:
        """Whichever night: a file has one writer at a time."""
        engine = self._forgetting if forgets else self._writing
        with _Ending() as ending, explained(meaning), self._lock.exclusive(), engine.begin() as connection:
            yield connection
            ending.commits = True

    def keep(self, night: str, statement: Statement, values: Mapping[str, Any]) -> Sequence[Sequence[Any]]:
        with _Ending() as ending, self._lock.exclusive(), self._keeping.connection() as connection:
            connection.execute("BEGIN IMMEDIATE")
            rows = connection.execute(statement["sqlite"], values).fetchall()
            ending.commits = True
            connection.execute("COMMIT")
        return rows

    def require_writable(self) -> None:
        """In line as a reader: SQLite's own lock, which says whether others write, is taken beside readers. A file
        that can only be read begins a transaction that reads, and says so to the first statement that writes."""
        with explained_files("nothing can be added to the database"):
            require_room(self._path.resolve().parent, _ROOM)
        with explained(meaning), self._lock.shared(), self._writing.begin() as connection:
            connection.exec_driver_sql(_WRITES_NOTHING)

    def standbys(self) -> None:
        """A file has none."""

    @contextmanager
    def inspecting(self) -> Iterator[Connection]:
        """Reads pragmas, and text that is no longer text (as surrogates)."""
        with explained(meaning), self._lock.shared(), self._inspecting.begin() as connection:
            yield connection

    @contextmanager
    def watching(self) -> Iterator[Callable[[], bool]]:
        with explained(meaning), self._inspecting.connect() as connection:
            seen: int | None = None

            def changed() -> bool:
                nonlocal seen
                with self._lock.shared():
                    before, seen = seen, _version(connection)
                return seen != before

            yield changed

    def count(self, whose: bytes, seconds: float, by: int) -> None:
        """Whoever can open the file is on its machine, and counts in memory."""

    def differences(self, connection: Connection) -> tuple[str, ...]:
        return (*compared(wanted_schema("sqlite"), schema(connection)), *wrong_settings(connection))

    def facts(self, connection: Connection) -> tuple[str, int]:
        pages = "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
        return f"SQLite {sqlite3.sqlite_version}", int(connection.exec_driver_sql(pages).scalar_one())

    def damages(self, connection: Connection) -> Iterator[str]:
        """Pages, indexes, constraints and references that do not hold."""
        for (finding,) in connection.exec_driver_sql("PRAGMA integrity_check"):
            if finding != "ok":
                yield f"integrity check: {finding}"
        for table, _, parent, _ in connection.exec_driver_sql("PRAGMA foreign_key_check"):
            yield f"a row of {table} refers to a row of {parent} that is not there"

    def copy_to(self, file: Path) -> None:
        """By SQLite's own backup, and synced; writers wait meanwhile."""
        with self.inspecting() as connection:
            with explained_files(f"the copy {file} cannot be made"):
                write_new(file, b"")
            try:
                target = sqlite3.connect(file, isolation_level=None)
                try:
                    _driver(connection).backup(target)
                finally:
                    target.close()
            except sqlite3.Error as error:
                raise meaning(error) from error
        with explained_files(f"the copy {file} cannot be kept"):
            sync(file)


class _Ending:
    """The end of a transaction. One that fails once it `commits`, below SQL, may stand: its last sync comes when
    its journal is gone already. Raises StoreUncertain then."""

    commits = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if self.commits and isinstance(error, StoreFailing):
            raise StoreUncertain(f"it may have been recorded: {error}") from error


class _Straight:
    """Connections for one statement each, straight from the driver: what SQLAlchemy does round one statement takes
    four times as long."""

    def __init__(self, connect: Connect, guard: Guard | None) -> None:
        self._connect = connect
        self._guard = guard
        self._idle: list[sqlite3.Connection] = []

    @contextmanager
    def connection(self) -> Iterator[sqlite3.Connection]:
        """One that nobody else has; after a failure the next one is as good as new."""
        try:
            connection = self._take()
            try:
                yield connection
            except BaseException:
                connection.close()
                raise
        except sqlite3.Error as error:
            raise meaning(error) from error
        if len(self._idle) < _CONNECTIONS:
            self._idle.append(connection)
        else:
            connection.close()

    def close(self) -> None:
        while self._idle:
            self._idle.pop().close()

    def _take(self) -> sqlite3.Connection:
        with suppress(IndexError):
            return self._idle.pop()
        made = self._connect()
        made.set_authorizer(self._guard)
        return made


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
    """A transaction that may change the schema, alone; makes the file where there is none."""
    path = database_path(url)
    lock = LockFile(lock_path(path))
    engine = _engine(_opener(path, FORGETTING), "BEGIN IMMEDIATE")
    try:
        with explained_files("the database's folder cannot be made"):
            path.parent.mkdir(parents=True, exist_ok=True)
        with explained(meaning), lock.exclusive():
            if not path.exists():
                with explained_files("the database cannot be made"):
                    write_new(path, b"")  # for its owner's eyes only: SQLite would let everybody read it
            with engine.begin() as connection:
                yield connection
    finally:
        engine.dispose()
        lock.close()


def wrong_settings(connection: Connection) -> list[str]:
    """The settings of a connection that are not as they must be, in words."""
    found = {name: connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in SETTINGS}
    return [
        f"pragma {name} is {found[name]}, not {value}"
        for name, value in SETTINGS.items()
        if found[name] != value
    ]


def meaning(original: BaseException | None) -> StoreError:
    """What a failure of SQLite means to callers."""
    name: str = getattr(original, "sqlite_errorname", "")
    message = f"SQLite: {original}"
    if "decode" in message:  # the text itself follows, and is nobody's but the players'
        return StoreDamaged("SQLite: a text is no text any more")
    match name.split("_")[1:2]:
        case ["BUSY" | "LOCKED" | "PROTOCOL"]:
            return StoreBusy(message)
        case ["FULL"]:
            return StoreFull(message)
        case ["READONLY" | "PERM"]:
            return StoreReadOnly(message)
        case ["IOERR" | "CANTOPEN" | "NOMEM" | "NOLFS"]:
            return StoreFailing(message)
        case ["CORRUPT" | "NOTADB" | "FORMAT"]:
            return StoreDamaged(message)
        case ["CONSTRAINT" | "AUTH" | "MISMATCH" | "TOOBIG" | "RANGE"]:
            return StoreRefused(message)
    if any(f"no such {part}" in message for part in ("table", "column", "index")):
        return StoreNotConforming((str(original),))
    return StoreRefused(message)


def _version(connection: Connection) -> int:
    """A number that changes whenever another connection has written, in whichever process; asked in 2 µs."""
    try:
        (number,) = _driver(connection).execute("PRAGMA data_version").fetchone()
    except sqlite3.Error as error:
        raise meaning(error) from error
    return int(number)


def _driver(connection: Connection) -> sqlite3.Connection:
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    return driver


def _opener(path: Path, more: Mapping[str, int | str] = MappingProxyType({}), text: Text = str) -> Connect:
    """Opens connections that are as SETTINGS and `more` say, and begin no transaction by themselves.

    pysqlite's own transactions begin late and lose updates silently: `isolation_level=None` turns them off.
    """
    settings = {**SETTINGS, **more}

    def connect() -> sqlite3.Connection:
        connection = sqlite3.connect(
            f"{path.as_uri()}?mode=rw",
            uri=True,
            timeout=BUSY_SECONDS,
            isolation_level=None,
            check_same_thread=False,
        )
        try:
            connection.text_factory = text
            for name, value in settings.items():
                connection.execute(f"PRAGMA {name} = {value}")
        except BaseException:
            connection.close()
            raise
        return connection

    return connect


def _engine(connect: Connect, begin: str, *, pool_size: int = 0, guard: Guard | None = None) -> Engine:
    """Connections in transactions that we begin ourselves."""
    pool: dict[str, Any] = {"poolclass": NullPool}
    if pool_size:
        pool = {
            "pool_size": pool_size,
            "max_overflow": 0,
            "pool_timeout": BUSY_SECONDS,
            "poolclass": QueuePool,
        }
    engine = create_engine(URL.create("sqlite"), creator=connect, **pool)
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql(begin))
    event.listen(engine, "handle_error", _drop_what_cannot_write)
    if guard is not None:  # after SQLAlchemy's first look at a connection, which reads a pragma
        event.listen(engine, "connect", lambda connection, _record: connection.set_authorizer(guard))
    return engine


def _drop_what_cannot_write(failed: ExceptionContext) -> None:
    """To a connection for which a file could only be read when it was opened, it stays so for ever.

    sqlite3 closes a connection only once its last cursor is gone, and a traceback may hold one: what it has locked
    is let go of here.
    """
    if isinstance(meaning(failed.original_exception), StoreReadOnly):
        if failed.connection is not None:
            _driver(failed.connection).rollback()
        failed.is_disconnect = True


def _only_appends(
    action: int, first: str | None, second: str | None, _schema: str | None, _trigger: str | None
) -> int:
    """What the web's connections may do: read, append to the log, write people's names. All else is denied.

    SQLite asks when it prepares a statement, so this costs nothing on the path of a move.
    """
    if action in _ALWAYS_ALLOWED:
        return sqlite3.SQLITE_OK
    if action == sqlite3.SQLITE_INSERT and (first in _LOG or first in _BESIDE):
        return sqlite3.SQLITE_OK
    if action == sqlite3.SQLITE_UPDATE and first == _PERSON and second in ("name", "salt"):
        return sqlite3.SQLITE_OK
    return sqlite3.SQLITE_DENY


def _any_text(raw: bytes) -> str:
    return raw.decode(errors="surrogateescape")

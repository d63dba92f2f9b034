"""Connections to a SQLite file: settings, checkpoints, the authorizer of the web, the meaning of failures, and
reading the schema."""

import re
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.pool import NullPool, QueuePool

from ledger.store.database import begin_with, translating_errors
from ledger.store.errors import (
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreFailing,
    StoreFull,
    StoreNotConforming,
    StoreReadOnly,
    StoreRefused,
)
from ledger.store.models import Correction, Event, GroupEntry, LinkKey, Night, Payment, Person
from ledger.store.schema import VERSION_TABLE, Schema

BUSY_SECONDS: Final = 5

CONNECTIONS: Final = 16
"""How many connections for reading a process keeps. More requests at once open their own for a moment."""

SETTINGS: Final[dict[str, int | str]] = {
    "busy_timeout": BUSY_SECONDS * 1000,
    "foreign_keys": 1,
    "recursive_triggers": 1,  # otherwise INSERT OR REPLACE bypasses the triggers
    "trusted_schema": 0,
    "secure_delete": 1,  # an erased name is not left behind in the file
    "synchronous": 2,  # FULL
    "wal_autocheckpoint": 0,  # the writer that holds the lock does it
}
_OF_THE_FILE: Final = {"journal_mode": "wal"}
"""The settings that are the file's own, which `migrate` makes."""

SECTORS: Final = "psow=0"
"""Each commit fills the log's last sector, so that no later one writes to it: a power cut may ruin the whole of a
sector that is being written. It is a page more for each commit, and no slower."""

INSPECTING: Final = {"query_only": 1}
READING: Final = INSPECTING | {"cache_size": -128}
"""Kilobytes. After any write, readers reread their pages, from the system's cache: SQLite's default of two
megabytes is of no use to them. Writers and full checks keep the default."""

NO_SHARED_MEMORY: Final = (
    "the file system of the database cannot hold the memory that processes share, as on a network share: put the"
    " database on a disk of this machine, or use PostgreSQL"
)

_LOG: Final = frozenset(str(table.__tablename__) for table in (Night, Event, Correction, Payment, GroupEntry))
_OF_CHECKPOINTS: Final = frozenset(("wal_checkpoint", "busy_timeout"))
_PERSON: Final = str(Person.__tablename__)
_OUTSIDE_THE_CHAIN: Final = frozenset((_PERSON, str(LinkKey.__tablename__)))
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


def wrong_settings(connection: Connection) -> list[str]:
    """The settings of a connection and its file that differ from those required, in words."""
    wanted = SETTINGS | _OF_THE_FILE
    found = {name: connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in wanted}
    return [
        f"pragma {name} is {found[name]}, not {value}" + (": migrate" if name in _OF_THE_FILE else "")
        for name, value in wanted.items()
        if found[name] != value
    ]


def journal_mode(connection: sqlite3.Connection, change: str = "") -> str:
    """The journal mode of a database, after a `change`. Raises StoreBusy if another process keeps it from that."""
    try:
        (mode,) = connection.execute(f"PRAGMA journal_mode {change}").fetchone()
    except sqlite3.Error as error:
        raise store_error(error) from error
    return str(mode)


def checkpoint(connection: sqlite3.Connection, *, wait: bool) -> bool:
    """Copy the log into the database and cut it off; False if readers still need some of it, for which it can
    `wait` up to BUSY_SECONDS, or if the disk fails: the next checkpoint goes on. Call it in the lock, outside a
    transaction."""
    try:
        connection.execute(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000 * wait}")
        ((in_use, _, _),) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        connection.execute(f"PRAGMA busy_timeout = {SETTINGS['busy_timeout']}")
    except sqlite3.Error:
        return False
    return not in_use


def copy_log(connection: sqlite3.Connection) -> bool:
    """Copy the log into the database, as far as no reader needs it; False if something is left. Call it in the
    lock, outside a transaction. Raises StoreUnavailable, also if a part of the log is not there."""
    try:
        ((busy, frames, copied),) = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
    except sqlite3.Error as error:
        raise store_error(error) from error
    return not busy and bool(frames == copied)


def is_cut(connection: sqlite3.Connection, file: Path) -> bool:
    """Whether the file of a database is shorter than its pages, once the log is copied into it. Raises
    StoreUnavailable."""
    try:
        (pages,), (size,) = (
            connection.execute(f"PRAGMA page_{what}").fetchone() for what in ("count", "size")
        )
        return bool(pages * size > file.stat().st_size)
    except (sqlite3.Error, OSError) as error:
        raise store_error(error) from error


def damages_of(connection: Connection, *, quick: bool) -> Iterator[str]:
    """What SQLite's own check of a database finds, with the `quick` one or the whole one; and rows that refer to
    none."""
    for (finding,) in connection.exec_driver_sql(f"PRAGMA {'quick' if quick else 'integrity'}_check"):
        if finding != "ok":
            yield f"integrity check: {finding}"
    for table, _, parent, _ in connection.exec_driver_sql("PRAGMA foreign_key_check"):
        yield f"a row of {table} refers to a row of {parent} that is not there"


def data_version(connection: Connection) -> int:
    """A number that changes whenever another connection has written, in any process; takes 2 µs."""
    try:
        (number,) = driver_of(connection).execute("PRAGMA data_version").fetchone()
    except sqlite3.Error as error:
        raise store_error(error) from error
    return int(number)


def store_error(original: BaseException | None) -> StoreError:
    """The store's error for a failure of SQLite."""
    name: str = getattr(original, "sqlite_errorname", "")
    message = f"SQLite: {original}"
    if "decode" in message:  # the message includes the text, which is private
        return StoreDamaged("SQLite: a text is no text any more")
    if name.startswith("SQLITE_IOERR_SHM"):
        return StoreFailing(f"{message}: {NO_SHARED_MEMORY}")
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


def driver_of(connection: Connection) -> sqlite3.Connection:
    """The `sqlite3` connection under a connection of SQLAlchemy."""
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    return driver


def opener(path: Path, more: Mapping[str, int | str] = MappingProxyType({}), text: Text = str) -> Connect:
    """A function that opens connections with SETTINGS and `more`, which begin no transaction by themselves.

    pysqlite's own transactions begin late and silently lose updates: `isolation_level=None` turns them off.
    """
    settings = {**SETTINGS, **more}

    def connect() -> sqlite3.Connection:
        connection = sqlite3.connect(
            f"{path.as_uri()}?mode=rw&{SECTORS}",
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


def engine_of(
    connect: Connect, begin: str, *, pool_size: int = 0, overflow: int = 0, guard: Guard | None = None
) -> Engine:
    """An engine that begins its transactions with the statement `begin`, and raises the store's errors. It keeps
    `pool_size` connections open; `overflow` is how many more it may open for a while, -1 for any number."""
    pool: dict[str, Any] = {"poolclass": NullPool}
    if pool_size:
        pool = {
            "pool_size": pool_size,
            "max_overflow": overflow,
            "pool_timeout": BUSY_SECONDS,
            "pool_use_lifo": True,
            "poolclass": QueuePool,
        }
    engine = create_engine(URL.create("sqlite"), creator=connect, **pool)
    begin_with(engine, begin)
    event.listen(engine, "handle_error", _drop_what_cannot_write)
    event.listen(engine, "handle_error", translating_errors(store_error))
    if guard is not None:  # after SQLAlchemy's first look at a connection, which reads a pragma
        event.listen(engine, "connect", lambda connection, _record: connection.set_authorizer(guard))
    return engine


def _drop_what_cannot_write(failed: ExceptionContext) -> None:
    """Discard a connection on a read-only error: one opened while its file was read-only stays so for ever.

    sqlite3 closes a connection only once its last cursor is closed, which a traceback may hold.
    """
    if isinstance(store_error(failed.original_exception), StoreReadOnly):
        if failed.execution_context is not None and failed.execution_context.cursor is not None:
            failed.execution_context.cursor.close()
        if failed.connection is not None:
            driver_of(failed.connection).rollback()
        failed.is_disconnect = True


def only_appends(
    action: int, first: str | None, second: str | None, _schema: str | None, _trigger: str | None
) -> int:
    """The authorizer of the web's connections: they may read, append to the log, write names, and checkpoint. All
    else is denied.

    SQLite calls it when it prepares a statement, so recording a move costs nothing more.
    """
    if action in _ALWAYS_ALLOWED or (action == sqlite3.SQLITE_PRAGMA and first in _OF_CHECKPOINTS):
        return sqlite3.SQLITE_OK
    if action == sqlite3.SQLITE_INSERT and (first in _LOG or first in _OUTSIDE_THE_CHAIN):
        return sqlite3.SQLITE_OK
    if action == sqlite3.SQLITE_UPDATE and first == _PERSON and second in ("name", "salt"):
        return sqlite3.SQLITE_OK
    return sqlite3.SQLITE_DENY


def any_text(raw: bytes) -> str:
    """Decode a stored text even if it is not UTF-8: invalid bytes become lone surrogates."""
    return raw.decode(errors="surrogateescape")


_PARTS: Final = """
SELECT type, name, coalesce(sql, '') FROM sqlite_schema
 WHERE NOT (type = 'index' AND sql IS NULL AND name LIKE 'sqlite\\_autoindex\\_%' ESCAPE '\\')
"""
"""All but the indexes that SQLite makes for constraints: anything else named `sqlite_…` is not SQLite's own."""

_TOKEN: Final = re.compile(
    r"""(?P<space>\s+|--[^\n]*|/\*.*?(?:\*/|\Z))
    | '(?:[^']|'')*'
    | "(?P<name>(?:[^"]|"")*)"
    | `(?:[^`]|``)*`
    | \[[^]]*]
    | \w+
    | .""",
    re.VERBOSE | re.DOTALL,
)

_NAMES: Final = frozenset(
    name
    for table in Night.metadata.tables.values()
    for part in (table, *table.columns, *table.constraints, *table.indexes)
    if (name := part.name) is not None
)


def schema(connection: Connection) -> Schema:
    """The whole schema. A table's text includes its columns and constraints."""
    # Alembic words its own table, in ways that change without meaning.
    return {
        (kind, name): "" if (kind, name) == ("table", VERSION_TABLE) else plain(text)
        for kind, name, text in connection.exec_driver_sql(_PARTS)
    }


def plain(text: str) -> str:
    """A statement without layout, comments, and the quotes around our names, which vary with SQLAlchemy's version.
    Other quotes stay: `"points "` and `"null"` mean something else without them."""
    return " ".join(_written(token) for token in _TOKEN.finditer(text) if token["space"] is None)


def _written(token: re.Match[str]) -> str:
    return token["name"] if token["name"] in _NAMES else token[0]


def copy(source: sqlite3.Connection, file: Path) -> None:
    """Copy the database of a connection, as its transaction sees it, to an empty file."""
    try:
        with closing(sqlite3.connect(file, isolation_level=None)) as target:
            target.execute("PRAGMA synchronous = OFF")  # it is synced once it is whole
            source.backup(target)
    except sqlite3.Error as error:
        raise store_error(error) from error

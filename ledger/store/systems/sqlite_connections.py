"""Connections to a SQLite file: their settings, what the web's may do, what their failures mean, which schema they
see.

A rollback journal everywhere. WAL is safe from the WAL-reset race on a few versions of SQLite only, and one kind of
journal means one set of promises to test; the lock file already keeps readers and writers apart.
"""

import re
import sqlite3
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.pool import NullPool, QueuePool

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

CONNECTIONS: Final = 4
"""Of each kind. sqlite3 drops the interpreter's lock at every step: more of them at work are slower."""

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

INSPECTING: Final = {"query_only": 1}
READING: Final = INSPECTING | {"cache_size": -128}
"""Kilobytes. Once anything is written, a reader's pages are read again, out of the machine's own memory: SQLite's
two megabytes are of no use. A writer's changes and a look at the whole file want them."""

_LOG: Final = frozenset(str(table.__tablename__) for table in (Night, Event, Correction, Payment, GroupEntry))
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


def driver_of(connection: Connection) -> sqlite3.Connection:
    """The connection of Python's own module beneath one of SQLAlchemy."""
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    return driver


def opener(path: Path, more: Mapping[str, int | str] = MappingProxyType({}), text: Text = str) -> Connect:
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


def engine_of(connect: Connect, begin: str, *, pool_size: int = 0, guard: Guard | None = None) -> Engine:
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
            driver_of(failed.connection).rollback()
        failed.is_disconnect = True


def only_appends(
    action: int, first: str | None, second: str | None, _schema: str | None, _trigger: str | None
) -> int:
    """What the web's connections may do: read, append to the log, write people's names. All else is denied.

    SQLite asks when it prepares a statement, so this costs nothing on the path of a move.
    """
    if action in _ALWAYS_ALLOWED:
        return sqlite3.SQLITE_OK
    if action == sqlite3.SQLITE_INSERT and (first in _LOG or first in _OUTSIDE_THE_CHAIN):
        return sqlite3.SQLITE_OK
    if action == sqlite3.SQLITE_UPDATE and first == _PERSON and second in ("name", "salt"):
        return sqlite3.SQLITE_OK
    return sqlite3.SQLITE_DENY


def any_text(raw: bytes) -> str:
    """A stored text even where it is not UTF-8: bytes that are none come as lone surrogates."""
    return raw.decode(errors="surrogateescape")


_PARTS: Final = """
SELECT type, name, coalesce(sql, '') FROM sqlite_schema
 WHERE NOT (type = 'index' AND sql IS NULL AND name LIKE 'sqlite\\_autoindex\\_%' ESCAPE '\\')
"""
"""All but the indexes that SQLite makes of constraints: whatever else calls itself `sqlite_…` was put there."""

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
    """All that a database holds. A table's text has its columns and constraints."""
    # Alembic's table is in Alembic's words, which change and mean nothing.
    return {
        (kind, name): "" if (kind, name) == ("table", VERSION_TABLE) else plain(text)
        for kind, name, text in connection.exec_driver_sql(_PARTS)
    }


def plain(text: str) -> str:
    """A statement without its layout and comments, and without the quotes round names of ours, which change with
    SQLAlchemy's version. Whatever else is quoted stays as it is: `"points "` and `"null"` are not what they are
    without."""
    return " ".join(_written(token) for token in _TOKEN.finditer(text) if token["space"] is None)


def _written(token: re.Match[str]) -> str:
    return token["name"] if token["name"] in _NAMES else token[0]

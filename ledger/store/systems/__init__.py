"""The database systems for a log: SQLite in a file, PostgreSQL on a server. Choosing one by an address, and
checking what is at the address before anything is written.
"""

import sqlite3
from contextlib import AbstractContextManager, closing
from pathlib import Path

from sqlalchemy import Connection, delete, inspect

from ledger.store.database import Database, OnWait, read_address, wait_silently
from ledger.store.errors import StoreAddressUnusable, StoreDamaged
from ledger.store.links import KEY_FILE, note_digest
from ledger.store.models import LinkKey
from ledger.store.schema import (
    VERSION_TABLE,
    is_current,
    require_known,
    require_none_foreign,
    revision_of,
    upgrade,
)
from ledger.store.systems import postgresql_connections
from ledger.store.systems.locks import was_used
from ledger.store.systems.postgresql import Postgresql, lock_tables
from ledger.store.systems.postgresql import migrating as migrating_postgresql
from ledger.store.systems.postgresql_connections import is_postgresql
from ledger.store.systems.postgresql_hosts import hosts_of as hosts_of
from ledger.store.systems.sqlite import FILE_ENDINGS as FILE_ENDINGS
from ledger.store.systems.sqlite import Sqlite, database_path, lock_path
from ledger.store.systems.sqlite import migrating as migrating_sqlite


def open_database(url: str, *, web: bool) -> Database:
    """Open the database of an address. Raises StoreAddressUnusable; StoreNotConforming if its file is missing."""
    return Postgresql(url) if is_postgresql(url) else Sqlite(url, web=web)


def migrate(url: str, on_wait: OnWait = wait_silently) -> None:
    """Create a database or migrate it to this version's schema; idempotent.

    One process at a time, in one transaction: a process that is killed changes nothing. On PostgreSQL it waits as
    long as another host migrates, or as a backup or an audit reads.
    Raises StoreNewer for a database that a newer version has migrated, StoreForeign for one of another program,
    StoreAddressUnusable, StoreUnavailable.
    """
    if not is_postgresql(url):
        _is_file_there(url)  # raises, before another program's file is turned over to a write-ahead log
    with _migrating(url, on_wait) as connection:
        if not is_current(connection):
            require_none_foreign(inspect(connection).get_table_names(), "this")
            if is_postgresql(url):
                lock_tables(connection, on_wait)
            upgrade(connection)


def replace_key(url: str, digest: bytes) -> None:
    """Replace the stored digest of the key for links. Raises as `migrate` does."""
    with _migrating(url) as connection:
        connection.execute(delete(LinkKey))
        note_digest(connection, digest)


def database_exists(url: str) -> bool:
    """Whether a database that may be ours exists at an address; False if there is nothing yet.

    Leaves no trace. Raises StoreForeign, StoreNewer, StoreDamaged if it is not a database, StoreAddressUnusable,
    and StoreFailing if a server does not answer.
    """
    if not is_postgresql(url):
        return _is_file_there(url, KEY_FILE)
    database = Postgresql(url)
    try:
        with database.inspecting() as connection:
            require_none_foreign(inspect(connection).get_table_names(), without_password(url))
            require_known(revision_of(connection))
    finally:
        database.close()
    return True


def file_of(url: str) -> Path | None:
    """The file that an address names; None for a database on a server. Raises StoreAddressUnusable."""
    return None if is_postgresql(url) else database_path(url)


def same_database(url: str, other: str) -> bool:
    """Whether two addresses name the same database, for any roles. Raises StoreAddressUnusable."""
    if is_postgresql(url) and is_postgresql(other):
        return postgresql_connections.same_database(url, other)
    return url == other


def without_password(url: str) -> str:
    """An address without its password, for display. Raises StoreAddressUnusable."""
    if is_postgresql(url):
        return postgresql_connections.without_password(url)
    return read_address(url).render_as_string(hide_password=True)


def _migrating(url: str, on_wait: OnWait = wait_silently) -> AbstractContextManager[Connection]:
    return migrating_postgresql(url, on_wait) if is_postgresql(url) else migrating_sqlite(url)


def _is_file_there(url: str, *companions: str) -> bool:
    """`database_exists` for a file: leaves no lock file, no journal, and the journal mode unchanged. An empty file
    is refused if the files that were made with a database are there, or one of the `companions`."""
    path = database_path(url)
    if path.is_dir():
        raise StoreAddressUnusable(f"{path} is a folder: name a file in it")
    if not path.is_file():
        if was_used(users := lock_path(path)):
            raise StoreDamaged(
                f"{path} is not there any more, in which nights were recorded: bring it back, or a backup (tienlen"
                f" restore); or to begin anew, move {users}.open away"
            )
        return False
    if not path.stat().st_size:
        for name in (*(path.name + end for end in FILE_ENDINGS), *companions):
            if path.with_name(name).exists():
                raise StoreDamaged(
                    f"{path} is empty, and was not when {name} was made: move it away, and bring back a backup"
                    " (tienlen restore); or where there never was a night, move both away"
                )
        return True
    try:
        tables, revision = _contents(path)
    except (sqlite3.Error, OSError) as error:
        if getattr(error, "sqlite_errorname", "") == "SQLITE_NOTADB":
            raise StoreDamaged(f"{path} is not a database: name another file, or move it away") from error
        return True  # damaged, or just being written: opening it will tell
    require_none_foreign(tables, str(path))
    require_known(revision)
    return True


def _contents(path: Path) -> tuple[list[str], str | None]:
    """The tables in a file, and its schema revision; read without locks, as from a read-only disk."""
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
        tables = [
            name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
        ]
        if VERSION_TABLE not in tables:
            return tables, None
        row = connection.execute(f"SELECT version_num FROM {VERSION_TABLE}").fetchone()
        return tables, row and str(row[0])

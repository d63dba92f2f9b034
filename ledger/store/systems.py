"""The database systems that are known here, by the addresses that name them."""

from contextlib import AbstractContextManager
from pathlib import Path

from sqlalchemy import Connection, inspect

from ledger.store import looking, postgresql_address
from ledger.store.databases import Database, read_address
from ledger.store.link_key import replace_digest
from ledger.store.migrating import (
    is_current,
    require_known,
    require_none_foreign,
    revision_of,
    upgrade,
)
from ledger.store.postgresql import Postgresql
from ledger.store.postgresql import migrating as migrating_postgresql
from ledger.store.postgresql_address import is_postgresql
from ledger.store.sqlite import Sqlite, database_path
from ledger.store.sqlite import migrating as migrating_sqlite


def open_database(url: str, *, web: bool) -> Database:
    """The database of an address. Raises StoreAddressUnusable; StoreNotConforming where there is no such file."""
    return Postgresql(url) if is_postgresql(url) else Sqlite(url, web=web)


def migrate(url: str) -> None:
    """Bring a database to this version's schema, or make it. Does nothing where nothing is to be done.

    One process at a time, in one transaction: a process that is killed on the way leaves what was there.
    Raises StoreNewer for a database that a newer version has migrated, StoreForeign for one of another program,
    StoreAddressUnusable, StoreUnavailable.
    """
    with _migrating(url) as connection:
        if not is_current(connection):
            require_none_foreign(inspect(connection).get_table_names(), "this")
            upgrade(connection)


def replace_key(url: str, digest: bytes) -> None:
    """Note the digest of another key for links, in place of the one before. Raises as `migrate` does."""
    with _migrating(url) as connection:
        replace_digest(connection, digest)


def is_there(url: str) -> bool:
    """Whether there is something at an address that may be a database of ours; False if nothing is there yet.

    Leaves no trace. Raises StoreForeign, StoreNewer, StoreDamaged for what is no database at all,
    StoreAddressUnusable, and StoreFailing where a server does not answer.
    """
    if not is_postgresql(url):
        return looking.is_there(url)
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
    """Whether two addresses name one database on one server, for whichever role. Raises StoreAddressUnusable."""
    if is_postgresql(url) and is_postgresql(other):
        return postgresql_address.same_database(url, other)
    return url == other


def without_password(url: str) -> str:
    """An address to be shown. Raises StoreAddressUnusable."""
    if is_postgresql(url):
        return postgresql_address.without_password(url)
    return read_address(url).render_as_string(hide_password=True)


def _migrating(url: str) -> AbstractContextManager[Connection]:
    return migrating_postgresql(url) if is_postgresql(url) else migrating_sqlite(url)

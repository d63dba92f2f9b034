"""The database systems that are known here, by the addresses that name them."""

from contextlib import AbstractContextManager

from sqlalchemy import Connection, inspect

from ledger.store import looking
from ledger.store.databases import Database, read_address
from ledger.store.migrating import is_current, require_none_foreign, upgrade
from ledger.store.postgresql import Postgresql
from ledger.store.postgresql import migrating as migrating_postgresql
from ledger.store.sqlite import Sqlite
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


def is_there(url: str) -> bool:
    """Whether there is something at an address that may be a database of ours; False if nothing is there yet.

    Leaves no trace. A server is not asked: it says so itself when it has no such database.
    Raises StoreForeign, StoreNewer, StoreDamaged for what is no database at all, StoreAddressUnusable.
    """
    return is_postgresql(url) or looking.is_there(url)


def is_postgresql(url: str) -> bool:
    """Whether an address names a PostgreSQL database. Raises StoreAddressUnusable for what is none."""
    return read_address(url).drivername in ("postgresql", "postgresql+psycopg", "postgres")


def _migrating(url: str) -> AbstractContextManager[Connection]:
    return migrating_postgresql(url) if is_postgresql(url) else migrating_sqlite(url)

"""Running the migrations: the only thing that makes or changes a schema, one process at a time."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect
from sqlalchemy.exc import DBAPIError

from ledger.resources import folder
from ledger.store import sqlite
from ledger.store.errors import StoreFailing, StoreForeign, StoreNewer
from ledger.store.locking import LockFile
from ledger.store.tables import Night

VERSION_TABLE: Final = "alembic_version"


def migrate(url: str) -> None:
    """Bring a database to this version's schema, or make it. Does nothing where nothing is to be done.

    In one transaction: a process that is killed on the way leaves what was there.
    Raises StoreNewer for a database that a newer version has migrated, StoreForeign for one of another program,
    StoreAddressUnusable, StoreUnavailable.
    """
    path = sqlite.database_path(url)
    lock = LockFile(sqlite.lock_path(path))
    engine = sqlite.migrating_engine(path)
    try:
        _make_folder(path.parent)
        with lock.exclusive(), engine.begin() as connection:
            if not is_current(connection):
                require_none_foreign(inspect(connection).get_table_names(), "this")
                upgrade(connection)
    except DBAPIError as error:
        raise sqlite.translated(error) from error
    finally:
        engine.dispose()
        lock.close()


def is_current(connection: Connection) -> bool:
    """Whether a database is at this version's schema. Raises StoreNewer if it is past it."""
    found = MigrationContext.configure(connection).get_current_revision()
    return require_known(found) == found


def require_known(revision: str | None) -> str | None:
    """The revision of this version's schema, if a database's own is not past it. Raises StoreNewer."""
    scripts = ScriptDirectory(str(folder("migrations")))
    if revision is not None and revision not in {script.revision for script in scripts.walk_revisions()}:
        raise StoreNewer(f"the database is of a newer version (schema {revision}): install that version")
    return scripts.get_current_head()


def require_none_foreign(tables: Iterable[str], place: str) -> None:
    """Return if a database holds tables of ours, or none. Raises StoreForeign."""
    names = set(tables)
    if names - {VERSION_TABLE} and names.isdisjoint(Night.metadata.tables):
        some = ", ".join(sorted(names)[:3])
        raise StoreForeign(f"{place} is another program's database (it holds {some}): name one of your own")


def upgrade(connection: Connection, revision: str = "head") -> None:
    """Run what is missing, as far as a revision, on a connection whose transaction has begun."""
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(folder("migrations")).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    command.upgrade(config, revision)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreFailing(f"the database's folder cannot be made: {error}") from error

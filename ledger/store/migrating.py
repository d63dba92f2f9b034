"""Running the migrations: the only thing that makes or changes a schema, one process at a time."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from ledger.resources import folder
from ledger.store import sqlite
from ledger.store.errors import StoreFailing, StoreNewer
from ledger.store.locking import LockFile


def migrate(url: str) -> None:
    """Bring a database to this version's schema, or make it. Does nothing where nothing is to be done.

    In one transaction: a process that is killed on the way leaves what was there.
    Raises StoreNewer for a database that a newer version has migrated, StoreAddressUnusable, StoreUnavailable.
    """
    path = sqlite.database_path(url)
    lock = LockFile(sqlite.lock_path(path))
    engine = sqlite.migrating_engine(path)
    try:
        _make_folder(path.parent)
        with lock.exclusive(), engine.begin() as connection:
            if not is_current(connection):
                upgrade(connection)
    except DBAPIError as error:
        raise sqlite.translated(error) from error
    finally:
        engine.dispose()
        lock.close()


def is_current(connection: Connection) -> bool:
    """Whether a database is at this version's schema. Raises StoreNewer if it is past it."""
    found = MigrationContext.configure(connection).get_current_revision()
    scripts = ScriptDirectory(str(folder("migrations")))
    if found is not None and found not in {script.revision for script in scripts.walk_revisions()}:
        raise StoreNewer(f"the database is of a newer version (schema {found}): install that version")
    return found == scripts.get_current_head()


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

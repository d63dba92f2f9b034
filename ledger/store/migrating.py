"""Running the migrations: the only thing that makes or changes a schema."""

from collections.abc import Iterable
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from ledger.resources import folder
from ledger.store.errors import StoreForeign, StoreNewer
from ledger.store.tables import Night

VERSION_TABLE: Final = "alembic_version"


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

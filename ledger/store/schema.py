"""Running the migrations, the only thing that makes or changes a schema; and comparing a schema with theirs.

Running them at every start to compare would be slow, and on PostgreSQL need the right to create tables. So their
schema is listed in a file next to them, and tests check that both agree.
"""

import json
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final

from sqlalchemy import Connection, inspect

from ledger.resources import folder
from ledger.store.errors import StoreForeign, StoreNewer
from ledger.store.models import Night

VERSION_TABLE: Final = "alembic_version"


def is_current(connection: Connection) -> bool:
    """Whether a database has this version's schema, or a newer one that this version can use. Raises StoreNewer if
    it has a newer one that it cannot use."""
    found = revision_of(connection)
    require_known(found)
    return found is not None and found not in revisions()[:-1]


def revision_of(connection: Connection) -> str | None:
    """The schema revision of a database; None if it has none."""
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    found = connection.exec_driver_sql(f"SELECT version_num FROM {VERSION_TABLE}").scalar()
    return None if found is None else str(found)


def require_known(revision: str | None) -> None:
    """Raise StoreNewer if the schema of a database is of a newer version, and this one cannot use it.

    A revision `0010.0009` can be used by the programs of revision 0009, too: so hosts that share a database are
    upgraded one after another.
    """
    if revision is None or revision in revisions():
        return
    number, _, usable_since = revision.partition(".")
    own, _, _ = revisions()[-1].partition(".")
    if not (number > own >= usable_since > ""):
        raise StoreNewer(f"the database is of a newer version (schema {revision}): install that version")


@cache
def revisions() -> tuple[str, ...]:
    """Every revision that this version knows, the oldest first, from the names of the migrations' files."""
    files = (folder("migrations") / "versions").glob("[0-9]*_*.py")
    return tuple(sorted(file.name.partition("_")[0] for file in files))


def require_none_foreign(tables: Iterable[str], place: str) -> None:
    """Raise StoreForeign if a database has tables, but none of ours."""
    names = set(tables)
    if names - {VERSION_TABLE} and names.isdisjoint(Night.metadata.tables):
        some = ", ".join(sorted(names)[:3])
        raise StoreForeign(f"{place} is another program's database (it holds {some}): name one of your own")


def upgrade(connection: Connection, revision: str = "head") -> None:
    """Run the missing migrations up to a revision, on a connection whose transaction has begun."""
    # Slow to import, and rarely needed.
    from alembic import command
    from alembic.config import Config

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(folder("migrations")).replace("%", "%%"))
    command.upgrade(config, revision)


Schema = Mapping[tuple[str, str], str]
"""(Kind, name) -> text, for each part of a database's schema."""


@cache
def wanted_schema(system: str) -> Schema:
    """The schema that the migrations make on a database system (`sqlite`, `postgresql`)."""
    parts = json.loads((folder("migrations") / f"{system}.json").read_text(encoding="utf-8"))
    return {(kind, name): text for kind, names in parts.items() for name, text in names.items()}


def differences(connection: Connection, system: str, found: Schema) -> tuple[str, ...]:
    """How the schema of a database differs from this version's, in words. A newer one that this version can use is
    not compared: the version that made it has done that."""
    known = revision_of(connection) in revisions()
    return compared(wanted_schema(system), found) if known else ()


def compared(wanted: Schema, found: Schema) -> tuple[str, ...]:
    """The parts that are missing, altered or not ours, in words; empty if the schema conforms."""
    missing = [f"{kind} {name} is missing" for kind, name in sorted(wanted.keys() - found.keys())]
    too_many = [f"{kind} {name} is not ours" for kind, name in sorted(found.keys() - wanted.keys())]
    altered = [
        f"{kind} {name} is altered"
        for kind, name in sorted(wanted.keys() & found.keys())
        if wanted[kind, name] != found[kind, name]
    ]
    return (*missing, *altered, *too_many)

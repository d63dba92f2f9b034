"""What SQLite's own catalog says of the schema, so that two texts are equal where they mean the same."""

import re
from typing import Final

from sqlalchemy import Connection

from ledger.store.conformance import Schema
from ledger.store.migrating import VERSION_TABLE
from ledger.store.models import Night

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

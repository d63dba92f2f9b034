"""The conformance check: is the schema exactly what the migrations make, and are the settings in force?"""

import re
from collections.abc import Mapping
from functools import cache

from sqlalchemy import Connection

from ledger.store import sqlite
from ledger.store.migrating import upgrade

_Schema = Mapping[tuple[str, str], str]

_BOOKKEEPING = "alembic_version"  # Alembic's own, in its words


def differences(connection: Connection) -> tuple[str, ...]:
    """What is missing, altered or too much, in words; empty when the database conforms.

    A table's text holds its columns and constraints; indexes and triggers come by themselves.
    """
    wanted, found = _wanted(), _schema(connection)
    missing = [f"{kind} {name} is missing" for kind, name in sorted(wanted.keys() - found.keys())]
    too_many = [f"{kind} {name} is not ours" for kind, name in sorted(found.keys() - wanted.keys())]
    altered = [
        f"{kind} {name} is altered"
        for kind, name in sorted(wanted.keys() & found.keys())
        if wanted[kind, name] != found[kind, name]
    ]
    return (*missing, *altered, *too_many, *sqlite.wrong_settings(connection))


@cache
def _wanted() -> _Schema:
    engine = sqlite.scratch_engine()
    try:
        with engine.begin() as connection:
            upgrade(connection)
            return _schema(connection)
    finally:
        engine.dispose()


def _schema(connection: Connection) -> _Schema:
    return {
        (kind, name): "" if name == _BOOKKEEPING else _plain(text)
        for kind, name, text in sqlite.schema_text(connection)
    }


def _plain(text: str) -> str:
    """A statement without its layout and quotes, which change with SQLAlchemy's version and mean nothing."""
    return re.sub(r'[\s"]+', "", text)

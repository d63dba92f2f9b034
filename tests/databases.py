"""Copying the file of a database that a store has open."""

import sqlite3
from contextlib import closing
from pathlib import Path

from ledger.store.systems import sqlite_connections


def copy_database(database: Path, copy: Path) -> Path:
    """Copy a database to a new file, as a new reader sees it. Returns the path of the copy."""
    with closing(sqlite3.connect(database)) as source:
        sqlite_connections.copy(source, copy)
    return copy

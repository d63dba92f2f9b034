"""What lies where a database in a file belongs, seen before anything of ours is written beside it, or into it."""

import sqlite3
from contextlib import closing
from pathlib import Path

from ledger.store import sqlite
from ledger.store.errors import StoreAddressUnusable, StoreDamaged
from ledger.store.migrating import VERSION_TABLE, require_known, require_none_foreign


def is_there(url: str) -> bool:
    """Whether there is something at an address that may be a database of ours; False if nothing is there yet.

    Leaves no trace: no lock file, no journal, not another journal mode.
    Raises StoreForeign, StoreNewer, StoreDamaged for what is no database at all, StoreAddressUnusable.
    """
    path = sqlite.database_path(url)
    if path.is_dir():
        raise StoreAddressUnusable(f"{path} is a folder: name a file in it")
    if not path.is_file() or not path.stat().st_size:
        return path.is_file()
    try:
        tables, revision = _contents(path)
    except (sqlite3.Error, OSError) as error:
        if getattr(error, "sqlite_errorname", "") == "SQLITE_NOTADB":
            raise StoreDamaged(f"{path} is not a database: name another file, or move it away") from error
        return True  # a damaged one, or one that is just being written: whoever opens it says which
    require_none_foreign(tables, str(path))
    require_known(revision)
    return True


def _contents(path: Path) -> tuple[list[str], str | None]:
    """The tables in a file, and the revision of its schema. As if the disk could only be read: without locks."""
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
        tables = [
            name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
        ]
        if VERSION_TABLE not in tables:
            return tables, None
        row = connection.execute(f"SELECT version_num FROM {VERSION_TABLE}").fetchone()
        return tables, row and str(row[0])

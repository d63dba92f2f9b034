"""Opening copies of a database: in a temporary folder to be audited, then in the place of a database.

With `Store.copy_to`, everything that a backup needs of a database system; both places are SQLite files.
"""

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import mkdtemp
from typing import Final

from sqlalchemy import URL

from ledger.store.errors import PlaceTaken, StoreAddressUnusable, translated_file_errors
from ledger.store.files import sync
from ledger.store.systems import file_of, migrate, sqlite
from ledger.store.systems.locks import unused
from ledger.store.systems.postgresql import COPIED_BY_OTHERS

_LEFTOVERS = ("-journal", "-wal", "-shm")
"""Endings of files that SQLite takes for a part of the database next to them."""


_PREFIX: Final = ".tienlen-"


@contextmanager
def temporary_folder(folder: Path) -> Iterator[Path]:
    """A temporary folder within a folder, deleted after the block. Raises StoreUnavailable.

    It is locked while its process lives: `sweep` deletes those left by killed processes.
    """
    with translated_file_errors(f"no copy can be made in {folder}"):
        path, lock = _locked_folder(folder)
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)
        os.close(lock)


def sweep(folder: Path) -> None:
    """Delete the workshops in a folder whose processes have ended; they contain copies of a database."""
    for path in folder.glob(f"{_PREFIX}*/"):
        with suppress(OSError):
            lock = _locked(path)
            shutil.rmtree(path, ignore_errors=True)
            os.close(lock)


def _locked_folder(folder: Path) -> tuple[Path, int]:
    while True:
        path = Path(mkdtemp(prefix=_PREFIX, dir=folder))
        with suppress(FileNotFoundError, BlockingIOError):  # swept before it was locked
            return path, _locked(path)


def _locked(folder: Path) -> int:
    """Lock a temporary folder. Raises BlockingIOError if its process lives, FileNotFoundError if it is gone."""
    lock = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        folder.stat()
    except BaseException:
        os.close(lock)
        raise
    return lock


@contextmanager
def scratch(copy: Path, folder: Path) -> Iterator[str]:
    """The address of a database made from a copy, in a temporary folder within a folder, migrated to this version.

    It is deleted after the block; the copy does not change. Raises StoreUnavailable.
    """
    with temporary_folder(folder) as place:
        database = place / "scratch.db"
        with translated_file_errors("a copy cannot be looked at"):
            shutil.copyfile(copy, database)
            database.chmod(0o600)
        url = URL.create("sqlite", database=str(database)).render_as_string()
        migrate(url)
        yield url


@contextmanager
def empty_place(url: str) -> Iterator[Path]:
    """The path for the database of an address, where no file may exist and no process may still use an earlier one.
    Raises PlaceTaken, StoreAddressUnusable."""
    database = file_of(url)
    if database is None:
        raise StoreAddressUnusable(COPIED_BY_OTHERS)
    with unused(sqlite.lock_path(database)) as nobody:
        if not nobody:
            raise PlaceTaken(f"{database} is open in another process: stop the server first")
        _require_nothing_at(database)
        yield database


def require_empty(url: str) -> None:
    """Raise PlaceTaken or StoreAddressUnusable if a database cannot be put at this address."""
    with empty_place(url):
        pass


def _require_nothing_at(database: Path) -> None:
    for path in (database, *(database.with_name(database.name + end) for end in _LEFTOVERS)):
        if os.path.lexists(path):
            raise PlaceTaken(f"{path} is there already: move it away first")


def put_in_place(scratch_url: str, url: str) -> None:
    """Put a scratch database at an address on the same file system, all of it or nothing, synced.

    No process may have it open. Raises PlaceTaken, StoreUnavailable.
    """
    source = sqlite.database_path(scratch_url)
    with empty_place(url) as database, translated_file_errors(f"{database} cannot be put in place"):
        sync(source)
        try:
            database.hardlink_to(source)
        except FileExistsError as error:
            raise PlaceTaken(f"{database} is there already: move it away first") from error
        sync(database.parent)

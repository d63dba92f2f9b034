"""What is wrong with an installation, and how to mend it.

Nothing is changed: all that it writes are files that are gone again.
"""

import os
import platform
import sys
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from ledger.recorder.doctor import clocks, files
from ledger.recorder.doctor.checks import Check, State, doubtful, fine, wrong
from ledger.recorder.doctor.standbys import standby
from ledger.recorder.installation import located, require_there, trusted_proxies
from ledger.resources import release
from ledger.store import (
    Store,
    StoreDamaged,
    StoreError,
    StoreReadOnly,
    StoreStandbyAway,
    file_of,
    without_password,
)

__all__ = ["Check", "State", "doubtful", "examine", "fine", "wrong"]


@dataclass(frozen=True, slots=True)
class _Mends:
    """What to do about a database, on one kind of system."""

    altered: str
    damaged: str
    unwritable: str


_IN_A_FILE = _Mends(
    altered="if it was altered by hand, put a backup in its place: tienlen restore",
    damaged="tienlen audit tells what is damaged, tienlen restore brings back a backup",
    unwritable="let the user that serves write the database, its lock files and their folder",
)
_ON_A_SERVER = _Mends(
    altered="undo it as the role that owns the database (GRANT, REVOKE, ALTER), or put a backup in its place by"
    " PostgreSQL's own programs",
    damaged="tienlen audit tells what is damaged, PostgreSQL's own programs bring back a backup",
    unwritable="the log of the PostgreSQL server says why",
)

_OF_A_STANDBY = (
    "name the server that it follows, or both with target_session_attrs=read-write; pg_ctl promote makes this one"
    " take its place once that is lost for good"
)


def examine(
    database_url: str | None,
    now: datetime,
    *,
    backups: Path | None = None,
    environment: Mapping[str, str] = os.environ,
) -> Iterator[Check]:
    """Every check of an installation, one by one. Raises the store's errors where there is nothing to look at."""
    url, key_place = located(database_url, environment)
    trusted_proxies(environment)  # can be read, or raises
    file = file_of(url)
    require_there(url)
    yield fine(
        "program", f"tienlen-ledger {release()} on Python {platform.python_version()} ({sys.platform})"
    )
    mends = _IN_A_FILE if file else _ON_A_SERVER
    newest, noted = None, None
    try:
        store = Store.open(url, web=False)
    except StoreDamaged as error:
        yield wrong("database", str(error), mends.damaged)
    except StoreReadOnly as error:
        yield wrong("database", str(error), mends.unwritable)
    else:
        try:
            newest = yield from _database(store, without_password(url), mends)
            noted = None if store.differences() else store.key_digest()
        finally:
            store.close()
    yield from files.key(key_place, environment, noted, made=file is not None)
    if file is not None:
        yield from files.permissions(file)
        yield from files.room(file.parent)
        yield from files.disk(file.parent)
    yield from clocks.clock(now, newest, file and file.parent)
    if backups is not None:
        yield from files.backups(backups, now)


def _mend(difference: str, mends: _Mends) -> str:
    if "migrate" in difference:
        return "tienlen migrate"
    return _OF_A_STANDBY if "is a standby" in difference else mends.altered


def _database(store: Store, place: str, mends: _Mends) -> Generator[Check, None, str | None]:
    """What the store says of itself, whichever system it is on; returns when the newest entry was recorded, None
    where nobody can say."""
    differences = store.differences()
    for difference in differences:
        yield wrong("schema", difference, _mend(difference, mends))
    try:
        found = store.describe()
    except StoreError as error:
        if not differences:  # which explain it
            yield wrong("database", str(error), mends.damaged)
        return None
    size = f"{found.nights} nights, {found.entries} entries, {found.size // 1000} kB"
    yield fine("database", f"{place}: {found.system}, {size}")
    if differences:
        return found.newest
    yield fine("schema", f"{found.schema}: every table, trigger, right and setting is as it must be")
    found_standbys = store.standbys()
    if found_standbys is not None:
        yield standby(found_standbys)
    try:
        store.check()
    except StoreStandbyAway as error:
        yield wrong("writing", f"nothing can be recorded now: {error}", "see standby")
    except StoreError as error:
        yield wrong("writing", str(error), mends.unwritable)
    else:
        yield fine("writing", "an entry could be recorded now")
    return found.newest

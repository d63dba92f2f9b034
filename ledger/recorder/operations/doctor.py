"""The doctor: checks an installation and says how to fix what is wrong.

It changes nothing: all files that it writes are temporary.
"""

import os
import platform
import shutil
import sys
import time
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from statistics import median
from tempfile import NamedTemporaryFile
from time import perf_counter
from typing import Final

from ledger.recorder.installation import located, require_there, trusted_proxies
from ledger.recorder.operations.backup import backups_in, made_at
from ledger.recorder.operations.checks import Check, doubtful, fine, wrong
from ledger.recorder.operations.damaged_logs import HOW_TO_FIX, tell_log
from ledger.recorder.operations.database_hosts import check_hosts
from ledger.resources import release
from ledger.store import (
    FILE_ENDINGS,
    KEY_VARIABLE,
    NETWORK_SHARES,
    Standbys,
    Store,
    StoreAddressUnusable,
    StoreDamaged,
    StoreError,
    StoreReadOnly,
    StoreStandbyAway,
    file_of,
    file_system,
    hosts_of,
    key_digest,
    require_key,
    server_key,
    without_password,
)


@dataclass(frozen=True, slots=True)
class _Fixes:
    """How to fix a database, on one kind of system."""

    altered: str
    damaged: str
    unwritable: str


_IN_A_FILE = _Fixes(
    altered="if it was altered by hand, put a backup in its place: tienlen restore",
    damaged="tienlen audit tells what is damaged, tienlen restore brings back a backup",
    unwritable="let the user that serves write the database, its lock files and their folder",
)
_ON_A_SERVER = _Fixes(
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
) -> Iterator[Check]:
    """Run every check of an installation. Raises the store's errors if there is no database to check."""
    url, key_place = located(database_url)
    trusted_proxies(os.environ)  # raises if invalid
    file = file_of(url)
    if hosts := hosts_of(url):
        yield check_hosts(hosts)
        if not any(host.primary for host in hosts):
            return
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
    yield from check_key(key_place, os.environ, noted, made=file is not None)
    if file is not None:
        yield from check_permissions(file)
        yield from check_room(file.parent)
        yield from check_disk(file.parent)
    yield from check_clock(now, newest, file and file.parent)
    if backups is not None:
        yield from check_backups(backups, now)


def examine_places(
    database_url: str | None, store: Store, now: datetime, backups: Path | None
) -> Iterator[Check]:
    """Run the checks of what a host looks at on an evening: standbys, room on the disk, backups."""
    standbys, file = store.standbys(), file_of(located(database_url)[0])
    if standbys is not None:
        yield check_standby(standbys)
    if file is not None:
        yield from check_room(file.parent)
    if backups is not None:
        yield from check_backups(backups, now)


def _mend(difference: str, mends: _Fixes) -> str:
    if "migrate" in difference:
        return "tienlen migrate"
    return _OF_A_STANDBY if "is a standby" in difference else mends.altered


def _database(store: Store, place: str, mends: _Fixes) -> Generator[Check, None, str | None]:
    """The checks of the store, on any database system; returns when the newest entry was recorded, None if
    unknown."""
    differences = store.differences()
    for difference in differences:
        yield wrong("schema", difference, _mend(difference, mends))
    try:
        found = store.describe()
    except StoreError as error:
        if not differences:  # otherwise they explain it
            yield wrong("database", str(error), mends.damaged)
        return None
    size = f"{found.nights} nights, {found.entries} entries, {found.size // 1000} kB"
    yield fine("database", f"{place}: {found.system}, {size}")
    if file_of(store.url) is not None:
        yield check_pages(store)
        yield from check_log(store)
    if differences:
        return found.newest
    yield fine("schema", f"{found.schema}: every table, trigger, right and setting is as it must be")
    found_standbys = store.standbys()
    if found_standbys is not None:
        yield check_standby(found_standbys)
    try:
        store.check()
    except StoreStandbyAway as error:
        yield wrong("writing", f"nothing can be recorded now: {error}", "see standby")
    except StoreError as error:
        yield wrong("writing", str(error), mends.unwritable)
    else:
        yield fine("writing", "an entry could be recorded now")
    return found.newest


def check_pages(store: Store) -> Check:
    """Ask the database system whether its pages are sound; whether each night is, the audit says."""
    damages = [found.what for found in store.damages(quick=True)]
    if not damages:
        return fine("pages", "every page of the database is sound")
    more = f"; and {len(damages) - 1} more findings" if damages[1:] else ""
    return wrong("pages", f"{damages[0]}{more}", _IN_A_FILE.damaged)


def check_log(store: Store) -> Iterator[Check]:
    """Check whether a log of the database could not be read when it was opened."""
    for log in store.damaged_logs():
        yield wrong("log", tell_log(log), HOW_TO_FIX)
    if not store.damaged_logs():
        yield fine("log", "nothing that was written to it is left unread")


_APART: Final = timedelta(seconds=2)
_SET_THE_CLOCK: Final = "let the system set it by the network: timedatectl set-ntp true"


def check_clock(now: datetime, newest: str | None, folder: Path | None) -> Iterator[Check]:
    """Compare the clock with the newest entry's time and with the file system's clock."""
    recorded = _time(newest)
    if recorded is not None and recorded > now + _APART:
        yield wrong(
            "clock",
            f"it is {now:%F %T} UTC, and the newest entry was recorded at {recorded:%F %T}",
            _SET_THE_CLOCK,
        )
        return
    if (
        folder is not None
        and (apart := _apart_from_files(folder)) is not None
        and apart > _APART.total_seconds()
    ):
        yield doubtful(
            "clock", f"it is {apart:.0f} s apart from the clock of the file system", _SET_THE_CLOCK
        )
        return
    yield fine("clock", f"it is {now:%F %T} UTC, and nothing was recorded later")


def _time(text: str | None) -> datetime | None:
    try:
        return datetime.fromisoformat(text) if text else None
    except ValueError:
        return None  # the audit reports it


def _apart_from_files(folder: Path) -> float | None:
    """The seconds between the time of a new file and now; None if no file can be written."""
    try:
        with NamedTemporaryFile(prefix=".tienlen-", dir=folder) as file:
            return abs(Path(file.name).stat().st_mtime - time.time())
    except OSError:
        return None


_MEGABYTE: Final = 1_000_000
_LITTLE: Final = 1000 * _MEGABYTE
_TOO_LITTLE: Final = 50 * _MEGABYTE
_SYNCS: Final = 15
_SLOW: Final = 0.020
_IMPLAUSIBLE: Final = 0.000_050
"""Seconds for a sync, of which an entry waits for two or three. No disk that honours flushes is faster."""
_BACKUP_DAYS: Final = 2
_ANOTHER_SYSTEM: Final = ("9p", "fuse.", "virtiofs")
_IN_MEMORY: Final = ("tmpfs", "ramfs")
_ANOTHER_KEY: Final = (
    "set the key of the other hosts, or of a backup; where it is lost for good: tienlen migrate --new-key, and"
    " tienlen link prints the links anew"
)


def check_key(
    place: Path, environment: Mapping[str, str], noted: bytes | None, *, made: bool
) -> Iterator[Check]:
    """Compare the key that `serve` would use with the `noted` digest of the key that links were made with. `made`
    is whether `serve` makes a missing key."""
    try:
        found = server_key(place, environment, make=False)
        if found is None and not made:
            require_key(found)
    except StoreAddressUnusable as error:
        yield wrong(
            "key", str(error), "set the key of the other hosts, or of a backup: a new one voids every link"
        )
        return
    if found is None:
        mend = "tienlen serve makes one; a backup brings the one of before"
        yield doubtful("key", f"{place} is not there", mend)
        return
    if noted is not None and noted != key_digest(found):
        yield wrong("key", "the links of these nights were made with another", _ANOTHER_KEY)
    elif environment.get(KEY_VARIABLE):
        yield fine("key", "in the environment")
    if not environment.get(KEY_VARIABLE):
        yield _private("key", place)


def check_permissions(database: Path) -> Iterator[Check]:
    """Check that no other user of this machine may read the database or its log, or hold its locks."""
    files = (database.with_name(database.name + end) for end in ("", *FILE_ENDINGS))
    yield from (_private("permissions", path) for path in files if path.exists())


def _private(name: str, path: Path) -> Check:
    mode = path.stat().st_mode & 0o777
    if mode & 0o077:
        return wrong(name, f"{path} is open to others on this machine ({mode:o})", f"chmod 600 {path}")
    return fine(name, f"{path} is its owner's alone")


def check_room(folder: Path) -> Iterator[Check]:
    """Check the free space in the database's folder."""
    free = shutil.disk_usage(folder).free
    finding = f"{free // _MEGABYTE} MB free in {folder}"
    if free < _TOO_LITTLE:
        yield wrong("room", finding, "make room: a full disk records nothing")
    elif free < _LITTLE:
        yield doubtful("room", finding, "make room before it is full: a full disk records nothing")
    else:
        yield fine("room", finding)


def check_disk(folder: Path) -> Iterator[Check]:
    """Check the kind of file system, and how long a sync takes."""
    kind = file_system(folder)
    mend = "move the database to a disk of this machine: others may not keep locks or flushes"
    if kind.startswith(NETWORK_SHARES):
        yield wrong("disk", f"{folder} is on a network share ({kind})", mend)
    elif kind.startswith(_ANOTHER_SYSTEM):
        yield doubtful("disk", f"{folder} is on another system ({kind})", mend)
    elif kind in _IN_MEMORY:
        mend = "move the database to a disk: from there it is gone with the power"
        yield wrong("disk", f"{folder} is in memory ({kind})", mend)
    elif kind:
        yield fine("disk", f"{folder} is on {kind}")
    try:
        took = sync_time(folder)
    except OSError as error:
        mend = "let the user that serves write there"
        yield wrong("sync", f"nothing can be written in {folder}: {error.strerror}", mend)
        return
    finding = f"{took * 1000:.2f} ms until something small is kept (median of {_SYNCS})"
    if took > _SLOW:
        yield doubtful("sync", finding, "a tap waits for it twice or more: use a quicker disk")
    elif took < _IMPLAUSIBLE:
        yield doubtful(
            "sync",
            finding,
            "quicker than a disk can be: where it ignores flushes, moves are lost with the power",
        )
    else:
        yield fine("sync", finding)


def sync_time(folder: Path) -> float:
    """The median time, in seconds, to append to a small file and sync it."""
    times = []
    with NamedTemporaryFile(prefix=".tienlen-", dir=folder) as file:
        for _ in range(_SYNCS):
            began = perf_counter()
            file.write(bytes(4096))
            file.flush()
            os.fsync(file.fileno())
            times.append(perf_counter() - began)
    return median(times)


def check_backups(folder: Path, now: datetime) -> Iterator[Check]:
    """Check the age of the newest backup in a folder."""
    made = backups_in(folder)
    if not made:
        yield wrong("backups", f"none in {folder}", f"tienlen backup {folder}, every day")
        return
    try:
        at = made_at(made[-1])
    except ValueError:
        yield doubtful("backups", f"{made[-1]} does not say when it was made", f"tienlen backup {folder}")
        return
    days, hours = (now - at).days, (now - at).total_seconds() / 3600
    age = f"{days} days" if days >= _BACKUP_DAYS else f"{hours:.1f} hours"
    finding = f"{len(made)} in {folder}, the newest {age} old"
    yield (
        fine("backups", finding)
        if days < _BACKUP_DAYS
        else doubtful("backups", finding, f"tienlen backup {folder}, every day")
    )


_AWAY: Final = (
    "start it, or name one that is there (ALTER SYSTEM SET synchronous_standby_names, SELECT pg_reload_conf());"
    " cancel no backend that waits: that acknowledges what no standby has"
)
_UNNAMED: Final = (
    "let a standby follow, and commits wait for it: ALTER SYSTEM SET synchronous_standby_names, SELECT"
    " pg_reload_conf(); a server that this one took the place of comes back as its standby, made anew"
)


def check_standby(found: Standbys) -> Check:
    """Check whether commits wait for a standby, and whether it is connected."""
    if found.missing:
        return wrong("standby", f"commits wait for one that is away: {found.wanted}", _AWAY)
    if found.wanted:
        return fine("standby", f"whatever is acknowledged is there, too: {found.wanted}")
    if found.promoted or found.connected:
        why = f"{found.connected} follow" if found.connected else "this server was once promoted"
        return doubtful(
            "standby", f"no commit waits for one, and {why}: what was acknowledged can be lost", _UNNAMED
        )
    return fine("standby", "none is waited for: what is lost with this server is in its backups")

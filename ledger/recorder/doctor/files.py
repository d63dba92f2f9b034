"""The files of an installation, and the disk that they lie on."""

import os
import shutil
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from statistics import median
from tempfile import NamedTemporaryFile
from time import perf_counter
from typing import Final

from ledger.recorder.doctor.checks import Check, doubtful, fine, wrong
from ledger.store import KEY_VARIABLE, StoreAddressUnusable, key_digest, require_key, server_key

_MEGABYTE: Final = 1_000_000
_LITTLE: Final = 1000 * _MEGABYTE
_TOO_LITTLE: Final = 50 * _MEGABYTE
_SYNCS: Final = 15
_SLOW: Final = 0.020
_IMPLAUSIBLE: Final = 0.000_050
"""Seconds. An entry waits for two or three of them; no disk that keeps what it was given is quicker than that."""
_BACKUP_DAYS: Final = 2
_MOUNTS: Final = Path("/proc/mounts")
_NETWORK: Final = ("9p", "afs", "ceph", "cifs", "fuse.", "gluster", "lustre", "nfs", "smb", "virtiofs")
_IN_MEMORY: Final = ("tmpfs", "ramfs")
_ANOTHER_KEY: Final = (
    "set the key of the other hosts, or of a backup; where it is lost for good: tienlen migrate --new-key, and"
    " tienlen link prints the links anew"
)


def key(place: Path, environment: Mapping[str, str], noted: bytes | None, *, made: bool) -> Iterator[Check]:
    """The key that signs links, as `serve` takes it, beside what is `noted` of the one that links were made with.
    `made` is whether `serve` makes one where there is none."""
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


def permissions(database: Path) -> Iterator[Check]:
    """Who else on this machine may read the nights, or keep them waiting."""
    beside = (database.with_name(database.name + end) for end in ("", ".lock", ".lock.queue"))
    yield from (_private("permissions", path) for path in beside if path.exists())


def _private(name: str, path: Path) -> Check:
    mode = path.stat().st_mode & 0o777
    if mode & 0o077:
        return wrong(name, f"{path} is open to others on this machine ({mode:o})", f"chmod 600 {path}")
    return fine(name, f"{path} is its owner's alone")


def room(folder: Path) -> Iterator[Check]:
    """Free space where the nights are."""
    free = shutil.disk_usage(folder).free
    said = f"{free // _MEGABYTE} MB free in {folder}"
    if free < _TOO_LITTLE:
        yield wrong("room", said, "make room: a full disk records nothing")
    elif free < _LITTLE:
        yield doubtful("room", said, "make room before it is full: a full disk records nothing")
    else:
        yield fine("room", said)


def disk(folder: Path) -> Iterator[Check]:
    """What kind of disk it is, and how long it takes to keep something."""
    kind = file_system(folder)
    if kind.startswith(_NETWORK):
        mend = "move the database to a disk of this machine: others may not keep locks or flushes"
        yield doubtful("disk", f"{folder} is on a network, or on another system ({kind})", mend)
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
    said = f"{took * 1000:.2f} ms until something small is kept (median of {_SYNCS})"
    if took > _SLOW:
        yield doubtful("sync", said, "a tap waits for it twice or more: use a quicker disk")
    elif took < _IMPLAUSIBLE:
        yield doubtful(
            "sync",
            said,
            "quicker than a disk can be: where it ignores flushes, moves are lost with the power",
        )
    else:
        yield fine("sync", said)


def sync_time(folder: Path) -> float:
    """The median of the seconds that it takes to append to a small file, and to sync it."""
    times = []
    with NamedTemporaryFile(prefix=".tienlen-", dir=folder) as file:
        for _ in range(_SYNCS):
            began = perf_counter()
            file.write(bytes(4096))
            file.flush()
            os.fsync(file.fileno())
            times.append(perf_counter() - began)
    return median(times)


def file_system(folder: Path) -> str:
    """The kind of the file system that a folder is on; empty where this system does not say."""
    try:
        lines = _MOUNTS.read_text(errors="replace").splitlines()
    except OSError:
        return ""
    mounts = [(Path(words[1].replace("\\040", " ")), words[2]) for words in map(str.split, lines)]
    around = [(len(place.parts), kind) for place, kind in mounts if folder.resolve().is_relative_to(place)]
    # Of several that are mounted at one place, the last one is seen.
    return max(reversed(around), key=lambda mount: mount[0], default=(0, ""))[1]


def backups(folder: Path, now: datetime) -> Iterator[Check]:
    """How old the newest backup of a folder is."""
    made = sorted(folder.glob("tienlen-*Z.db"))
    if not made:
        yield wrong("backups", f"none in {folder}", f"tienlen backup {folder}, every day")
        return
    try:
        at = datetime.strptime(made[-1].name, "tienlen-%Y%m%dT%H%M%SZ.db").replace(tzinfo=now.tzinfo)
    except ValueError:
        yield doubtful("backups", f"{made[-1]} does not say when it was made", f"tienlen backup {folder}")
        return
    days = (now - at).days
    said = f"{len(made)} in {folder}, the newest {days} days old"
    yield (
        fine("backups", said)
        if days < _BACKUP_DAYS
        else doubtful("backups", said, f"tienlen backup {folder}, every day")
    )

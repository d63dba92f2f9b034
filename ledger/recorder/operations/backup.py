"""Backups: made while nights are being recorded, audited before use, restored only where no database exists."""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime, timedelta
from hashlib import file_digest
from pathlib import Path
from typing import Any, Final

from ledger.recorder.installation import Installation, located
from ledger.recorder.operations.audit import audit
from ledger.recorder.recording import Recorder
from ledger.recorder.views.night import view_head
from ledger.store import (
    KEY_VARIABLE,
    DamagedLog,
    PlaceTaken,
    Store,
    put_in_place,
    require_empty,
    scratch,
    sweep,
    sync,
    temporary_folder,
    translated_file_errors,
    write_new,
)

_NAME: Final = "tienlen-%Y%m%dT%H%M%SZ.db"
"""The name of a backup, with the time when it was made."""

Heads = dict[str, dict[str, Any]]
"""Night -> its head: seq, hash and code."""


class BackupRefused(Exception):
    """A backup is damaged, or a log has no tail to add; the text says why on one line. Nothing was changed."""


@dataclass(frozen=True, slots=True)
class Backup:
    """A copy of all nights. `heads` are those of the sound nights; `damaged` is what the audit found in each other
    night, which is copied as it is. `key_file` is None if the backup does not include the key. `logs` are those of
    the database that could not be read whole, so that entries may be missing in the copy, too."""

    file: Path
    key_file: Path | None
    heads: Heads
    damaged: Mapping[str, str]
    logs: Sequence[DamagedLog] = ()


def back_up(installation: Installation, folder: Path, now: datetime) -> Backup:
    """Write a backup into a folder: the database, its heads (`.json`), and the key (`.key`) unless the environment
    sets it.

    Each night is copied at one moment, while recording goes on. The copy is opened in a temporary folder and
    audited before it gets the name of a backup. Damage in one night does not prevent the backup of others. Raises
    BackupRefused, and the store's errors.
    """
    file = folder / f"{now:{_NAME}}"
    with closing(Store.open(installation.database_url, web=False)) as store:
        with translated_file_errors(f"the folder {folder} cannot be used"):
            folder.mkdir(parents=True, exist_ok=True)
        installation.sweep()
        sweep(folder)
        with temporary_folder(folder) as place:
            copy = place / "copy.db"
            store.copy_to(copy)
            with scratch(copy, place) as url:
                heads, damaged = _audited(url, "the database is damaged, and its copy is no backup")
            key = installation.key if installation.key_file else None
            with translated_file_errors(f"the backup {file} cannot be written"):
                key_file = _named(copy, file, heads, key, now)
            return Backup(file, key_file, heads, damaged, store.damaged_logs())


def backups_in(folder: Path) -> list[Path]:
    """The backups in a folder, the oldest first."""
    return sorted(folder.glob("tienlen-*Z.db"))


def made_at(backup: Path) -> datetime:
    """When a backup was made, by its name. Raises ValueError for any other name."""
    return datetime.strptime(backup.name, _NAME).replace(tzinfo=UTC)


def thin(folder: Path, now: datetime, days: int) -> Iterator[Path]:
    """Delete the backups in a folder that are older than so many days, and, of each day before the last 24 hours,
    all but the last; yields them. Raises the store's errors."""
    kept = set[date]()
    for file in reversed(backups_in(folder)):
        try:
            made = made_at(file)
        except ValueError:
            continue  # its name is not ours
        age = now - made
        if age < timedelta(days=1):
            continue
        if age < timedelta(days=days) and made.date() not in kept:
            kept.add(made.date())
            continue
        with translated_file_errors(f"the backup {file} cannot be deleted"):
            # The database last: what an interruption leaves is found again.
            for path in (file.with_suffix(".json"), file.with_suffix(".key"), file):
                path.unlink(missing_ok=True)
        yield file


def restore(
    backup: Path, database_url: str | None = None, environment: Mapping[str, str] = os.environ
) -> Backup:
    """Restore a backup as this installation's database, with its key; no database and no other key may exist.

    The backup is first migrated, audited and compared with the heads written with it: a night may be damaged only
    if it was so when the backup was made. A key in the environment takes precedence: then none is restored. Raises
    BackupRefused, and the store's errors.
    """
    url, key_place = located(database_url, environment)
    require_empty(url)
    with translated_file_errors(f"the backup {backup} cannot be read"):
        known, key = _known_heads(backup), _key_of(backup)
    if environment.get(KEY_VARIABLE):
        key = None
    _require_no_other_key(key, key_place)
    with translated_file_errors(f"the folder {key_place.parent} cannot be used"):
        key_place.parent.mkdir(parents=True, exist_ok=True)
    sweep(key_place.parent)
    with scratch(backup, key_place.parent) as scratch_url:
        heads, damaged = _audited(scratch_url, f"{backup} is damaged")
        if known is None and damaged:
            raise BackupRefused(f"{backup} is damaged: {_first_of(damaged)}")
        if known is not None and heads != known:
            raise BackupRefused(f"{backup} is damaged: its heads are not those that were written beside it")
        if key is not None and not key_place.exists():
            with translated_file_errors(f"the key {key_place} cannot be written"):
                write_new(key_place, key)
        put_in_place(scratch_url, url)
    return Backup(backup, key_place if key_place.exists() else None, heads, damaged)


def _audited(url: str, verdict: str) -> tuple[Heads, dict[str, str]]:
    """The heads of the nights that are sound, and the first difference in each other night.

    Raises BackupRefused if the database itself is damaged, or all nights in it.
    """
    damaged: dict[str, str] = {}
    with closing(Store.open(url, web=False)) as store:
        for found in audit(Recorder(store, None)):
            if found.engine:
                continue
            if found.night is None:
                raise BackupRefused(f"{verdict}: database: {found.what}")
            damaged.setdefault(found.night, f"entry {found.seq}: {found.what}")
        with store.reading() as reader:
            sound = [row.id for row in reader.nights() if row.id not in damaged]
            if damaged and not sound:
                raise BackupRefused(f"{verdict}: {_first_of(damaged)}")
            return {night: asdict(view_head(reader.head(night))) for night in sound}, damaged


def _first_of(damaged: Mapping[str, str]) -> str:
    return next(f"night {night}, {what}" for night, what in damaged.items())


def _named(copy: Path, file: Path, heads: Heads, key: bytes | None, now: datetime) -> Path | None:
    """Write the manifest and the key, then give the copy the name of a backup: a file of that name is complete.

    Returns the path of the key, if written."""
    if os.path.lexists(file):
        raise PlaceTaken(f"{file} is there already")
    manifest = {"made_at": now.isoformat(), "sha256": _digest(copy), "heads": heads}
    contents = {
        file.with_suffix(".json"): json.dumps(manifest, ensure_ascii=False, indent=1).encode() + b"\n"
    }
    key_file = None
    if key is not None:
        key_file = file.with_suffix(".key")
        contents[key_file] = key.hex().encode() + b"\n"
    for path, content in contents.items():
        write_new(copy.with_name(path.name), content)
    for path in contents:
        copy.with_name(path.name).rename(path)
    copy.rename(file)
    sync(file.parent)
    return key_file


def _known_heads(backup: Path) -> Heads | None:
    """The heads written with a backup; None without the file. Raises BackupRefused if the digest differs."""
    manifest = backup.with_suffix(".json")
    if not manifest.is_file():
        return None
    try:
        listed = json.loads(manifest.read_text(encoding="utf-8"))
        digest, heads = listed["sha256"], listed["heads"]
    except (ValueError, KeyError, TypeError) as error:
        raise BackupRefused(f"{manifest} cannot be read as what a backup writes beside itself") from error
    if _digest(backup) != digest:
        raise BackupRefused(f"{backup} is damaged: its bytes are not those that were written")
    return dict(heads)


def _key_of(backup: Path) -> bytes | None:
    key_file = backup.with_suffix(".key")
    return key_file.read_bytes() if key_file.is_file() else None


def _require_no_other_key(key: bytes | None, place: Path) -> None:
    with translated_file_errors(f"the key {place} cannot be read"):
        if key is not None and place.exists() and place.read_bytes().strip() != key.strip():
            raise PlaceTaken(f"{place} is there already, and is another key: move it away first")


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()

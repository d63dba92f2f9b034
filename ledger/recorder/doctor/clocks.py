"""Whether the clock can be believed: entries say when they were recorded."""

import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Final

from ledger.recorder.doctor.checks import Check, doubtful, fine, wrong

_APART: Final = timedelta(seconds=2)
_MEND: Final = "let the system set it by the network: timedatectl set-ntp true"


def clock(now: datetime, newest: str | None, folder: Path | None) -> Iterator[Check]:
    """The clock beside the newest entry, and beside the one of the file system."""
    recorded = _read(newest)
    if recorded is not None and recorded > now + _APART:
        yield wrong(
            "clock", f"it is {now:%F %T} UTC, and the newest entry was recorded at {recorded:%F %T}", _MEND
        )
        return
    if (
        folder is not None
        and (apart := _apart_from_files(folder)) is not None
        and apart > _APART.total_seconds()
    ):
        yield doubtful("clock", f"it is {apart:.0f} s apart from the clock of the file system", _MEND)
        return
    yield fine("clock", f"it is {now:%F %T} UTC, and nothing was recorded later")


def _read(time: str | None) -> datetime | None:
    try:
        return datetime.fromisoformat(time) if time else None
    except ValueError:
        return None  # for an audit to say


def _apart_from_files(folder: Path) -> float | None:
    """How many seconds the time of a new file is from now; None where none can be made."""
    try:
        with NamedTemporaryFile(prefix=".tienlen-", dir=folder) as file:
            return abs(Path(file.name).stat().st_mtime - time.time())
    except OSError:
        return None

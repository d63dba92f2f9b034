"""What a damaged log of the database means, in words."""

from typing import Final

from ledger.store import DamagedLog

HOW_TO_FIX: Final = (
    "let the phones of that evening open their nights: they say so if entries are missing, and send again what"
    " they still have; add the rest from an exact log that a phone or a chat has (tienlen restore --tail), or from"
    " a backup (tienlen restore --night); then delete the file"
)


def tell_log(log: DamagedLog) -> str:
    """What was found, and both causes that it may have."""
    return (
        f"{log.frames} frames of the database's log could not be read, which is kept as {log.file}: either power"
        " failed or a process was killed while they were written, and nothing acknowledged is lost; or the file is"
        " damaged, and what was recorded last may be missing"
    )

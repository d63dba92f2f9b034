"""Check that no answer is sent before what it acknowledges is on the disk.

scripts/soak faults answers --moves 200
"""

from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.soak.faults.disk import Disk
from tests.soak.faults.moves import nights
from tests.soak.faults.serving import NEVER_SYNCING, Phone, Server
from tests.soak.faults.tracing import Say, Step, Write, read, within
from tests.soak.faults.writer import DATABASE, JOURNAL

_RECORDED: Final = b"HTTP/1.1 201 "


@dataclass(slots=True)
class Tally:
    """The number of answers that acknowledged an entry, and a line for each that was sent too early."""

    answers: int = 0
    early: list[str] = field(default_factory=list)


def judged(before: dict[str, bytes], steps: list[Step]) -> Tally:
    """Compare every answer with what had been written and synced before it was sent."""
    tally, disk, written = Tally(), Disk(before), False
    for step in steps:
        if isinstance(step, Say):
            if step.data.startswith(_RECORDED):
                tally.answers += 1
                if not written:
                    tally.early.append(f"answer {tally.answers}: nothing was written before it")
                elif waiting := disk.unsynced():
                    tally.early.append(f"answer {tally.answers}: not synced before it: {', '.join(waiting)}")
                written = False
        else:
            disk.take(step)
            written |= isinstance(step, Write) and step.path == DATABASE
    return tally


def watched(server: Server, phone: Phone, *, moves: int) -> Tally:
    """Record `moves` entries through a server that strace traces."""
    trace = server.folder / "trace"
    before = {path.name: b"" for path in server.folder.iterdir() if path.name in (DATABASE, JOURNAL)}
    with server.watched(trace):
        for _ in range(moves):
            assert phone.record().status == 201
    assert phone.wrong == []
    return judged(before, list(within(server.folder, read(trace), (DATABASE, JOURNAL))))


def report(*, moves: int, defect: bool) -> int:
    """The long mode."""
    plant = NEVER_SYNCING if defect else ""
    with TemporaryDirectory(prefix="answers-") as folder, Server(Path(folder), plant=plant) as server:
        tally = watched(server, Phone.opening(server, next(nights())), moves=moves)
    print("\n".join(tally.early[:10]), end="\n" if tally.early else "")
    print(f"{len(tally.early)} of {tally.answers} answers were sent before what they acknowledge was synced")
    return bool(tally.early) or tally.answers != moves

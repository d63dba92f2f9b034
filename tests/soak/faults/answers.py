"""Check that no answer is sent before what it acknowledges is on the disk."""

from dataclasses import dataclass, field
from typing import Annotated, Final

from tests.soak.faults.disk import Disk
from tests.soak.faults.moves import nights
from tests.soak.faults.serving import NEVER_SYNCING, Phone, Server
from tests.soak.faults.tracing import Say, Step, Write, read, within
from tests.soak.faults.writer import DATABASE, JOURNAL
from tests.soak.running import Result, on_disk, progress

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
        for _ in progress(range(moves), moves, "moves"):
            assert phone.record().status == 201
    assert phone.wrong == []
    return judged(before, list(within(server.folder, read(trace), (DATABASE, JOURNAL))))


def soak(*, moves: int = 200, defect: Annotated[bool, "never sync, and see it found"] = False) -> Result:
    """Look when answers are sent, and when data is synced."""
    with on_disk() as folder, Server(folder, plant=NEVER_SYNCING if defect else "") as server:
        tally = watched(server, Phone.opening(server, next(nights())), moves=moves)
    unseen = [] if tally.answers == moves else [f"{moves - tally.answers} answers were not seen"]
    figures = (
        f"{tally.answers} answers, {len(tally.early)} of them sent before what they acknowledge was synced"
    )
    return Result(figures, [*tally.early, *unseen])

"""Whoever writes a SQLite database or its log holds the lock: watched by strace while a server of two processes
starts, is used by several phones and by commands beside it, loses a process, and ends."""

import os
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from http.client import HTTPException
from itertools import islice
from pathlib import Path
from random import Random
from subprocess import DEVNULL, run
from threading import Thread
from typing import Annotated, Final

from ledger.store.systems.sqlite import lock_path
from tests.servers import PROGRAM, Served
from tests.soak.faults.moves import nights
from tests.soak.faults.serving import SHORT_LOG, Phone
from tests.soak.faults.tracing import LOCKS_AND_CHANGES, changes, strace
from tests.soak.faults.writer import DATABASE, LOG
from tests.soak.running import Tally, scratch

_PHONES: Final = 3
_COMMANDS: Final = (("doctor",), ("nights",), ("audit",), ("backup", "backups"), ("migrate",))

CLOSING: Final = "a close outside the lock"
WRITING: Final = "a writer without the lock"
READING: Final = "a reader that empties the log"
DEFECTS: Final = {
    CLOSING: """
from ledger.store.systems import sqlite
sqlite.Sqlite.close = lambda self: (self._emptier.close(), self._reading.dispose(), self._writing.dispose())
""",
    WRITING: """
from contextlib import nullcontext
from ledger.store.systems import sqlite
sqlite.Sqlite._alone = lambda self: nullcontext()
""",
    READING: """
from contextlib import contextmanager
from ledger.store.systems import sqlite
usual = sqlite.Sqlite.reading

@contextmanager
def reading(self):
    with usual(self) as connection:
        yield connection
    with self._inspecting.connect() as connection:
        connection.exec_driver_sql("PRAGMA query_only = 0")
        connection.exec_driver_sql("PRAGMA wal_checkpoint")

sqlite.Sqlite.reading = reading
""",
}
"""Defects to plant in a server: Python code that it runs first."""


def soak(*, moves: int = 100, defect: Annotated[str, DEFECTS, "plant it, and see it found"] = "") -> Tally:
    """Trace every change of the files while each phone records so many moves: who makes one holds the lock."""
    with scratch() as folder:
        return watched(folder, moves=moves, defect=defect)


def watched(
    folder: Path, *, moves: int, commands: Sequence[Sequence[str]] = _COMMANDS, defect: str = ""
) -> Tally:
    """The changes of the files while these commands run beside the server, by kind; a line for each kind that was
    made outside the lock."""
    folder = folder.resolve()
    traces = [folder / f"trace {number}" for number in range(len(commands) + 1)]
    with _traced(folder, traces[0], DEFECTS[defect] if defect else "") as server:
        phones = [Phone.opening(server, night) for night in islice(nights(), _PHONES)]
        with ThreadPoolExecutor(_PHONES + len(commands)) as pool:
            work = [pool.submit(_use, phone, moves) for phone in phones]
            work += [pool.submit(_command, server, *each) for each in zip(traces[1:], commands, strict=True)]
            server.kill_worker(Random(moves))
            for each in work:
                each.result()
    tally, outside = Tally(), Counter[str]()
    for trace in traces:
        for change, held in changes(trace, lock_path(folder / DATABASE), (DATABASE, LOG)):
            tally[change] += 1
            outside[change] += not held
    tally.wrong += [f"{count} × {change} outside the lock" for change, count in outside.items() if count]
    tally.wrong += [wrong for phone in phones for wrong in phone.wrong]
    return tally


@contextmanager
def _traced(folder: Path, trace: Path, plant: str) -> Iterator[Served]:
    """A server of two processes, traced from its start to its end."""
    pipe = folder / "pipe"
    os.mkfifo(pipe)
    kept = Thread(target=_keep, args=(pipe, trace))
    kept.start()
    tracer = strace(pipe, "-DDD", *LOCKS_AND_CHANGES)  # the server stays this process's own child
    with Served(folder, plant=f"{SHORT_LOG}\n{plant}", under=tracer) as server:
        yield server
    kept.join()  # the tracer ends after what it traced


def _keep(pipe: Path, trace: Path) -> None:
    with pipe.open("rb") as source, trace.open("wb") as target:
        shutil.copyfileobj(source, target)


def _use(phone: Phone, moves: int) -> None:
    """Record and read, again where the process that answers is killed."""
    for _ in range(moves):
        with suppress(OSError, HTTPException):
            phone.record()
            phone.read()


def _command(server: Served, trace: Path, command: Sequence[str]) -> None:
    tracer = strace(trace, *LOCKS_AND_CHANGES)
    run(
        [*tracer, *PROGRAM, *command],
        cwd=server.folder,
        env=os.environ | server.environment,
        stdout=DEVNULL,
        stderr=DEVNULL,
        check=True,
    )

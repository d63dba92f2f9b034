"""Kill writers with SIGKILL at any moment of their transactions, one after another on the same database."""

import gc
import mmap
import os
import shutil
import signal
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from itertools import islice
from pathlib import Path
from random import Random
from typing import Annotated, Final

from ledger.recorder import Recorder
from ledger.store import Store, Writer, migrate
from ledger.store.systems import sqlite
from ledger.store.systems.sqlite_connections import checkpoint
from ledger.store.systems.sqlite_log import log_size
from tests.patience import Patience
from tests.recorder.tables import KEY
from tests.soak.faults.moves import Place, audited, missing, nights, open_night, record
from tests.soak.faults.writer import DATABASE, LOG, LOG_BYTES
from tests.soak.running import Progress, Tally, scratch

EARLY: Final = "acknowledged before it is committed"
NO_LOG: Final = "the log is deleted, not recovered"
DEFECTS: Final = (EARLY, NO_LOG)

_FOR_ONE_DATABASE: Final = 100  # kills, after which a database is audited and replaced


BETWEEN, WRITING, COMMITTING, CHECKPOINTING = range(4)
PHASES: Final = ("between two transactions", "writing", "committing", "emptying the log")
"""What a killed writer was doing."""
_TRANSACTIONS: Final = 50
"""How many a writer begins, at most, until it is killed; the log is emptied more often."""


class _Victims:
    """The writers of one night, one after the other. They are forked: no other thread may run."""

    def __init__(self, database: Path, tally: Tally, defect: str) -> None:
        self.url = f"sqlite:///{database}"
        self._database = database
        self._tally = tally
        self._early, self._keeps_log = defect == EARLY, defect != NO_LOG
        self._night = next(nights())
        self._phase = mmap.mmap(-1, 2)
        with closing(Store.open(self.url)) as store:
            # Record a little, so that forked writers find warm caches.
            recorder = Recorder(store, KEY)
            self._last_read = Place(0, open_night(recorder, self._night))
            some = record(recorder, self._night, after=0, acknowledge=lambda _: None)
            self._acknowledged = list(islice(some, 3))  # since the place that was read last

    def kill_one(self, chance: Random) -> None:
        """Start a writer, which first checks everything acknowledged, and kill it at a random moment."""
        self._phase[0] = BETWEEN
        ours, its = os.pipe()
        writer = os.fork()
        if not writer:
            os.close(ours)
            self._write(its)
        os.close(its)
        with os.fdopen(ours) as output:
            lines = []
            try:
                if self._looked(output.readline()):
                    lines = [output.readline() for _ in range(chance.choice((0, 0, 1, 2, 3)))]
                    self._wait_for_a_moment(chance)
            finally:
                os.kill(writer, signal.SIGKILL)
                _, status = os.waitpid(writer, 0)
            if os.waitstatus_to_exitcode(status) != -signal.SIGKILL:
                self._tally.wrong.append("the writer failed")
            # A line without its end acknowledges nothing.
            lines = [line for line in (*lines, *output) if line.endswith("\n")]
        self._acknowledged += map(Place.read, lines)
        self._tally["moves acknowledged"] += len(lines)
        self._tally[f"killed {PHASES[self._phase[0]]}"] += 1
        self._tally["logs left to recover"] += log_size(self._database) > 0
        if not self._keeps_log:
            self._database.with_name(LOG).unlink(missing_ok=True)

    def check(self) -> None:
        """Look for faults in what was acknowledged since the last look, and audit the database."""
        with closing(Store.open(self.url)) as store:
            self._tally.wrong += missing(store, self._night, self._last_read, self._acknowledged)
        self._tally.wrong += audited(self.url, killed=True)

    def _looked(self, line: str) -> bool:
        """Read a new writer's first line, the night's place or a fault. Returns whether it is a place."""
        try:
            self._last_read, self._acknowledged = Place.read(line), []
        except ValueError:
            self._tally.wrong.append(line.strip() or "the next writer could not begin")
            return False
        return True

    def _wait_for_a_moment(self, chance: Random) -> None:
        """Wait a random time, in most cases also until the writer writes or commits, at most for some transactions,
        and a moment more."""
        time.sleep(chance.uniform(0, 0.005))
        phase = chance.choice((None, WRITING, COMMITTING, COMMITTING, CHECKPOINTING))
        patience, begun = Patience(), self._phase[1]
        while (
            phase is not None and self._phase[0] != phase and (self._phase[1] - begun) % 256 < _TRANSACTIONS
        ):
            if patience.ends():
                self._tally.wrong.append("the writer does not go on")
                break
        time.sleep(chance.uniform(0, 0.002))

    def _write(self, output: int) -> None:
        """Run a writer until it is killed; never returns."""

        def say(line: object) -> None:
            os.write(output, f"{line}\n".encode())

        try:
            store = Watched.open(self.url)
            store.phase, store.early = self._phase, say if self._early else lambda _: None
            vars(sqlite)["checkpoint"] = self._checkpoint
            faults = missing(store, self._night, self._last_read, self._acknowledged)
            with store.reading() as reader:
                say("; ".join(faults) or Place.of(reader.head(self._night)))
            last = self._acknowledged[-1] if self._acknowledged else self._last_read
            acknowledge = (lambda _: None) if self._early else say
            for _ in record(Recorder(store, KEY), self._night, after=last.seq, acknowledge=acknowledge):
                pass
        except BaseException as error:
            print(f"the writer: {error!r}", file=sys.stderr, flush=True)
        finally:
            os._exit(1)

    def _checkpoint(self, connection: sqlite3.Connection, *, wait: bool) -> bool:
        """Publish that a checkpoint runs."""
        self._phase[0] = CHECKPOINTING
        return checkpoint(connection, wait=wait)


class Watched(Store):
    """A store that publishes the phase of its write transaction."""

    phase: mmap.mmap
    """Two bytes: the phase, and how many transactions have begun, modulo 256."""
    early: Callable[[Place], None]  # called before the commit

    @contextmanager
    def writing(self, *nights: str, forgets: bool = False, entries: int = 1) -> Iterator[Writer]:
        with super().writing(*nights, forgets=forgets, entries=entries) as writer:
            self.phase[1] = (self.phase[1] + 1) % 256
            self.phase[0] = WRITING
            yield writer
            self.early(Place.of(writer.head(nights[0])))
            self.phase[0] = COMMITTING
        self.phase[0] = BETWEEN


def soak(
    *, kills: int = 10_000, seed: int = 1, defect: Annotated[str, DEFECTS, "plant it, and see it found"] = ""
) -> Tally:
    """Kill writers inside their transactions, and check what they leave; an interrupt ends it early."""
    tally, say = Tally(), Progress(kills, "kills")
    vars(sqlite)["LOG_BYTES"] = LOG_BYTES
    with scratch() as folder, suppress(KeyboardInterrupt):
        empty = folder / "empty.db"
        migrate(f"sqlite:///{empty}")
        gc.freeze()
        for first in range(0, kills, _FOR_ONE_DATABASE):
            shutil.copyfile(empty, folder / DATABASE)
            victims = _Victims(folder / DATABASE, tally, defect)
            for number in range(first, min(first + _FOR_ONE_DATABASE, kills)):
                say(number)
                victims.kill_one(Random(f"{seed} {number}"))
                if tally.wrong:
                    tally.wrong.append(f"seed {seed}, kill {number}")
                    return tally
            victims.check()
    return tally

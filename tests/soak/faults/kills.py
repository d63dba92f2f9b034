"""Kill writers with SIGKILL at any moment of their transactions, one after another on the same database."""

import gc
import mmap
import os
import shutil
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import islice
from pathlib import Path
from random import Random
from typing import Annotated, Final

from ledger.recorder import Recorder
from ledger.store import Store, Writer, migrate
from ledger.store.systems import sqlite_connections
from tests.recorder.tables import KEY
from tests.soak.faults.moves import Place, audited, missing, nights, open_night, record
from tests.soak.faults.writer import DATABASE, JOURNAL
from tests.soak.running import Progress, Result, on_disk

EARLY: Final = "acknowledged before it is committed"
NO_JOURNAL: Final = "no journal"
DEFECTS: Final = (EARLY, NO_JOURNAL)
"""Defects to plant; finding the second takes many kills."""

_FOR_ONE_DATABASE: Final = 100
"""The number of kills after which a database is audited and replaced by a new one."""


class Phase(IntEnum):
    """What a writer was doing when it was killed."""

    BETWEEN = 0
    WRITING = 1
    COMMITTING = 2


@dataclass(slots=True)
class Tally:
    phases: Counter[Phase] = field(default_factory=Counter)
    hot_journals: int = 0
    acknowledged: int = 0
    faults: list[str] = field(default_factory=list)


def kill(folder: Path, tally: Tally, *, kills: int, seed: int, defect: str = "") -> None:
    """Kill `kills` writers and check what they leave. It forks: call it in a process without other threads."""
    empty = folder / "empty.db"
    migrate(f"sqlite:///{empty}")
    if defect == NO_JOURNAL:
        for settings in (sqlite_connections.SETTINGS, sqlite_connections.FORGETTING):
            settings["journal_mode"] = "off"
    gc.freeze()
    say = Progress(kills, "kills")
    for first in range(0, kills, _FOR_ONE_DATABASE):
        shutil.copyfile(empty, folder / DATABASE)
        victims = _Victims(folder / DATABASE, tally, early=defect == EARLY)
        for number in range(first, min(first + _FOR_ONE_DATABASE, kills)):
            say(number)
            victims.kill_one(Random(f"{seed} {number}"))
            if tally.faults:
                tally.faults.append(f"seed {seed}, kill {number}")
                return
        tally.faults += [*victims.missing(), *audited(victims.url)]


class _Victims:
    """The writers of one night, one after the other."""

    def __init__(self, database: Path, tally: Tally, *, early: bool) -> None:
        self.url = f"sqlite:///{database}"
        self._journal = database.with_name(JOURNAL)
        self._tally = tally
        self._early = early
        self._night = next(nights())
        self._phase = mmap.mmap(-1, 1)
        self._last_read, *self._acknowledged = self._begin()
        """`_last_read` is the place that was read last; `_acknowledged` are the places acknowledged since."""

    def _begin(self) -> list[Place]:
        """Open the night and record a little, so that forked writers find warm caches."""
        with closing(Store.open(self.url)) as store:
            recorder = Recorder(store, KEY)
            opened = Place(0, open_night(recorder, self._night))
            return [opened, *islice(record(recorder, self._night, after=0, acknowledge=lambda _: None), 3)]

    def kill_one(self, chance: Random) -> None:
        """Start a writer, which first checks everything acknowledged, and kill it at a random moment."""
        self._phase[0] = Phase.BETWEEN
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
                self._tally.faults.append("the writer failed")
            # A line without its end acknowledges nothing.
            lines = [line for line in (*lines, *output) if line.endswith("\n")]
        self._acknowledged += map(Place.read, lines)
        self._tally.acknowledged += len(lines)
        self._tally.phases[Phase(self._phase[0])] += 1
        self._tally.hot_journals += _is_hot(self._journal)

    def missing(self) -> list[str]:
        """Faults in what was acknowledged since the last check."""
        with closing(Store.open(self.url)) as store:
            return missing(store, self._night, self._last_read, self._acknowledged)

    def _looked(self, line: str) -> bool:
        """Read a new writer's first line, the night's place or a fault. Returns whether it is a place."""
        try:
            self._last_read, self._acknowledged = Place.read(line), []
        except ValueError:
            self._tally.faults.append(line.strip() or "the next writer could not begin")
            return False
        return True

    def _wait_for_a_moment(self, chance: Random) -> None:
        """Wait a random time, in most cases also until the writer writes or commits, and a moment more."""
        time.sleep(chance.uniform(0, 0.005))
        phase = chance.choice((None, Phase.WRITING, Phase.COMMITTING, Phase.COMMITTING))
        patience = time.monotonic() + 0.1
        while phase is not None and self._phase[0] != phase and time.monotonic() < patience:
            pass
        time.sleep(chance.uniform(0, 0.002))

    def _write(self, output: int) -> None:
        """Run a writer until it is killed; never returns."""
        try:
            store = Watched.open(self.url)
            store.phase = self._phase
            faults = missing(store, self._night, self._last_read, self._acknowledged)
            with store.reading() as reader:
                head = reader.head(self._night)
            _say(output, "; ".join(faults) or str(Place(head.seq, head.hash.hex())))
            last = self._acknowledged[-1] if self._acknowledged else self._last_read

            def acknowledge(place: Place) -> None:
                _say(output, str(place))

            if self._early:
                store.early = acknowledge
            usual = (lambda _: None) if self._early else acknowledge
            for _ in record(Recorder(store, KEY), self._night, after=last.seq, acknowledge=usual):
                pass
        except BaseException as error:
            print(f"the writer: {error!r}", file=sys.stderr, flush=True)
        finally:
            os._exit(1)


class Watched(Store):
    """A store that publishes the phase of its write transaction."""

    phase: mmap.mmap
    early: Callable[[Place], None] | None = None
    """Called with an entry before it is committed, if that defect is planted."""

    @contextmanager
    def writing(self, night: str, *, forgets: bool = False, entries: int = 1) -> Iterator[Writer]:
        with super().writing(night, forgets=forgets, entries=entries) as writer:
            self.phase[0] = Phase.WRITING
            yield writer
            if self.early is not None:
                head = writer.head(night)
                self.early(Place(head.seq, head.hash.hex()))
            self.phase[0] = Phase.COMMITTING
        self.phase[0] = Phase.BETWEEN


def _say(output: int, line: str) -> None:
    os.write(output, f"{line}\n".encode())


def _is_hot(journal: Path) -> bool:
    """Whether SQLite would roll back the journal of a dead writer."""
    return journal.exists() and any(journal.read_bytes()[:8])


def soak(
    *,
    kills: int = 10_000,
    seed: int = 1,
    defect: Annotated[str, DEFECTS, "plant it, and see it found"] = "",
) -> Result:
    """Kill writers inside their transactions. An interrupt ends with what was found so far."""
    tally = Tally()
    with on_disk() as folder, suppress(KeyboardInterrupt):
        kill(folder, tally, kills=kills, seed=seed, defect=defect)
    committing = tally.phases[Phase.COMMITTING]
    inside = (
        f"{committing + tally.phases[Phase.WRITING]} inside a transaction ({committing} as they committed, "
    )
    inside += f"{tally.hot_journals} with a hot journal left)"
    figures = f"{tally.phases.total()} writers killed, {inside}, {tally.acknowledged} moves acknowledged"
    return Result(figures, tally.faults)

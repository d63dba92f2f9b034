"""The effect on a keeper of a hundred watching phones, and of costly requests about another night."""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from itertools import chain
from pathlib import Path
from statistics import median
from subprocess import PIPE
from tempfile import TemporaryDirectory
from time import perf_counter, sleep

from benchmarks.measuring import Effort, Goal, Row, milliseconds, percentile
from benchmarks.nights import prepare
from benchmarks.servers import ledger_server
from benchmarks.service import Keeper
from benchmarks.watchers import ASK_SECONDS
from ledger.recorder import Installation

_TURNS = 2
_PAGE = "statistics"
_ROUNDS = 40
"""Rounds of the night whose statistics are requested."""
_READERS = 24


def rows(effort: Effort) -> Iterator[Row]:
    """The keeper's moves without watchers, with all of them, and during requests for another night's statistics."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="tienlen-bench-")))
        url = f"sqlite:///{folder / 'ledger.db'}"
        other = prepare(Installation.find(url), _ROUNDS)
        server = stack.enter_context(ledger_server(url, folder / "ledger.log"))
        connection = server.connect()
        stack.callback(connection.close)
        keeper = Keeper(connection)
        keeper.begin()
        moves = keeper.moves()
        alone: list[list[float]] = []
        watched: list[list[float]] = []
        pages: list[float] = []
        _record(moves, effort)
        for _ in range(_TURNS):
            alone.append([seconds for seconds, _ in _record(moves, effort)])
            with Watchers(effort.watchers, server.port, {keeper.night: keeper.watching}) as watchers:
                recorded = _record(moves, effort)
                pages += watchers.delays({keeper.night: [at for _, at in recorded]})
            watched.append([seconds for seconds, _ in recorded])
        beside = []
        for _ in range(_TURNS):
            with Watchers(_READERS, server.port, dict([other]), _PAGE):
                beside.append([seconds for seconds, _ in _record(moves, effort)])
    with_them, without = [*chain(*watched)], [*chain(*alone)]
    yield Row(
        name="watched-move",
        title=f"a recorded move while {effort.watchers} look on, against nobody, p50",
        values=[median(some) / median(others) for some, others in zip(watched, alone, strict=True)],
        same_work=f"A keeper records a move, then waits {effort.pause} s. Each watcher holds a stream, or asks "
        f"every {ASK_SECONDS:.0f} s where there is none left, and fetches the whole page after each entry.",
        measured={
            "watched": milliseconds(median(with_them)),
            "p95": milliseconds(percentile(with_them, 95)),
            "alone": milliseconds(median(without)),
            "alone, p95": milliseconds(percentile(without, 95)),
            "the new page, p50": milliseconds(median(pages)),
            "the new page, p95": milliseconds(percentile(pages, 95)),
        },
    )
    yield Row(
        name="move-beside-statistics",
        title=f"another table's move while {_READERS} ask for statistics, against nobody, p50",
        values=[median(some) / median(others) for some, others in zip(beside, alone, strict=True)],
        goal=Goal(2),
        same_work=f"A keeper records a move, then waits {effort.pause} s. Each of the others asks for the "
        f"statistics of a night of {_ROUNDS} rounds, and at once again.",
        measured={
            "beside": milliseconds(median(chain(*beside))),
            "p95": milliseconds(percentile([*chain(*beside)], 95)),
            "alone": milliseconds(median(without)),
        },
    )


def _record(moves: Iterator[float], effort: Effort) -> list[tuple[float, float]]:
    """Seconds of each move, and its time."""
    recorded = []
    for _ in range(effort.watched_moves):
        recorded.append((next(moves), perf_counter()))
        sleep(effort.pause)
    return recorded


class Watchers:
    """Phones that watch during the block, so many for each night. `nights` maps nights to watch tokens."""

    def __init__(self, count: int, port: int, nights: Mapping[str, str], *page: str) -> None:
        arguments = [
            str(port),
            str(count),
            ",".join(f"{night}={token}" for night, token in nights.items()),
            *page,
        ]
        self._command = [sys.executable, "-m", "benchmarks.watchers", *arguments]

    def __enter__(self) -> "Watchers":
        self._process = subprocess.Popen(self._command, stdin=PIPE, stdout=PIPE, text=True)
        assert self._process.stdout is not None
        self._process.stdout.readline()
        return self

    def __exit__(self, *failure: object) -> None:
        self._process.kill()
        self._process.communicate()

    def delays(self, recorded: Mapping[str, list[float]]) -> list[float]:
        """Seconds from each entry to the pages that show it; waits until every phone has had a page after the last
        entry."""
        last = {night: times[-1] for night, times in recorded.items()}
        printed, _ = self._process.communicate(f"{json.dumps(last)}\n")
        pages_of, self.received = json.loads(printed)
        return [
            came - max(at for at in recorded[night] if at <= came)
            for night, pages in pages_of.items()
            for came in pages
            if came >= recorded[night][0]
        ]

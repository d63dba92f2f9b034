"""Audits: their duration, and their effect on recording."""

import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from itertools import chain
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from threading import Event, Thread
from time import perf_counter, sleep

from benchmarks.engine import score
from benchmarks.measuring import Effort, Figure, Goal, Row, milliseconds, percentile
from benchmarks.nights import Night, some_rounds
from benchmarks.servers import Server, ledger_server
from benchmarks.service import Keeper
from ledger.recorder import Installation, export_tln
from tests.servers import PROGRAM

_ROUNDS_A_NIGHT = 20
_WHOLE = 10_000
_UNCOUNTED = 2
"""Warm-up moves of each table, which are not counted."""


def rows(effort: Effort) -> Iterator[Row]:
    """The time of an audit, and the slowdown of a move while one runs."""
    yield _audited(effort)
    yield _beside(effort)


def _audited(effort: Effort) -> Row:
    """The time of an audit by number of rounds, for as many nights as a person records in years."""
    rounds = some_rounds(effort.audited)
    with TemporaryDirectory(prefix="tienlen-bench-") as folder:
        installation, nothing = _installation(folder, "ledger.db"), _installation(folder, "nothing.db")
        with closing((recorder := installation.open()).store):
            nights = [
                Night(recorder, rounds[first : first + _ROUNDS_A_NIGHT])
                for first in range(0, len(rounds), _ROUNDS_A_NIGHT)
            ]
            texts = [export_tln(recorder, night.id) for night in nights]
        _seconds_of(nothing)
        starting, alone, audited = (
            _seconds_of(nothing),
            _seconds_of(installation, 1),
            _seconds_of(installation),
        )
        started = perf_counter()
        score(texts)
        scored = perf_counter() - started
    moves = sum(len(round.moves) for round in rounds)
    share = _WHOLE / effort.audited
    return Row(
        name="audit",
        title=f"`tienlen audit` of {_WHOLE:,} rounds",
        values=[starting + (audited - starting) * share],
        unit="s",
        goal=Goal(25, "s"),
        same_work=f"Measured with {effort.audited:,} recorded rounds of {moves:,} moves "
        "and given by round: every hash and text read, every entry drafted again from its request, each column and "
        "payment compared, by a process a core, and the command started once. Beside it the same by one process, "
        "and the same rounds replayed and scored as text.",
        measured={
            "by one process": Figure(starting + (alone - starting) * share, "s"),
            "an entry": Figure((alone - starting) / (moves + 2 * effort.audited) * 1e6),
            "the rules alone": Figure(scored * share, "s"),
        },
    )


def _installation(folder: str, file: str) -> Installation:
    installation = Installation.find(f"sqlite:///{Path(folder) / file}")
    installation.migrate()
    return installation


def _seconds_of(installation: Installation, processes: int | None = None) -> float:
    """Seconds of the whole command."""
    started = perf_counter()
    _run_audit(installation, *([] if processes is None else [f"--processes={processes}"]))
    return perf_counter() - started


def _run_audit(installation: Installation, *options: str) -> None:
    command = [*PROGRAM, "--database", installation.database_url, "audit", *options]
    subprocess.run(command, check=True, capture_output=True)


def _beside(effort: Effort) -> Row:
    """The slowdown of moves at a real pace while audits of the same database run one after another."""
    without: list[list[float]] = []
    during: list[list[float]] = []
    with TemporaryDirectory(prefix="tienlen-bench-") as folder:
        installation = _installation(folder, "ledger.db")
        with closing((recorder := installation.open()).store):
            for _ in range(max(1, effort.audited // _ROUNDS_A_NIGHT)):
                Night(recorder, some_rounds(_ROUNDS_A_NIGHT))
        with ledger_server(installation.database_url, Path(folder) / "server.log") as server:
            for _ in range(effort.starts):
                without.append(_record_at(server, effort))
                with _auditing(installation):
                    during.append(_record_at(server, effort))
    return Row(
        name="move-beside-audit",
        title="a recorded move while the database is audited, p99",
        values=[
            percentile(one, 99) / percentile(other, 99) for one, other in zip(during, without, strict=True)
        ],
        goal=Goal(2),
        same_work=f"{effort.tables} tables record a move each {effort.pause:g} s over HTTP, in turns without an "
        "audit and beside `tienlen audit`, which starts again whenever it has ended. The database has "
        f"{effort.audited:,} rounds.",
        measured={
            "p50 without": milliseconds(median(chain.from_iterable(without))),
            "p99 without": milliseconds(percentile([*chain.from_iterable(without)], 99)),
            "p50 beside": milliseconds(median(chain.from_iterable(during))),
            "p99 beside": milliseconds(percentile([*chain.from_iterable(during)], 99)),
        },
    )


def _record_at(server: Server, effort: Effort) -> list[float]:
    """Seconds of each move, recorded by several tables whose moves are spread over each pause."""

    def record(number: int) -> list[float]:
        with closing(server.connect()) as connection:
            keeper = Keeper(connection)
            keeper.begin()
            due = perf_counter() + effort.pause * number / effort.tables
            times = []
            for _ in range(_UNCOUNTED + effort.paced_moves):
                sleep(max(0, due - perf_counter()))
                times.append(keeper.record_next())
                due += effort.pause
        return times[_UNCOUNTED:]

    with ThreadPoolExecutor(effort.tables) as tables:
        return [seconds for times in tables.map(record, range(effort.tables)) for seconds in times]


@contextmanager
def _auditing(installation: Installation) -> Iterator[None]:
    """Audit the whole database again and again in another process during the block."""
    ended = Event()

    def audit() -> None:
        while not ended.is_set():
            _run_audit(installation)

    thread = Thread(target=audit)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()

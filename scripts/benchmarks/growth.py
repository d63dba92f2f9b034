"""Whether a move late in a night costs what one in its first round costs."""

from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from uuid import uuid4

from benchmarks import records
from benchmarks.measuring import Effort, Goal, Row, as_in_service
from benchmarks.records import Chain, Content
from ledger.game.state import Round
from ledger.language import speaker
from ledger.recorder import EventRequest, Installation, Link, Recorder, Role

Times = tuple[list[float], list[float]]
"""Seconds of each move late in a night, and of the same moves early in another."""


def rows(effort: Effort) -> Iterator[Row]:
    """With the running round in memory, and read anew from the database."""
    late = effort.late_round
    with TemporaryDirectory(prefix="tienlen-bench-") as folder:
        installation = Installation.find(f"sqlite:///{Path(folder) / 'ledger.db'}")
        installation.migrate()
        table = _Table(installation, late)
        as_in_service()
        yield _row(
            "growth",
            (late, 1),
            "a move",
            f"The same moves of one recorded round, in turns: as round {late} of a night, and as the first of a "
            "fresh one in the same database. Judged, chained, synced, and the board made anew.",
            [table.compare() for _ in range(effort.nights)],
        )
        # Not round 1: it has no round before it, which every later one reads too.
        yield _row(
            "growth-restarted",
            (late, 2),
            "a move after a restart",
            "As above, but nothing is in memory: the round, and the one before it, are read and "
            "replayed first.",
            [table.compare(restarted=True) for _ in range(max(1, effort.nights // 2))],
        )


def _row(name: str, rounds: tuple[int, int], what: str, same_work: str, pairs: list[Times]) -> Row:
    late, early = rounds
    return Row(
        name=name,
        title=f"{what} of round {late}, against round {early}",
        values=[median(times) / median(first) for times, first in pairs],
        goal=Goal(1.1),
        same_work=same_work,
        measured={
            f"round {late}": median(time for times, _ in pairs for time in times) * 1e6,
            f"round {early}": median(time for _, times in pairs for time in times) * 1e6,
        },
    )


class _Table:
    """One long night, and fresh ones beside it."""

    def __init__(self, installation: Installation, late_round: int) -> None:
        self._installation = installation
        self._recorder = Recorder.open(installation.database_url, installation.key)
        self._rounds = cycle(records.rounds_of_four())
        before = list(islice(self._rounds, late_round - 1))
        self._late = self._open(before)
        self._previous = before[-1:]

    def compare(self, *, restarted: bool = False) -> Times:
        """The next round, in the long night and in a fresh one."""
        fresh = self._open(self._previous if restarted else [])
        round = next(self._rounds)
        pair = (self._late, fresh)
        times: Times = ([], [])
        for night in pair:
            self._record(night, records.header(round))
        for number, move in enumerate(records.moves(round)):
            # Whoever comes second finds the disk as the other left it: they change places.
            for which in (0, 1) if number % 2 else (1, 0):
                if restarted:
                    self._recorder = Recorder(self._recorder.store, self._installation.key)
                times[which].append(self._record(pair[which], move))
        for night in pair:
            self._record(night, records.SETTLE)
        self._previous = [round]
        return times

    def _open(self, rounds: list[Round]) -> "_Night":
        """A night in which these rounds have been played and settled."""
        night = _Night(str(uuid4()))
        before = [
            night.request(content)
            for round in rounds
            for content in (records.header(round), *records.moves(round), records.SETTLE)
        ]
        self._recorder.open_recorded(night.id, before, ruleset=records.RULESET, players=records.NAMES)
        return night

    def _record(self, night: "_Night", content: Content) -> float:
        """What a request does behind the web: record, and make the board that is answered."""
        request = night.request(content)
        started = perf_counter()
        self._recorder.record(night.id, request, night.keeper)
        self._recorder.board(night.id, night.keeper, speaker("vi").finding)
        return perf_counter() - started


class _Night:
    """A night and its keeper."""

    def __init__(self, id: str) -> None:
        self.id = id
        self.keeper = Link(id, Role.KEEPER, None)
        self._chain = Chain(id)

    def request(self, content: Content) -> EventRequest:
        event = self._chain.event(content)
        return EventRequest(event.pop("id"), event.pop("after"), event.pop("kind"), event)

"""The number of tables and watchers that one core can serve: a club's evening."""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from itertools import chain
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, sleep

from benchmarks import memory
from benchmarks.measuring import Effort, Figure, Goal, Row, milliseconds, percentile
from benchmarks.records import Content
from benchmarks.servers import Server, cpu_seconds, expect, ledger_server
from benchmarks.service import Keeper
from benchmarks.watching import Watchers

LOOK_ON = 3
"""Watching phones at each table: the players except the keeper."""
_UNCOUNTED = 1
"""Warm-up moves of each table, which are not counted."""
_AGAIN_SECONDS = 0.5
_BEARABLE = 250
"""Milliseconds that nobody at a table would notice."""


class PatientKeeper(Keeper):
    """A keeper that retries, as phones do, while the server is too busy; `again` counts the retries."""

    again = 0

    def _post(self, path: str, data: Content) -> tuple[float, Content]:
        self._come_from_an_address_of_its_own()
        began = perf_counter()
        while (
            answer := self._connection.post(path, data, self._headers)
        ).status == HTTPStatus.SERVICE_UNAVAILABLE:
            self.again += 1
            sleep(_AGAIN_SECONDS)
        expect(answer.status if self.again and answer.status == HTTPStatus.OK else HTTPStatus.CREATED, answer)
        return perf_counter() - began, answer.data


def rows(effort: Effort) -> Iterator[Row]:
    """One row for each size of club, each with its own server."""
    return (_evening(tables, effort) for tables in effort.clubs)


def _evening(tables: int, effort: Effort) -> Row:
    with TemporaryDirectory(prefix="tienlen-bench-") as folder:
        everything = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {min(everything)})  # the server inherits it
        try:
            with ledger_server(f"sqlite:///{Path(folder) / 'ledger.db'}", Path(folder) / "log") as server:
                os.sched_setaffinity(0, everything)
                times, pages, busy, again = _play(server, tables, effort)
                resident = sum(
                    memory.megabytes(each)[1] for each in (server.process, *memory.workers_of(server.process))
                )
        finally:
            os.sched_setaffinity(0, everything)
    return Row(
        name=f"club-{tables}",
        title=f"a move at one of {tables} tables, {LOOK_ON * tables} looking on, one core, p99",
        values=[percentile(times, 99) * 1e3],
        unit="ms",
        goal=Goal(_BEARABLE, "ms"),
        same_work="`tienlen serve` on SQLite, its processes held to one core of the machine. Each table records a "
        f"move each {effort.table_pause:g} s over HTTP; {LOOK_ON} phones at each table hold a stream, or ask "
        "every 2 s where there is none left, and fetch the whole page after each entry.",
        measured={
            "a move, p50": milliseconds(median(times)),
            "the new page, p50": milliseconds(median(pages)),
            "the new page, p95": milliseconds(percentile(pages, 95)),
            "of the core": Figure(busy * 100, "%"),
            "memory of all processes": Figure(resident, "MB"),
            "asked again": Figure(again, "times"),
        },
    )


def _play(server: Server, tables: int, effort: Effort) -> tuple[list[float], list[float], float, int]:
    """Seconds of each move, seconds to each page that shows one, the share of the core used, and the number of
    retries."""
    with ThreadPoolExecutor(tables) as threads:
        keepers = [PatientKeeper(server.connect()) for _ in range(tables)]
        for keeper in keepers:
            keeper.begin()
        with Watchers(
            LOOK_ON, server.port, {keeper.night: keeper.watching for keeper in keepers}
        ) as watchers:
            used, began = cpu_seconds(server.process), perf_counter()
            played = list(
                threads.map(lambda seat: _record(keepers[seat], seat / tables, effort), range(tables))
            )
            busy = (cpu_seconds(server.process) - used) / (perf_counter() - began)
            pages = watchers.delays(
                {keeper.night: [at for _, at in moves] for keeper, moves in zip(keepers, played, strict=True)}
            )
    times = [seconds for seconds, _ in chain.from_iterable(played)]
    return times, pages, busy, sum(keeper.again for keeper in keepers)


def _record(keeper: Keeper, share: float, effort: Effort) -> list[tuple[float, float]]:
    """Seconds of each move of a table, and its time; the table begins after this share of a pause."""
    due = perf_counter() + effort.table_pause * share
    recorded = []
    for _ in range(_UNCOUNTED + effort.watched_moves):
        sleep(max(0, due - perf_counter()))
        recorded.append((keeper.record_next(), perf_counter()))
        due += effort.table_pause
    return recorded[_UNCOUNTED:]

"""What a recorded move costs: processor time of the program and of PostgreSQL, log, disk and network; and what a
process costs that only hears of moves at other hosts."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from time import perf_counter, sleep
from typing import Any

import psycopg

from benchmarks import commits
from benchmarks.club import LOOK_ON, PatientKeeper
from benchmarks.measuring import Effort, Figure, Row
from benchmarks.servers import WORKERS, Server, cpu_seconds, ledger_server
from benchmarks.watching import Watchers
from tests import postgresql

_WARM_UP = 30
"""Moves of each table before it is measured."""
_HEARD_A_SECOND = 50
_LISTENERS = 50
"""Further connections that listen, as of so many processes."""
_SPENT = """
SELECT coalesce(sum(calls) FILTER (WHERE query !~ '^(BEGIN|COMMIT|ROLLBACK)'), 0)::bigint,
       coalesce(sum(calls) FILTER (WHERE query ~ '^(COMMIT|ROLLBACK|NOTIFY)'), 0)::bigint,
       pg_current_wal_flush_lsn()::text
FROM pg_stat_statements WHERE userid = 'tienlen_web'::regrole
"""
_LOG = "SELECT sum(record_size), sum(fpi_size) FROM pg_get_wal_stats(%s::pg_lsn, %s::pg_lsn)"


def rows(effort: Effort) -> Iterator[Row]:
    """A move, a process that hears of others, and the commits that one PostgreSQL server can do."""
    if not postgresql.programs():
        missing = "PostgreSQL's programs are not installed"
        yield Row("resources", "a recorded move on PostgreSQL", (), same_work="", missing=missing)
        return
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="tienlen-bench-")))
        cluster = stack.enter_context(postgresql.running_cluster(Path(gettempdir())))
        cluster.run("ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'")
        cluster.crash()
        cluster.start()
        database = cluster.new_database()
        owner = cluster.url(database, postgresql.OWNER)
        server = stack.enter_context(ledger_server(cluster.url(database), folder / "served.log", owner))
        look = stack.enter_context(cluster.connect())
        look.execute("CREATE EXTENSION pg_stat_statements; CREATE EXTENSION pg_walinspect")
        meter = _Meter(server, folder / "served.log", cluster, look)
        yield from _evening(effort, meter, cluster, database)
    yield from commits.rows(effort)


@dataclass(frozen=True, slots=True)
class _Spent:
    """What was spent up to now; times in seconds."""

    at: float
    program: float
    database: float
    logged: int
    statements: int
    transactions: int
    position: str
    """In PostgreSQL's write-ahead log."""


@dataclass(frozen=True, slots=True)
class _Meter:
    server: Server
    log: Path
    cluster: postgresql.Cluster
    look: psycopg.Connection[Any]

    def read(self) -> _Spent:
        statements, transactions, position = self.one(_SPENT)
        postmaster = int((self.cluster.folder / "data" / "postmaster.pid").read_text().split()[0])
        program, database = cpu_seconds(self.server.process), cpu_seconds(postmaster)
        logged = self.log.stat().st_size
        return _Spent(perf_counter(), program, database, logged, statements, transactions, position)

    def written(self, since: _Spent, until: _Spent) -> tuple[int, int]:
        """The bytes of records in PostgreSQL's log, and those of whole pages."""
        records, pages = self.one(_LOG, since.position, until.position)
        return int(records), int(pages)

    def one(self, query: str, *values: str) -> tuple[Any, ...]:
        found = self.look.execute(query, values or None).fetchone()
        return tuple(found or ())


def _evening(effort: Effort, meter: _Meter, cluster: postgresql.Cluster, database: str) -> Iterator[Row]:
    keepers = [PatientKeeper(meter.server.connect()) for _ in range(effort.counted_tables)]
    with ThreadPoolExecutor(len(keepers)) as threads:
        for keeper in keepers:
            keeper.begin()
        list(threads.map(lambda keeper: _record(keeper, _WARM_UP, 0.0), keepers))
        with Watchers(
            LOOK_ON, meter.server.port, {keeper.night: keeper.watching for keeper in keepers}
        ) as watchers:
            sleep(1)
            yield _hearing(effort, meter, cluster, database)
            meter.look.execute("CHECKPOINT")
            before, entries = meter.read(), _entries(cluster, database)
            last = list(
                threads.map(
                    lambda keeper: _record(keeper, effort.counted_moves, effort.counted_pause), keepers
                )
            )
            watchers.delays({keeper.night: [at] for keeper, at in zip(keepers, last, strict=True)})
            after = meter.read()
            moves = effort.counted_moves * len(keepers)
            records, pages = meter.written(before, after)
            (connections,) = meter.one("SELECT count(*) FROM pg_stat_activity WHERE usename = 'tienlen_web'")
    yield Row(
        name="resources",
        title=f"CPU time of the program for a move on PostgreSQL, {LOOK_ON} phones looking on",
        values=[(after.program - before.program) / moves * 1e3],
        unit="ms",
        same_work=f"`tienlen serve` with {WORKERS} processes; {len(keepers)} tables record {effort.counted_moves} "
        "moves each, with the beginnings and settlements between them; phones get the page after each entry. "
        "PostgreSQL made a checkpoint before the first of them, so whole pages are in its log once for each page.",
        measured={
            "PostgreSQL's CPU time": Figure((after.database - before.database) / moves * 1e3, "ms"),
            "entries": Figure((_entries(cluster, database) - entries) / moves, ""),
            "statements": Figure((after.statements - before.statements) / moves, ""),
            "transactions": Figure((after.transactions - before.transactions) / moves, ""),
            "the program's log": Figure((after.logged - before.logged) / moves, "bytes"),
            "write-ahead log": Figure(records / moves, "bytes"),
            "whole pages in it": Figure(pages / moves, "bytes"),
            "sent to phones": Figure(watchers.received / moves, "bytes"),
            "connections of a process": Figure((connections - 1) / WORKERS, ""),
        },
    )


def _hearing(effort: Effort, meter: _Meter, cluster: postgresql.Cluster, database: str) -> Row:
    """Processes with open streams: while nothing is recorded, and while other hosts record."""
    readings = [meter.read()]
    sleep(effort.heard_seconds)
    readings.append(meter.read())
    heard = round(effort.heard_seconds * _HEARD_A_SECOND)
    with ExitStack() as stack:
        other = stack.enter_context(cluster.connect(database))
        for listeners in (0, _LISTENERS):
            for _ in range(listeners):
                stack.enter_context(cluster.connect(database)).execute("LISTEN tienlen")
            readings.append(meter.read())
            for _ in range(heard):
                other.execute("NOTIFY tienlen")
                sleep(1 / _HEARD_A_SECOND)
            readings.append(meter.read())
    quiet, began, few, ended, more, last = readings
    a_listener = (last.database - more.database - (ended.database - few.database)) / heard / _LISTENERS
    return Row(
        name="resources-hearing",
        title="CPU time of a process in a second, while other hosts record",
        values=[(ended.program - few.program) / (ended.at - few.at) / WORKERS * 1e3],
        unit="ms",
        same_work=f"{_HEARD_A_SECOND} notifications of other nights a second. A process reads the heads of its own "
        "nights 20 times a second at most.",
        measured={
            "while nothing is recorded": Figure(
                (began.program - quiet.program) / (began.at - quiet.at) / WORKERS * 1e3, "ms"
            ),
            "PostgreSQL's, for a process": Figure(
                (ended.database - few.database) / (ended.at - few.at) / WORKERS * 1e3, "ms"
            ),
            "PostgreSQL's, for one more that listens, a notification": Figure(a_listener * 1e6, "µs"),
        },
    )


def _record(keeper: PatientKeeper, moves: int, pause: float) -> float:
    """Record so many moves; returns when the last one was."""
    due = perf_counter()
    for _ in range(moves):
        sleep(max(0.0, due - perf_counter()))
        keeper.record_next()
        due += pause
    return perf_counter()


def _entries(cluster: postgresql.Cluster, database: str) -> int:
    with cluster.connect(database) as connection:
        found = connection.execute("SELECT count(*) FROM event").fetchone()
    assert found
    return int(found[0])

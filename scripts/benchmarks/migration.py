"""The time that `tienlen migrate` takes on a large PostgreSQL database of the schema before partitions."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from time import perf_counter
from typing import Any

import psycopg

from benchmarks.filling import copy_night, inserting_into_postgresql
from benchmarks.measuring import KEY, Figure, Row
from ledger.recorder import AuditShare, Installation, Recorder, audit_in_processes
from ledger.store import migrate
from ledger.store.schema import upgrade
from ledger.store.systems.postgresql import migrating
from tests import postgresql

_BEFORE = "0007"
"""The last schema without partitions."""
_EVERY = 0.1
"""Seconds between two looks."""
_ALL = "SELECT count(*), sum(hashtextextended(e::text, 0)::numeric) FROM {} e"


def row(cluster: postgresql.Cluster, recorder: Recorder, original: str, copies: int) -> Row:
    """Fill a database of the earlier schema with copies of a night, migrate it, and audit a part."""
    database = cluster.new_database()
    owner = cluster.url(database, postgresql.OWNER)
    with migrating(owner) as connection:
        upgrade(connection, _BEFORE)
    copy_night(recorder, original, copies, inserting_into_postgresql(cluster, database))
    with cluster.connect(database) as look:

        def ask(statement: str) -> Any:
            return look.execute(statement).fetchone()

        entries, before = ask("SELECT count(*), pg_database_size(current_database()) FROM event")
        rows = {table: ask(_ALL.format(table)) for table in ("event", "payment")}
        look.execute("CHECKPOINT")
        used = _used(cluster)
        with (
            _repeated(lambda: _used(cluster)) as disk,
            cluster.connect(database, postgresql.WEB) as reader,
            _repeated(lambda: _read(reader)) as waits,
        ):
            started = perf_counter()
            migrate(owner)
            seconds = perf_counter() - started
        assert rows == {table: ask(_ALL.format(table)) for table in rows}
        (after,) = ask("SELECT pg_database_size(current_database())")
    assert list(audit_in_processes(Installation(cluster.url(database), KEY), AuditShare(1, 16), 1)) == []
    cluster.drop(database)
    return Row(
        name="migrate-postgresql",
        title=f"`tienlen migrate` from schema {_BEFORE}, a million entries",
        values=[seconds / entries * 1e6],
        unit="s",
        same_work=f"A database of {entries:,} entries whose tables have no partitions; the same rows must be there "
        "afterwards, and the audit of a part finds nothing. A request reads an entry every tenth of a second.",
        measured={
            "all of it": Figure(seconds, "s"),
            "the longest wait of a reader": Figure(max(waits), "s"),
            "database before": Figure(before / 1e6, "MB"),
            "database after": Figure(after / 1e6, "MB"),
            "more on the disk meanwhile, with the write-ahead log": Figure((max(disk) - used) / 1e6, "MB"),
            "an entry on the disk": Figure(after / entries, "bytes"),
        },
    )


def _read(connection: psycopg.Connection[Any]) -> float:
    """The seconds until a table that a request reads was read."""
    started = perf_counter()
    connection.execute("SELECT count(*) FROM event WHERE night = ''")
    return perf_counter() - started


def _used(cluster: postgresql.Cluster) -> float:
    """The bytes that a server's files take on the disk."""
    taken = 0
    for path in (cluster.folder / "data").rglob("*"):
        try:
            taken += path.stat().st_blocks * 512
        except FileNotFoundError:  # deleted meanwhile
            continue
    return float(taken)


@contextmanager
def _repeated(ask: Callable[[], float]) -> Iterator[list[float]]:
    """What `ask` returns during the block, again and again."""
    found, over = [ask()], Event()

    def repeat() -> None:
        while not over.wait(_EVERY):
            found.append(ask())

    thread = Thread(target=repeat)
    thread.start()
    try:
        yield found
    finally:
        over.set()
        thread.join()

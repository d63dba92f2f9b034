"""Fill a database with many nights: copies of one recorded night under other ids, whose chains verify."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import psycopg
from psycopg import sql

from ledger.recorder import Recorder, audit
from ledger.store.chain import event_hash, night_hash
from ledger.store.models import Correction, Event, Night, Payment, Person, Row
from tests.postgresql import Cluster

Insert = Callable[[str, Sequence[str], Iterable[Sequence[Any]]], None]
"""Insert into a table, in these columns, these rows."""

_AT_ONCE: Final = 50  # nights
_TABLES: Final[Sequence[type[Row]]] = (Night, Person, Event, Correction, Payment)


def fill(recorder: Recorder, original: str, copies: int, inserting: AbstractContextManager[Insert]) -> None:
    """Insert so many copies of a night into its own database, and audit the last one."""
    assert list(audit(recorder, copy_night(recorder, original, copies, inserting))) == []


def copy_night(
    recorder: Recorder, original: str, copies: int, inserting: AbstractContextManager[Insert]
) -> str:
    """Insert so many copies of a night, past the triggers, which look at each row; returns the last one's id."""
    rows = {table: _rows(recorder, table, original) for table in _TABLES}
    copy = original
    with inserting as insert:
        for first in range(0, copies, _AT_ONCE):
            made: dict[type[Row], list[Sequence[Any]]] = {table: [] for table in _TABLES}
            for _ in range(min(_AT_ONCE, copies - first)):
                copy = str(uuid4())
                for table, some in _renamed(rows, original, copy):
                    made[table] += [list(row.values()) for row in some]
            for table, values in made.items():
                if values:
                    insert(str(table.__tablename__), list(rows[table][0]), values)
    return copy


def _rows(recorder: Recorder, table: type[Row], night: str) -> list[dict[str, Any]]:
    columns = table.__table__.c
    of_night = columns.id if table is Night else columns.night
    order = columns.seq if "seq" in columns else of_night
    with recorder.store.reading() as reader:
        found = reader.connection.execute(table.__table__.select().where(of_night == night).order_by(order))
        return [dict(row) for row in found.mappings()]


def _renamed(
    rows: Mapping[type[Row], list[dict[str, Any]]], original: str, copy: str
) -> Iterator[tuple[type[Row], list[dict[str, Any]]]]:
    """The rows of each table for a night with another id, and the hashes of its texts."""
    (night,) = rows[Night]
    body = night["body"].replace(original, copy)
    head = night_hash(body)
    yield Night, [night | {"id": copy, "body": body, "hash": head}]
    events = list[dict[str, Any]]()
    for event in rows[Event]:
        body, prev = event["body"].replace(original, copy), head
        head = event_hash(prev, body)
        events.append(event | {"night": copy, "body": body, "prev": prev, "hash": head})
    yield Event, events
    for table in (Person, Correction, Payment):
        yield table, [row | {"night": copy} for row in rows[table]]


@contextmanager
def inserting_into_sqlite(file: Path) -> Iterator[Insert]:
    """Insert into a file in one transaction."""
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:

        def insert(table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
            places = ", ".join("?" * len(columns))
            connection.executemany(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({places})", rows)

        connection.execute("BEGIN")
        triggers = connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        yield insert
        for _, made_by in triggers:
            connection.execute(made_by)
        connection.execute("COMMIT")


@contextmanager
def inserting_into_postgresql(cluster: Cluster, database: str) -> Iterator[Insert]:
    """Insert into a database of a server in one transaction, as the superuser."""
    with cluster.connect(database) as connection, connection.transaction():

        def insert(table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
            names = sql.SQL(", ").join(map(sql.Identifier, columns))
            into = sql.SQL("COPY {} ({}) FROM STDIN").format(sql.Identifier(table), names)
            with connection.cursor() as cursor, cursor.copy(into) as copy:
                for row in rows:
                    copy.write_row(row)

        tables = [str(table.__tablename__) for table in _TABLES]
        triggers = _triggers(connection, tables)
        for table in tables:
            connection.execute(f"ALTER TABLE {table} DISABLE TRIGGER ALL")
        yield insert
        for table in tables:
            connection.execute(f"ALTER TABLE {table} ENABLE TRIGGER ALL")
        for table, trigger in triggers:
            connection.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {trigger}")
    with cluster.connect(database) as connection:
        connection.execute("VACUUM ANALYZE")


def _triggers(connection: psycopg.Connection[Any], tables: Sequence[str]) -> list[tuple[str, str]]:
    """The table and the name of each trigger that the migrations made on some tables."""
    return connection.execute(
        "SELECT tgrelid::regclass::text, tgname FROM pg_trigger"
        " WHERE NOT tgisinternal AND tgrelid = ANY (%s::regclass[])",
        [tables],
    ).fetchall()

"""Copying a database to a file, and checking its indexes, in short slices while others record.

Entries never change: a night up to an entry is the same whenever it is read. SQLite's own backup restarts at every
write, or blocks writers until it is done.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final, NamedTuple

from ledger.store.database import Moment
from ledger.store.models import Correction, Event, Night, Payment, Person
from ledger.store.systems.sqlite_connections import driver_of, meaning

Rows = list[tuple[Any, ...]]

_BY_ENTRY: Final = [str(table.__tablename__) for table in (Payment, Correction, Event)]
_BY_NIGHT: Final = [str(table.__tablename__) for table in (Night, Person)]
_ENTRIES: Final = 500
_NIGHTS: Final = 100

_PARTS: Final = "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid"
_LAST: Final = " UNION ALL ".join(
    f"SELECT max(seq) AS seq FROM {table} WHERE night = some.id" for table in _BY_ENTRY
)
_SOME_NIGHTS: Final = f"""
SELECT id, (SELECT coalesce(max(seq), 0) FROM ({_LAST}))
  FROM (SELECT id FROM night WHERE id > ? ORDER BY id LIMIT {_NIGHTS}) AS some
"""
"""The next nights, each with its last seq in any table, including damaged rows."""


def copy(moment: Moment, file: Path) -> None:
    """Copy a database to an empty file, each night as of one moment. Raises StoreUnavailable."""
    try:
        with closing(sqlite3.connect(file, isolation_level=None)) as target:
            target.execute("PRAGMA journal_mode = OFF")
            target.execute("PRAGMA synchronous = OFF")
            target.execute("BEGIN")
            _copy(moment, target)
            target.execute("COMMIT")
    except sqlite3.Error as error:
        raise meaning(error) from error


def _copy(moment: Moment, target: sqlite3.Connection) -> None:
    with moment() as connection:
        ask = driver_of(connection).execute
        parts = ask(_PARTS).fetchall()
        tables = [name for kind, name, _ in parts if kind == "table"]
        others = {name: _all_of(ask, name) for name in tables if name not in (*_BY_NIGHT, *_BY_ENTRY)}
    for _, _, text in (part for part in parts if part[0] == "table"):
        target.execute(text)
    for name, rows in others.items():
        _insert(target, name, rows)
    for night, last in _copied_nights(moment, target):
        for after in range(0, last, _ENTRIES):
            with moment() as connection:
                ask = driver_of(connection).execute
                values = (night, after, min(after + _ENTRIES, last))
                found = {
                    name: ask(
                        f"SELECT * FROM {name} WHERE night = ? AND seq > ? AND seq <= ?", values
                    ).fetchall()
                    for name in _BY_ENTRY
                }
            for name, rows in found.items():
                _insert(target, name, rows)
    for _, _, text in (part for part in parts if part[0] != "table"):
        target.execute(text)  # last: building indexes is faster then, and triggers need not run


def _copied_nights(moment: Moment, target: sqlite3.Connection) -> Iterator[tuple[str, int]]:
    """Copy nights and their people in batches; yields each night with its last seq."""
    last = ""
    while True:
        with moment() as connection:
            ask = driver_of(connection).execute
            nights = ask(_SOME_NIGHTS, (last,)).fetchall()
            if not nights:
                return
            some = (last, nights[-1][0])
            own = ask("SELECT * FROM night WHERE id > ? AND id <= ?", some).fetchall()
            people = ask("SELECT * FROM person WHERE night > ? AND night <= ?", some).fetchall()
        _insert(target, "night", own)
        _insert(target, "person", people)
        yield from nights
        last = some[1]


def _all_of(ask: Any, table: str) -> Rows:
    rows: Rows = ask(f'SELECT * FROM "{table}"').fetchall()
    return rows


def _insert(target: sqlite3.Connection, table: str, rows: Rows) -> None:
    if rows:
        places = ", ".join("?" * len(rows[0]))
        target.executemany(f'INSERT INTO "{table}" VALUES ({places})', rows)


class _Index(NamedTuple):
    name: str
    table: str
    columns: tuple[str, ...]
    rows: str
    """The condition for the rows of the table that it lists."""


def unlike_their_tables(inspect: Moment, moment: Moment) -> Iterator[str]:
    """The indexes of the log that miss rows of their table, or list others, night by night; `inspect` may read the
    schema. Raises StoreUnavailable."""
    indexes = _indexes(inspect)
    last = ""
    while nights := _rows(moment, _SOME_NIGHTS, last):
        for night, until in nights:
            for index in indexes:
                if _differs(moment, index, night, until):
                    yield f"integrity check: {index.name} does not list the rows of {index.table} in night {night}"
        last = nights[-1][0]


def _indexes(inspect: Moment) -> list[_Index]:
    found = _rows(inspect, "SELECT name, tbl_name, coalesce(sql, '') FROM sqlite_schema WHERE type = 'index'")
    return [
        _Index(
            name,
            table,
            tuple(column for (column,) in _rows(inspect, _COLUMNS, name)),
            text.partition(" WHERE ")[2] or "true",
        )
        for name, table, text in found
        if table in _BY_ENTRY
    ]


_COLUMNS: Final = "SELECT name FROM pragma_index_xinfo(?) WHERE cid >= 0"


def _differs(moment: Moment, index: _Index, night: str, until: int) -> bool:
    """Whether an index misses a row of a night, or lists more rows than there are."""
    there = (
        f"SELECT * FROM {index.table} NOT INDEXED WHERE night = ? AND seq > ? AND seq <= ? AND {index.rows}"
    )
    listed = f"FROM {index.table} AS listed INDEXED BY {index.name} WHERE {index.rows}"
    same = " AND ".join(f"listed.{column} IS there.{column}" for column in index.columns)
    found = (
        f"SELECT count(*), coalesce(sum(EXISTS (SELECT 1 {listed} AND {same})), 0) FROM ({there}) AS there"
    )
    number = 0
    for after in range(0, until, _ENTRIES):
        ((rows, of_them_listed),) = _rows(moment, found, night, after, min(after + _ENTRIES, until))
        if rows != of_them_listed:
            return True
        number += rows
    return _rows(moment, f"SELECT count(*) {listed} AND night = ? AND seq <= ?", night, until) != [(number,)]


def _rows(moment: Moment, statement: str, *values: Any) -> Rows:
    try:
        with moment() as connection:
            return driver_of(connection).execute(statement, values).fetchall()
    except sqlite3.Error as error:
        raise meaning(error) from error

"""Fill a database with many nights: copies of one recorded night."""

import sqlite3
from contextlib import closing
from pathlib import Path

from benchmarks import records
from benchmarks.nights import Night
from ledger.recorder import Installation

_ROUNDS_A_NIGHT = 10
_TABLES = ("night", "event", "payment", "person")


def fill(installation: Installation, file: Path, rounds: int) -> None:
    """Add nights of the shortest recorded round, with so many rounds in all. The copies only take up room: an audit
    would refuse them, since their texts name another night."""
    shortest = min(records.rounds_of_four(), key=lambda round: len(round.moves))
    with closing((recorder := installation.open()).store):
        original = Night(recorder, [shortest] * min(rounds, _ROUNDS_A_NIGHT)).id
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("BEGIN")
        triggers = connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        for number in range(1, rounds // _ROUNDS_A_NIGHT):
            _copy(connection, original, f"{number:08x}{original[8:]}")
        for _, made_by in triggers:
            connection.execute(made_by)
        connection.execute("COMMIT")


def _copy(connection: sqlite3.Connection, original: str, night: str) -> None:
    for table in _TABLES:
        columns = [name for _, name, *_ in connection.execute(f"PRAGMA table_info({table})")]
        own = "id" if table == "night" else "night"
        values = ", ".join("?" if name == own else name for name in columns)
        connection.execute(
            f"INSERT INTO {table} SELECT {values} FROM {table} WHERE {own} = ?", (night, original)
        )

"""Databases of earlier schemas, with the golden nights."""

import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from ledger.store import migrate
from ledger.store.schema import upgrade
from ledger.store.systems.postgresql import migrating
from tests.postgresql import OWNER, Cluster
from tests.store.goldens import GOLDEN
from tests.store.systems import TABLES, OtherProgram, PostgresqlProgram, SqliteProgram

Rows = dict[str, list[dict[str, Any]]]


class EarlierDatabase(ABC):
    """A database of an earlier schema; `url` is for the web's role."""

    url: str
    LIFTS_THE_TRIGGER: str
    """The statement with which the owner of the database makes payments changeable."""

    @abstractmethod
    def upgrade(self) -> None: ...

    @abstractmethod
    def other(self) -> OtherProgram: ...

    def rows(self) -> Rows:
        """All rows of the log and the names, as column -> value."""
        with closing(self.other()) as program:
            return {table: _rows(program, table) for table in TABLES}


class EarlierOnSqlite(EarlierDatabase):
    """The database as that schema wrote it, when SQLite kept a rollback journal."""

    LIFTS_THE_TRIGGER = "DROP TRIGGER payment_refuses_update"

    def __init__(self, schema: str, folder: Path) -> None:
        self.path = folder / "ledger.db"
        self.url = f"sqlite:///{self.path}"
        with closing(sqlite3.connect(self.path)) as connection:
            connection.execute("PRAGMA journal_mode = persist")
            connection.executescript((GOLDEN / f"{schema}.sql").read_text(encoding="utf-8"))

    def upgrade(self) -> None:
        migrate(self.url)

    def other(self) -> OtherProgram:
        return SqliteProgram(self.path)


class EarlierOnPostgresql(EarlierDatabase):
    """A database migrated up to that schema, with the same rows, inserted in an order that its triggers accept."""

    LIFTS_THE_TRIGGER = "ALTER TABLE payment DISABLE TRIGGER payment_is_only_appended"

    def __init__(self, schema: str, cluster: Cluster) -> None:
        self._cluster, self._name = cluster, cluster.new_database()
        self.url, self.owner = cluster.url(self._name), cluster.url(self._name, OWNER)
        with migrating(self.owner) as connection:
            upgrade(connection, schema)
            for table, row in _in_order(_golden_rows(schema)):
                columns, places = ", ".join(row), ", ".join(["%s"] * len(row))
                connection.exec_driver_sql(
                    f"INSERT INTO {table} ({columns}) VALUES ({places})", tuple(row.values())
                )

    def upgrade(self) -> None:
        migrate(self.owner)

    def other(self) -> OtherProgram:
        return PostgresqlProgram(self._cluster.connect(self._name))

    def drop(self) -> None:
        self._cluster.drop(self._name)


def _golden_rows(schema: str) -> Rows:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript((GOLDEN / f"{schema}.sql").read_text(encoding="utf-8"))
        connection.row_factory = sqlite3.Row
        select = connection.execute
        return {table: [dict(row) for row in select(f"SELECT * FROM {table}")] for table in TABLES}


def _in_order(rows: Rows) -> Iterator[tuple[str, dict[str, Any]]]:
    """Rows in the order in which triggers accept them: nights, names, then the rows of each event before it."""
    for table in ("night", "person"):
        yield from ((table, row) for row in rows[table])
    entries = [
        (row["night"], row["seq"], place, row.get("idx", 0), table, row)
        for place, table in enumerate(("payment", "correction", "event"))
        for row in rows[table]
    ]
    for *_, table, row in sorted(entries, key=lambda entry: entry[:4]):
        yield table, row


def _rows(program: OtherProgram, table: str) -> list[dict[str, Any]]:
    columns = program.columns(table)
    found = program.run(f"SELECT {', '.join(columns)} FROM {table}")
    return sorted((dict(zip(columns, row, strict=True)) for row in found), key=repr)

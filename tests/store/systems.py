"""The database systems on which tests of the store run, and other programs with access to them."""

import re
import shutil
import sqlite3
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, Self

import psycopg

from ledger.store import migrate
from tests.postgresql import OWNER, Cluster

REFUSED = (sqlite3.IntegrityError, psycopg.IntegrityError, psycopg.DataError)
"""The exceptions of a database that refuses a row."""

TABLES = ("night", "event", "payment", "correction", "person")


class OtherProgram(ABC):
    """Another program's connection to the database, with all rights: raw SQL, values as `?`."""

    @abstractmethod
    def run(self, sql: str, *values: object) -> list[Any]: ...

    @abstractmethod
    def without_triggers(self) -> Self:
        """Drop or disable triggers and other checks, as the owner of the database can."""

    @abstractmethod
    def close(self) -> None: ...

    def contents(self) -> dict[str, list[Any]]:
        """All rows of the log by table, to compare."""
        return {table: sorted(self.run(f"SELECT * FROM {table}"), key=repr) for table in TABLES}

    def columns(self, table: str) -> list[str]:
        """The names of a table's columns."""
        return [name for (name,) in self.run(self._COLUMNS, table)]

    _COLUMNS: str


class SqliteProgram(OtherProgram):
    _COLUMNS = "SELECT name FROM pragma_table_info(?)"

    def __init__(self, path: Path) -> None:
        self.connection = sqlite3.connect(path, isolation_level=None)
        self.run("PRAGMA foreign_keys = 1")

    def run(self, sql: str, *values: object) -> list[Any]:
        return self.connection.execute(sql, values).fetchall()

    def without_triggers(self) -> Self:
        for (name,) in self.run("SELECT name FROM sqlite_schema WHERE type = 'trigger'"):
            self.run(f"DROP TRIGGER {name}")
        self.run("PRAGMA foreign_keys = 0")
        self.run("PRAGMA ignore_check_constraints = 1")
        return self

    def close(self) -> None:
        self.connection.close()


def edit_catalog(other: OtherProgram, change: str, *values: str) -> None:
    """Change the texts that SQLite keeps of the schema."""
    other.run("PRAGMA writable_schema = 1")
    other.run(f"UPDATE sqlite_schema SET {change}", *values)
    other.run("PRAGMA writable_schema = RESET")


class PostgresqlProgram(OtherProgram):
    _COLUMNS = "SELECT column_name FROM information_schema.columns WHERE table_name = ?"

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self.connection = connection

    def run(self, sql: str, *values: object) -> list[Any]:
        sql = re.sub(r"zeroblob\((\d+)\)", r"decode(repeat('00', \1), 'hex')", sql)
        cursor = self.connection.execute(sql.replace("?", "%s"), values)
        return cursor.fetchall() if cursor.description else []

    def without_triggers(self) -> Self:
        for table in TABLES:
            self.run(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        for table, name in self.run(
            "SELECT conrelid::regclass, conname FROM pg_constraint"
            " WHERE conrelid > 0 AND contype IN ('c', 'f') AND conparentid = 0 AND conislocal"
        ):
            self.run(f"ALTER TABLE {table} DROP CONSTRAINT IF EXISTS {name}")
        return self

    def close(self) -> None:
        self.connection.close()


class System(ABC):
    """A migrated database of one system, and more of that system; `url` is for the web's role."""

    url: str

    @abstractmethod
    def other(self) -> OtherProgram: ...

    @abstractmethod
    def another(self) -> "System":
        """A database of another installation."""

    @abstractmethod
    def empty(self) -> tuple[str, str]:
        """The URLs of a database that is not migrated: the owner's and the web's."""

    @abstractmethod
    def close(self) -> None: ...


class SqliteSystem(System):
    def __init__(self, migrated: Path, path: Path) -> None:
        self._migrated, self.path = migrated, path
        shutil.copy(migrated, path)
        self.url = f"sqlite:///{path}"

    def other(self) -> OtherProgram:
        return SqliteProgram(self.path)

    def another(self) -> System:
        return SqliteSystem(self._migrated, self.path.with_name("elsewhere.db"))

    def empty(self) -> tuple[str, str]:
        url = f"sqlite:///{self.path.with_name('empty.db')}"
        return url, url

    def close(self) -> None:
        """Nothing: the file is deleted with its folder."""


class PostgresqlSystem(System):
    def __init__(self, cluster: Cluster, migrated: str) -> None:
        self._cluster, self._migrated = cluster, migrated
        self.database = cluster.new_database(migrated)
        self.url = cluster.url(self.database)
        self._others: list[PostgresqlSystem] = []
        self._empty: list[str] = []

    def other(self) -> OtherProgram:
        return PostgresqlProgram(self._cluster.connect(self.database))

    def another(self) -> System:
        self._others.append(PostgresqlSystem(self._cluster, self._migrated))
        return self._others[-1]

    def empty(self) -> tuple[str, str]:
        self._empty.append(self._cluster.new_database())
        return self._cluster.url(self._empty[-1], OWNER), self._cluster.url(self._empty[-1])

    def close(self) -> None:
        for each in self._others:
            each.close()
        for database in (*self._empty, self.database):
            self._cluster.drop(database)


def migrated_database(cluster: Cluster) -> str:
    """The name of a new migrated database, to copy."""
    database = cluster.new_database()
    migrate(cluster.url(database, OWNER))
    return database

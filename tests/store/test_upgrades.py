"""What every earlier schema held is there after an upgrade, to the byte, and the night goes on."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from ledger.recorder import Recorder, audit
from ledger.recorder.bodies import FORMAT
from ledger.store import Store, StoreNotConforming, migrate
from tests.recorder.tables import KEY, Table
from tests.store.goldens import GOLDEN, kept, revisions

TABLES = ("night", "event", "correction", "payment", "person")
SCHEMAS = sorted(file.stem for file in GOLDEN.glob("*.sql"))


@pytest.fixture
def database(tmp_path: Path, schema: str) -> Path:
    """The golden nights of a schema, as it wrote them."""
    path = tmp_path / "ledger.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((GOLDEN / f"{schema}.sql").read_text(encoding="utf-8"))
    return path


@pytest.fixture
def upgraded(database: Path) -> Iterator[Store]:
    migrate(f"sqlite:///{database}")
    store = Store.open(f"sqlite:///{database}", web=False)
    yield store
    store.close()


def golden(schema: str) -> str:
    """What the golden nights of a schema must come to."""
    return (GOLDEN / f"{schema}.json").read_text(encoding="utf-8")


def rows(database: Path) -> dict[str, list[dict[str, Any]]]:
    with closing(sqlite3.connect(database)) as connection:
        connection.row_factory = sqlite3.Row
        select = connection.execute
        return {table: [dict(row) for row in select(f"SELECT * FROM {table}")] for table in TABLES}


def test_there_are_golden_nights_of_every_schema_that_ever_was() -> None:
    assert set(SCHEMAS) == {file.stem for file in GOLDEN.glob("*.json")} == set(revisions())


def test_there_are_golden_nights_of_every_format_that_ever_was() -> None:
    texts = [(GOLDEN / f"{schema}.sql").read_text(encoding="utf-8") for schema in SCHEMAS]
    for format in range(1, FORMAT + 1):
        assert any(f'{{"format":{format},' in text for text in texts)


@pytest.mark.parametrize("schema", SCHEMAS[:1])
def test_before_an_upgrade_a_store_says_that_one_is_needed(database: Path) -> None:
    store = Store.open(f"sqlite:///{database}")
    assert store.differences() == ("the schema is not this version's: migrate",)
    with pytest.raises(StoreNotConforming, match="migrate"), store.writing("any"):
        pass
    with pytest.raises(StoreNotConforming, match="no such index"), store.reading() as reader:
        reader.generations("any")
    store.close()


@pytest.mark.parametrize("schema", SCHEMAS)
def test_an_upgrade_keeps_every_row_and_adds_columns_at_most(database: Path) -> None:
    before = rows(database)
    migrate(f"sqlite:///{database}")
    after = rows(database)
    for table, then in before.items():
        columns = then[0].keys()
        assert then == [{column: row[column] for column in columns} for row in after[table]]


@pytest.mark.parametrize("schema", SCHEMAS)
def test_after_an_upgrade_heads_and_balances_are_the_same_to_the_byte(
    schema: str, upgraded: Store, database: Path
) -> None:
    assert upgraded.differences() == ()
    found = audit(Recorder(upgraded, KEY))
    assert [difference for difference in found if not difference.engine] == []
    assert kept(f"sqlite:///{database}") == golden(schema)


@pytest.mark.parametrize("schema", SCHEMAS)
def test_after_an_upgrade_the_night_goes_on(schema: str, upgraded: Store) -> None:
    heads = json.loads(golden(schema))
    night = max(heads, key=lambda night: int(heads[night]["head"][1:].split()[0]))
    table = Table(Recorder(upgraded, KEY), night)
    table.after = table.board()["after"]
    assert table.record("undo").created
    assert list(upgraded.audit()) == []


@pytest.mark.parametrize("schema", SCHEMAS[:1])
def test_an_upgrade_that_changes_a_payment_is_found_out(schema: str, database: Path) -> None:
    migrate(f"sqlite:///{database}")
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.execute("DROP TRIGGER payment_refuses_update")
        connection.execute("UPDATE payment SET points = points + 1 WHERE reverses_seq IS NULL")
    store = Store.open(f"sqlite:///{database}", web=False)
    assert store.differences() == ("trigger payment_refuses_update is missing",)
    assert list(audit(Recorder(store, KEY)))
    store.close()
    assert kept(f"sqlite:///{database}") != golden(schema)

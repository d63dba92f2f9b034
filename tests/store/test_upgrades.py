"""An upgrade from any earlier schema keeps all data byte for byte, and nights can continue; on each system."""

import json
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from subprocess import PIPE, Popen

import pytest

from ledger.recorder import Recorder, audit
from ledger.store import WITH_PHONE, Head, Store, StoreBusy, StoreNotConforming, wait_silently
from ledger.store.schema import upgrade
from ledger.store.systems.postgresql import lock_tables, migrating
from tests.postgresql import Cluster
from tests.processes import wait_for
from tests.recorder.tables import KEY, Table
from tests.store.goldens import GOLDEN, kept, revisions
from tests.store.making import audited
from tests.store.upgrading import EarlierDatabase, EarlierOnPostgresql, EarlierOnSqlite

SCHEMAS = sorted(file.stem for file in GOLDEN.glob("*.sql"))


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path, schema: str) -> Iterator[EarlierDatabase]:
    """A database of an earlier schema with its golden nights."""
    if request.param == "sqlite":
        yield EarlierOnSqlite(schema, tmp_path)
        return
    found = EarlierOnPostgresql(schema, request.getfixturevalue("cluster"))
    yield found
    found.drop()


@pytest.fixture
def upgraded(database: EarlierDatabase) -> Iterator[Store]:
    database.upgrade()
    with closing(Store.open(database.url, web=False)) as store:
        yield store


def golden(schema: str) -> str:
    """The expected heads and balances of a schema's golden nights."""
    return (GOLDEN / f"{schema}.json").read_text(encoding="utf-8")


def test_there_are_golden_nights_of_every_schema_and_of_every_format_that_ever_was() -> None:
    assert set(SCHEMAS) == {file.stem for file in GOLDEN.glob("*.json")} == set(revisions())
    texts = [(GOLDEN / f"{schema}.sql").read_text(encoding="utf-8") for schema in SCHEMAS]
    for format in range(1, WITH_PHONE + 1):
        assert any(f'{{"format":{format},' in text for text in texts)


@pytest.mark.parametrize("schema", SCHEMAS[:1])
def test_before_an_upgrade_a_store_says_that_one_is_needed(database: EarlierDatabase) -> None:
    with closing(Store.open(database.url)) as store:
        assert store.differences() == ("the schema is not this version's: migrate",)
        with pytest.raises(StoreNotConforming, match="migrate"), store.writing("any"):
            pass
        with pytest.raises(StoreNotConforming, match="secret_digest"), store.reading() as reader:
            reader.night("any")


@pytest.mark.parametrize("schema", SCHEMAS[-1:])
def test_a_file_with_a_rollback_journal_is_turned_over(schema: str, tmp_path: Path) -> None:
    database = EarlierOnSqlite(schema, tmp_path)
    journal = database.path.with_name("ledger.db-journal")
    assert journal.exists()  # in which pages with names may be
    with closing(Store.open(database.url)) as store:
        assert store.differences() == ("pragma journal_mode is delete, not wal: migrate",)
        with pytest.raises(StoreNotConforming, match="migrate"), store.writing("any"):
            pass
    assert kept(database.url) == golden(schema)
    database.upgrade()
    assert kept(database.url) == golden(schema)
    assert not journal.exists()
    with closing(Store.open(database.url)) as store:
        assert store.differences() == ()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says who has a file open")
@pytest.mark.parametrize("does", ["SELECT * FROM night", "BEGIN IMMEDIATE"])
def test_a_file_that_an_earlier_version_has_open_is_not_turned_over(does: str, tmp_path: Path) -> None:
    database = EarlierOnSqlite(SCHEMAS[0], tmp_path)
    with earlier_server(database.path, does), pytest.raises(StoreBusy, match="stop its server, then migrate"):
        database.upgrade()
    database.upgrade()


@contextmanager
def earlier_server(database: Path, does: str) -> Iterator[None]:
    """Another process that has a database open, after a statement."""
    program = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1], isolation_level=None)"
    program += "; c.execute(sys.argv[2]).fetchall(); print(flush=True); input()"
    command = [sys.executable, "-c", program, str(database), does]
    with Popen(command, stdin=PIPE, stdout=PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield
        process.communicate(b"\n")


@pytest.mark.sampled
@pytest.mark.parametrize("schema", SCHEMAS)
def test_an_upgrade_keeps_every_row_and_adds_columns_at_most(database: EarlierDatabase) -> None:
    before = database.rows()
    database.upgrade()
    after = database.rows()
    for table, then in before.items():
        columns = then[0].keys()
        assert then == [{column: row[column] for column in columns} for row in after[table]]


@pytest.mark.sampled
@pytest.mark.parametrize("schema", SCHEMAS)
def test_after_an_upgrade_heads_and_balances_are_the_same_to_the_byte(
    schema: str, upgraded: Store, database: EarlierDatabase
) -> None:
    assert upgraded.differences() == ()
    found = audit(Recorder(upgraded, KEY))
    assert [difference for difference in found if not difference.engine] == []
    assert kept(database.url) == golden(schema)


@pytest.mark.sampled
@pytest.mark.parametrize("schema", SCHEMAS)
def test_after_an_upgrade_the_night_goes_on(schema: str, upgraded: Store) -> None:
    heads = json.loads(golden(schema))
    night = max(heads, key=lambda night: int(heads[night]["head"][1:].split()[0]))
    table = Table(Recorder(upgraded, KEY), night)
    table.after = table.board()["after"]
    assert table.record("undo").created
    assert audited(upgraded) == []


@pytest.mark.parametrize("schema", SCHEMAS[:1])
def test_an_upgrade_that_changes_a_payment_is_found_out(schema: str, database: EarlierDatabase) -> None:
    database.upgrade()
    with closing(database.other()) as program:
        program.run(database.LIFTS_THE_TRIGGER)
        program.run("UPDATE payment SET points = points + 1 WHERE reverses_seq IS NULL")
    with closing(Store.open(database.url, web=False)) as store:
        (difference,) = store.differences()
        assert difference.startswith("trigger payment")
        assert list(audit(Recorder(store, KEY)))
    assert kept(database.url) != golden(schema)


@pytest.mark.parametrize("schema", ["0007"])  # whose upgrade copies tables
def test_who_reads_during_an_upgrade_waits_and_misses_nothing(schema: str, cluster: Cluster) -> None:
    database = EarlierOnPostgresql(schema, cluster)
    with closing(Store.open(database.url)) as store, ThreadPoolExecutor(1) as elsewhere:

        def heads() -> list[Head]:
            with store.reading() as reader:
                return [reader.head(night.id) for night in reader.nights()]

        before = heads()
        with migrating(database.owner) as connection:
            lock_tables(connection, wait_silently)
            reading = elsewhere.submit(heads)
            with closing(database.other()) as program:
                wait_for(
                    lambda: program.run("SELECT pid FROM pg_locks WHERE NOT granted"), "the reader to wait"
                )
            upgrade(connection)
        assert reading.result() == before
    database.drop()

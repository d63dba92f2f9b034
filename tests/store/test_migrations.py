"""The migrations own the schema; a database that differs from it is not written."""

import sqlite3
from pathlib import Path

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import Connection
from sqlalchemy.dialects.sqlite import dialect

import ledger
from ledger.store import (
    Store,
    StoreAddressUnusable,
    StoreError,
    StoreNewer,
    StoreNotConforming,
    migrate,
    models,
)
from ledger.store.schema import Schema, revisions, upgrade
from ledger.store.systems import sqlite_connections
from tests.store.catalog import made_on_sqlite, scratch_engine, written
from tests.store.making import MadeNight, new_night
from tests.store.systems import OtherProgram

pytestmark = pytest.mark.sqlite

MIGRATIONS = Path(ledger.__file__).parent.parent / "migrations"


def text_of(connection: Connection) -> Schema:
    return {
        (kind, name): text
        for (kind, name), text in sqlite_connections.schema(connection).items()
        if kind != "trigger" and name != "alembic_version"
    }


def test_the_models_and_the_migrations_make_the_same_tables_to_the_letter() -> None:
    migrated, modelled = scratch_engine(), scratch_engine()
    with migrated.begin() as one, modelled.begin() as other:
        upgrade(one)
        models.Night.metadata.create_all(other)
        assert text_of(one) == text_of(other)
    migrated.dispose()
    modelled.dispose()


def test_the_list_beside_the_migrations_is_what_they_make() -> None:
    assert written(made_on_sqlite()) == (MIGRATIONS / "sqlite.json").read_text(encoding="utf-8")


def test_the_files_of_the_migrations_are_named_by_their_revisions_in_order() -> None:
    scripts = ScriptDirectory(str(MIGRATIONS)).walk_revisions()
    assert revisions() == tuple(script.revision for script in reversed(list(scripts)))


def test_every_table_is_strict_and_every_constraint_has_a_name() -> None:
    for table in models.Night.metadata.sorted_tables:
        assert table.dialect_options["sqlite"]["strict"]
        assert all(constraint.name for constraint in table.constraints)
        assert {column.type.compile(dialect()) for column in table.columns} <= {"TEXT", "INTEGER", "BLOB"}


def test_the_migrations_are_one_line_and_never_work_in_batches() -> None:
    scripts = ScriptDirectory(str(MIGRATIONS))
    assert len(scripts.get_heads()) == 1
    for path in (MIGRATIONS / "versions").glob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert "batch" not in text
        assert "drop_table" not in text


def test_migrating_again_changes_nothing(night: MadeNight, other: OtherProgram, url: str) -> None:
    before = other.contents()
    migrate(url)
    assert other.contents() == before
    assert night.store.differences() == ()


def test_a_folder_that_is_not_there_is_made(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/a%b/c d/ledger.db"
    migrate(url)
    store = Store.open(url)
    assert MadeNight(store).append().seq == 1
    store.close()


def test_a_database_of_a_newer_version_is_left_alone(night: MadeNight, other: OtherProgram, url: str) -> None:
    other.run("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StoreNewer, match="schema 9999"):
        migrate(url)
    with pytest.raises(StoreNewer):
        Store.open(url)


def test_a_database_that_is_not_migrated_is_not_written(url: str, path: Path) -> None:
    sqlite3.connect(path).close()
    path.write_bytes(b"")
    store = Store.open(url)
    with pytest.raises(StoreNotConforming, match="migrate"), store.writing("any"):
        pass
    with pytest.raises(StoreNotConforming, match="no such table"), store.reading() as reader:
        reader.nights()
    store.close()


ALTERATIONS = {
    "DROP TRIGGER event_refuses_delete": "trigger event_refuses_delete is missing",
    "DROP TRIGGER payment_comes_before_its_event": "trigger payment_comes_before_its_event is missing",
    "DROP INDEX event_by_round": "index event_by_round is missing",
    "DROP TABLE correction": "table correction is missing",
    "CREATE TABLE extra (x)": "table extra is not ours",
    "CREATE VIEW extra AS SELECT 1": "view extra is not ours",
    "CREATE INDEX extra ON event (kind)": "index extra is not ours",
    "CREATE TRIGGER extra AFTER INSERT ON event BEGIN SELECT 1; END": "trigger extra is not ours",
    "ALTER TABLE payment ADD COLUMN extra TEXT": "table payment is altered",
    "ALTER TABLE payment RENAME COLUMN clause TO why": "table payment is altered",
}


@pytest.mark.parametrize("alteration", ALTERATIONS)
def test_an_altered_schema_is_named_and_never_written(
    night: MadeNight, other: OtherProgram, url: str, alteration: str
) -> None:
    other.run("PRAGMA foreign_keys = 0")
    other.run(alteration)
    store = Store.open(url)
    assert ALTERATIONS[alteration] in store.differences()
    with pytest.raises(StoreNotConforming, match=ALTERATIONS[alteration]), store.writing(night.id) as writer:
        writer.create_night(*new_night())
    with store.reading() as reader:
        assert reader.night(night.id) == night.row
    store.close()


def test_a_trigger_that_is_remade_without_teeth_is_named(night: MadeNight, other: OtherProgram) -> None:
    other.run("DROP TRIGGER payment_refuses_update")
    other.run("CREATE TRIGGER payment_refuses_update BEFORE UPDATE ON payment BEGIN SELECT 1; END")
    assert night.store.differences() == ("trigger payment_refuses_update is altered",)


EDITS = {
    # text in the catalog, its replacement, and the part that differs then
    "a check that lets points be less than nothing": ("points > 0", "points > -9", "table payment"),
    "a check of a text that looks like a column": ("points > 0", '"points " > 0', "table payment"),
    "a check of a text that looks like nothing": ("name IS NULL", 'name IS "NULL"', "table person"),
    "a check within a comment": ("CHECK (points > 0)", "CHECK (true) -- CHECK (points > 0)", "table payment"),
    "a trigger that looks at a text": (
        "NEW.reverses_seq",
        'NEW.reverses_seq AND "reverses_seq "',
        "trigger payment_comes_before_its_event",
    ),
}


@pytest.mark.parametrize("edit", EDITS)
def test_what_is_edited_in_the_catalog_is_named(night: MadeNight, other: OtherProgram, edit: str) -> None:
    old, new, altered = EDITS[edit]
    other.run("PRAGMA writable_schema = 1")
    other.run(
        "UPDATE sqlite_schema SET sql = replace(sql, ?, ?) WHERE name = ?", old, new, altered.split()[1]
    )
    other.run("PRAGMA writable_schema = RESET")
    assert night.store.differences() == (f"{altered} is altered",)


def test_quotes_round_a_name_of_ours_and_layout_mean_nothing(night: MadeNight, other: OtherProgram) -> None:
    other.run("PRAGMA writable_schema = 1")
    other.run(
        "UPDATE sqlite_schema SET sql = replace(replace(sql, 'payer', '\"payer\"'), ',', '  ,\n')"
        " WHERE name = 'payment'"
    )
    other.run("PRAGMA writable_schema = RESET")
    assert night.store.differences() == ()


def test_a_part_that_goes_by_a_name_of_sqlites_own_is_named(night: MadeNight, other: OtherProgram) -> None:
    other.run("CREATE TRIGGER spy AFTER UPDATE ON person BEGIN SELECT 1; END")
    other.run("PRAGMA writable_schema = 1")
    other.run("UPDATE sqlite_schema SET name = 'sqlite_spy', sql = replace(sql, 'spy', 'sqlite_spy')"
              " WHERE name = 'spy'")  # fmt: skip
    other.run("PRAGMA writable_schema = RESET")
    assert night.store.differences() == ("trigger sqlite_spy is not ours",)


def test_what_an_analysis_leaves_is_named(night: MadeNight, other: OtherProgram) -> None:
    """It is not data of ours, but decides which index a query uses."""
    other.run("ANALYZE")
    assert "table sqlite_stat1 is not ours" in night.store.differences()


@pytest.mark.parametrize(
    "url",
    [
        "",
        "ledger.db",
        "sqlite://",
        "sqlite:///:memory:",
        "sqlite:///ledger.db?mode=memory",
        "sqlite://host/ledger.db",
        "postgresql://club",
        "mysql://club/ledger",
    ],
)
def test_an_address_that_cannot_be_used_is_one_line(url: str) -> None:
    for use in (migrate, Store.open):
        with pytest.raises(StoreAddressUnusable) as refused:
            use(url)
        assert "\n" not in str(refused.value)


def test_a_database_that_is_not_there_is_not_made_by_opening_it(tmp_path: Path) -> None:
    path = tmp_path / "nothing.db"
    url = f"sqlite:///{path}"
    with pytest.raises(StoreNotConforming, match="no database at"):
        Store.open(url)
    assert not path.exists()


def test_a_file_that_is_no_database_is_left_alone(url: str, path: Path) -> None:
    path.write_bytes(b"not a database, but someone's letter" * 100)
    for use in (migrate, Store.open):
        with pytest.raises(StoreError, match="not a database"):
            use(url)
    assert path.read_bytes().startswith(b"not a database")

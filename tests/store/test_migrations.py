"""The migrations own the schema; a database that differs from it is not written."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

import ledger
from ledger.store import (
    Store,
    StoreAddressUnusable,
    StoreError,
    StoreForeign,
    StoreNewer,
    StoreNotConforming,
    database_exists,
    migrate,
    models,
)
from ledger.store.schema import Schema, compared, revisions, upgrade
from ledger.store.systems import sqlite_connections
from tests.case_files import columns
from tests.store.catalog import made_on_sqlite, scratch_engine, written
from tests.store.making import MadeNight, new_night
from tests.store.systems import OtherProgram, edit_catalog

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
    with closing(Store.open(url)) as store:
        assert MadeNight(store).append().seq == 1


def test_a_database_of_a_newer_version_is_left_alone(night: MadeNight, other: OtherProgram, url: str) -> None:
    other.run("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StoreNewer, match="schema 9999"):
        migrate(url)
    with pytest.raises(StoreNewer):
        Store.open(url)
    other.close()
    night.store.close()
    with pytest.raises(StoreNewer):
        database_exists(url)


@pytest.mark.parametrize("since", [0, -1])
def test_a_newer_schema_that_this_version_can_use_is_used_as_it_is(
    night: MadeNight, other: OtherProgram, url: str, since: int
) -> None:
    """As when the hosts of one database are upgraded one after another."""
    own = int(revisions()[-1].partition(".")[0])
    newer = f"{own + 1:04}.{own + since:04}"
    other.run("UPDATE alembic_version SET version_num = ?", newer)
    other.run("CREATE TABLE extra (x INTEGER)")
    migrate(url)
    assert database_exists(url)
    with closing(Store.open(url)) as store:
        assert store.differences() == ()
        assert MadeNight(store).append().seq == 1
    assert other.run("SELECT version_num FROM alembic_version") == [(newer,)]


@pytest.mark.parametrize("revision", ["{next}", "{next}.{next}", "{next}.", "{own}.{own}9", "new"])
def test_no_other_newer_schema_is_used(other: OtherProgram, url: str, revision: str) -> None:
    own = int(revisions()[-1].partition(".")[0])
    newer = revision.format(own=f"{own:04}", next=f"{own + 1:04}")
    other.run("UPDATE alembic_version SET version_num = ?", newer)
    other.close()
    for use in (migrate, Store.open):
        with pytest.raises(StoreNewer):
            use(url)


def test_a_database_that_is_not_migrated_is_not_written(url: str, path: Path) -> None:
    sqlite3.connect(path).close()
    path.write_bytes(b"")
    with closing(Store.open(url)) as store:
        with pytest.raises(StoreNotConforming, match="migrate"), store.writing("any"):
            pass
        with pytest.raises(StoreNotConforming, match="no such table"), store.reading() as reader:
            reader.nights()


@pytest.mark.parametrize(("alteration", "difference"), columns("store/alterations.txt", "SQLite"))
def test_an_altered_schema_is_named_and_never_written(
    night: MadeNight, other: OtherProgram, url: str, alteration: str, difference: str
) -> None:
    other.run("PRAGMA foreign_keys = 0")
    other.run(alteration)
    with closing(Store.open(url)) as store:
        assert difference in store.differences()
        with pytest.raises(StoreNotConforming, match=difference), store.writing(night.id) as writer:
            writer.create_night(*new_night())
        with store.reading() as reader:
            assert reader.night(night.id) == night.row


def test_differences_are_told_in_order() -> None:
    wanted = {("table", name): "" for name in "tsrqponmlkjihgfedcba"}
    found = {("table", name): "altered" if name < "q" else "" for name in "zyxwvutsrqponmlkjih"}
    missing, altered, not_ours = (
        ("is missing", "abcdefg"),
        ("is altered", "hijklmnop"),
        ("is not ours", "uvwxyz"),
    )
    told = [f"table {name} {what}" for what, names in (missing, altered, not_ours) for name in names]
    assert compared(wanted, found) == tuple(told)
    assert compared(wanted, wanted) == ()


def test_a_trigger_that_is_remade_without_teeth_is_named(night: MadeNight, other: OtherProgram) -> None:
    other.run("DROP TRIGGER payment_refuses_update")
    other.run("CREATE TRIGGER payment_refuses_update BEFORE UPDATE ON payment BEGIN SELECT 1; END")
    assert night.store.differences() == ("trigger payment_refuses_update is altered",)


CATALOG = "SQLite's catalog: a text in it, its replacement, and what is altered then"


@pytest.mark.parametrize(("old", "new", "altered"), columns("store/alterations.txt", CATALOG))
def test_what_is_edited_in_the_catalog_is_named(
    night: MadeNight, other: OtherProgram, old: str, new: str, altered: str
) -> None:
    edit_catalog(other, "sql = replace(sql, ?, ?) WHERE name = ?", old, new, altered.split()[1])
    assert night.store.differences() == (f"{altered} is altered",)


def test_quotes_round_a_name_of_ours_and_layout_mean_nothing(night: MadeNight, other: OtherProgram) -> None:
    quoted = "replace(replace(sql, 'payer', '\"payer\"'), ',', '  ,\n')"
    edit_catalog(other, f"sql = {quoted} WHERE name = 'payment'")
    assert night.store.differences() == ()


def test_a_part_that_goes_by_a_name_of_sqlites_own_is_named(night: MadeNight, other: OtherProgram) -> None:
    other.run("CREATE TRIGGER spy AFTER UPDATE ON person BEGIN SELECT 1; END")
    edit_catalog(other, "name = 'sqlite_spy', sql = replace(sql, 'spy', 'sqlite_spy') WHERE name = 'spy'")
    assert night.store.differences() == ("trigger sqlite_spy is not ours",)


def test_what_an_analysis_leaves_is_named(night: MadeNight, other: OtherProgram) -> None:
    """It is not data of ours, but decides which index a query uses."""
    other.run("ANALYZE")
    assert "table sqlite_stat1 is not ours" in night.store.differences()


@pytest.mark.parametrize(
    "url",
    [
        *("", "ledger.db", "sqlite://", "sqlite:///:memory:", "sqlite:///ledger.db?mode=memory"),
        *("sqlite://host/ledger.db", "postgresql://club", "mysql://club/ledger"),
    ],
)
def test_an_address_that_cannot_be_used_is_one_line(url: str) -> None:
    for use in (migrate, Store.open):
        with pytest.raises(StoreAddressUnusable) as refused:
            use(url)
        assert "\n" not in str(refused.value)


def test_whether_a_database_is_there_is_told_without_a_trace(path: Path, tmp_path: Path) -> None:
    (empty := tmp_path / "empty.db").touch()
    (torn := tmp_path / "torn.db").write_bytes(path.read_bytes()[:100] + b"\xff" * 5000)
    before = {file: file.stat().st_mtime_ns for file in tmp_path.iterdir()}
    for file, there in ((path, True), (empty, True), (torn, True), (tmp_path / "none.db", False)):
        assert database_exists(f"sqlite:///{file}") is there, file
    with pytest.raises(StoreAddressUnusable, match="folder"):
        database_exists(f"sqlite:///{tmp_path}")
    assert {file: file.stat().st_mtime_ns for file in tmp_path.iterdir()} == before


def test_a_database_of_another_program_is_left_alone_and_named_by_what_it_holds(tmp_path: Path) -> None:
    path = tmp_path / "another.db"
    with closing(sqlite3.connect(path)) as program:
        for table in ("songs", "artists", "lists", "albums"):
            program.execute(f"CREATE TABLE {table} (id)")
    before = path.read_bytes()
    for use in (migrate, database_exists):
        with pytest.raises(StoreForeign, match=r"\(it holds albums, artists, lists\)"):
            use(f"sqlite:///{path}")
    assert path.read_bytes() == before


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

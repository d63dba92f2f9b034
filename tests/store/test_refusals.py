"""Statements that the database itself refuses; all of them come from another program."""

import re
import sqlite3

import pytest

from ledger.store import NewCorrection, StoreRefused
from tests.case_files import columns, lines_below
from tests.store.making import MadeNight, paid
from tests.store.systems import REFUSED, OtherProgram, SqliteProgram

LOG = ["night", "event", "payment", "correction"]
BOTH, ON_SQLITE = (
    "on both systems",
    "on SQLite, which converts no values, and where a row can replace another",
)


def fields_of(row: str) -> dict[str, str]:
    """The columns of a row that are named in tests/cases/store/rows.txt, as text."""
    return dict(field.split("=") for field in row.split()[1:])


NEXT = {row.split()[0]: fields_of(row) for row in lines_below("store/rows.txt", "the next event")}


def insert(other: OtherProgram, night: MadeNight, rows: str, **words: object) -> None:
    """Insert rows of tests/cases/store/rows.txt in a transaction."""
    hashes = "SELECT hash FROM event WHERE night = ? ORDER BY seq DESC LIMIT 2"
    (head,), (third,) = other.run(hashes, night.id)
    words |= {"ours": night.id, "head": head, "third": third, "night": night.row.hash}
    words |= {"zeros": bytes(32), "null": None, "1.5": 1.5, "x'31'": b"1"}
    other.run("BEGIN")
    for row in rows.split(" / "):
        if row == "commit":
            other.run("COMMIT")
            return
        verb = "REPLACE" if row.startswith("replace ") else "INSERT"
        table = row.removeprefix("replace ").split()[0]
        fields = NEXT[table] | fields_of(row.removeprefix("replace "))
        values = [
            int(value) if re.fullmatch(r"-?\d+", value) else words.get(value, value)
            for value in fields.values()
        ]
        places = ", ".join("?" * len(values))
        other.run(f"{verb} INTO {table} ({', '.join(fields)}) VALUES ({places})", *values)


@pytest.mark.parametrize(("rows", "why"), columns("store/rows.txt", BOTH))
def test_a_row_that_does_not_fit_is_refused(
    night: MadeNight, other: OtherProgram, rows: str, why: str
) -> None:
    before = other.contents()
    with pytest.raises(REFUSED, match=f"(?i){why}"):
        insert(other, night, rows)
    other.run("ROLLBACK")
    assert other.contents() == before


@pytest.mark.sqlite
@pytest.mark.parametrize(("rows", "why"), columns("store/rows.txt", ON_SQLITE))
def test_a_row_that_does_not_fit_is_refused_on_sqlite(
    night: MadeNight, other: OtherProgram, rows: str, why: str
) -> None:
    other.run("PRAGMA recursive_triggers = 0")
    test_a_row_that_does_not_fit_is_refused(night, other, rows, why)


def test_what_is_next_and_fits_is_taken(night: MadeNight, other: OtherProgram) -> None:
    reversal = "payment idx=1 reverses_seq=2 reverses_idx=1"
    insert(
        other,
        night,
        f"payment points=3 / {reversal} / correction / event payment_count=2 payment_total=4 / commit",
    )


def test_a_first_event_must_be_chained_to_its_night(night: MadeNight, other: OtherProgram) -> None:
    fresh = MadeNight(night.store)
    with pytest.raises(REFUSED, match="prev is not the head"):
        insert(other, night, f"event night={fresh.id} seq=1")
    other.run("ROLLBACK")
    insert(other, night, f"event night={fresh.id} seq=1 prev=fresh / commit", fresh=fresh.row.hash)


@pytest.mark.parametrize("table", LOG)
def test_no_row_of_the_log_is_edited(other: OtherProgram, table: str) -> None:
    before = other.contents()
    for verb in ("UPDATE", "UPDATE OR IGNORE") if isinstance(other, SqliteProgram) else ("UPDATE",):
        for column in other.columns(table):
            with pytest.raises(REFUSED, match="nothing is edited"):
                other.run(f"{verb} {table} SET {column} = {column}")
    assert other.contents() == before


@pytest.mark.parametrize("table", LOG)
def test_no_row_of_the_log_is_deleted(other: OtherProgram, table: str) -> None:
    """Not even with foreign keys off, which SQLite leaves to each connection."""
    before = other.contents()
    for references in (1, 0) if isinstance(other, SqliteProgram) else (1,):
        if not references:
            other.run("PRAGMA foreign_keys = 0")
        with pytest.raises(REFUSED, match="nothing is deleted"):
            other.run(f"DELETE FROM {table}")
    assert other.contents() == before


@pytest.mark.sqlite
@pytest.mark.parametrize("verb", ["REPLACE", "INSERT OR REPLACE", "INSERT OR IGNORE", "INSERT OR FAIL"])
@pytest.mark.parametrize("recursive_triggers", [True, False])
@pytest.mark.parametrize("table", LOG)
def test_no_row_of_the_log_is_replaced_whatever_the_connection_leaves_off(
    other: OtherProgram, table: str, recursive_triggers: bool, verb: str
) -> None:
    other.run(f"PRAGMA recursive_triggers = {int(recursive_triggers)}")
    before = other.contents()
    with pytest.raises(REFUSED):
        other.run(f"{verb} INTO {table} SELECT * FROM {table} LIMIT 1")
    assert other.contents() == before


@pytest.mark.sqlite
@pytest.mark.parametrize("name", ["rowid", "oid", "_rowid_"])
def test_no_number_beside_its_key_names_a_row(other: OtherProgram, name: str) -> None:
    for table in ("night", "event", "payment", "correction", "person"):
        with pytest.raises(sqlite3.OperationalError, match="no such column"):
            other.run(f"SELECT {name} FROM {table}")


def test_a_night_may_go_on_after_a_refusal(night: MadeNight) -> None:
    with pytest.raises(StoreRefused, match="payment_changes_hands"):
        night.append(payments=[paid("p1", "p1", 1)])
    with pytest.raises(StoreRefused, match=r"corrected already|target_is_new"):
        night.append(corrections=[NewCorrection(0, 1, 0)])
    assert night.append().seq == 5

"""Statements that the database itself refuses; all of them come from another program."""

import sqlite3

import pytest

from ledger.store import NewCorrection, StoreRefused
from tests.store.making import MadeNight, paid
from tests.store.systems import REFUSED, OtherProgram, SqliteProgram

EVENT = "INSERT INTO event VALUES (?, ?, 'id-5', 'play', 2, ?, ?, '{}', ?, zeroblob(32))"
PAYMENT = "INSERT INTO payment VALUES (?, ?, ?, ?, ?, ?, 'r', 'c', 1, NULL, ?, ?)"
CORRECTION = "INSERT INTO correction VALUES (?, ?, ?, ?, ?)"
LOG = ["night", "event", "payment", "correction"]


def head(other: OtherProgram, night: MadeNight) -> bytes:
    [(found,)] = other.run("SELECT hash FROM event WHERE night = ? ORDER BY seq DESC LIMIT 1", night.id)
    assert isinstance(found, bytes)
    return found


def insert_payment(other: OtherProgram, night: MadeNight, **fields: object) -> None:
    row = {"seq": 5, "idx": 0, "payer": "p1", "payee": "p2", "points": 1, "rseq": None, "ridx": None}
    other.run(PAYMENT, night.id, *(row | fields).values())


@pytest.mark.parametrize("seq", [0, -1, 1, 4, 6, 7])
def test_an_event_that_is_not_the_next_is_refused(night: MadeNight, other: OtherProgram, seq: int) -> None:
    with pytest.raises(REFUSED, match="seq is not the next"):
        other.run(EVENT, night.id, seq, 0, 0, head(other, night))


def test_an_event_that_is_chained_to_another_than_the_head_is_refused(
    night: MadeNight, other: OtherProgram
) -> None:
    [(earlier,)] = other.run("SELECT hash FROM event WHERE night = ? AND seq = 3", night.id)
    for wrong in (earlier, night.row.hash, bytes(32)):
        with pytest.raises(REFUSED, match="prev is not the head"):
            other.run(EVENT, night.id, 5, 0, 0, wrong)


def test_a_first_event_must_be_chained_to_its_night(night: MadeNight, other: OtherProgram) -> None:
    fresh = MadeNight(night.store)
    with pytest.raises(REFUSED, match="prev is not the head"):
        other.run(EVENT, fresh.id, 1, 0, 0, night.row.hash)
    other.run(EVENT, fresh.id, 1, 0, 0, fresh.row.hash)


def test_an_event_without_a_night_is_refused(night: MadeNight, other: OtherProgram) -> None:
    with pytest.raises(REFUSED):
        other.run(EVENT, "nowhere", 1, 0, 0, bytes(32))


def test_an_id_is_used_once_in_a_night(night: MadeNight, other: OtherProgram) -> None:
    statement = EVENT.replace("id-5", "play-1")
    with pytest.raises(REFUSED, match=r"id is taken|event_id_is_new"):
        other.run(statement, night.id, 5, 0, 0, head(other, night))


@pytest.mark.parametrize(("count", "total"), [(0, 0), (1, 2), (2, 2), (1, 4), (2, 4)])
def test_an_event_whose_payments_do_not_match_its_count_and_total_is_refused(
    night: MadeNight, other: OtherProgram, count: int, total: int
) -> None:
    other.run("BEGIN")
    insert_payment(other, night, points=3)
    with pytest.raises(REFUSED, match="do not match"):
        other.run(EVENT, night.id, 5, count, total, head(other, night))


def test_a_payment_without_its_event_is_refused_when_the_transaction_ends(
    night: MadeNight, other: OtherProgram
) -> None:
    other.run("BEGIN")
    insert_payment(other, night)
    with pytest.raises(REFUSED, match=r"(?i)foreign key"):
        other.run("COMMIT")


@pytest.mark.parametrize("seq", [1, 2, 4, 6, 0])
def test_a_payment_that_is_added_to_another_than_the_next_event_is_refused(
    night: MadeNight, other: OtherProgram, seq: int
) -> None:
    with pytest.raises(REFUSED, match="not that of the next event"):
        insert_payment(other, night, seq=seq, idx=2)


def test_a_payment_that_is_added_after_its_event_is_refused_in_the_same_transaction_too(
    night: MadeNight, other: OtherProgram
) -> None:
    other.run("BEGIN")
    other.run(EVENT, night.id, 5, 0, 0, head(other, night))
    with pytest.raises(REFUSED, match="not that of the next event"):
        insert_payment(other, night)


def test_a_payment_to_oneself_is_refused(night: MadeNight, other: OtherProgram) -> None:
    with pytest.raises(REFUSED, match="payment_changes_hands"):
        insert_payment(other, night, payer="p1", payee="p1")


def test_points_that_are_not_a_positive_whole_number_are_refused(
    night: MadeNight, other: OtherProgram
) -> None:
    """PostgreSQL converts values to the type of the column: it rounds them, or parses the number."""
    of_other_types = [1.5, b"1"] if isinstance(other, SqliteProgram) else []
    for points in [0, -1, "many", None, *of_other_types]:
        with pytest.raises(REFUSED):
            insert_payment(other, night, points=points)


def test_a_payment_takes_the_next_place_of_its_event(night: MadeNight, other: OtherProgram) -> None:
    for idx in (1, -1):
        with pytest.raises(REFUSED, match="idx is not the next"):
            insert_payment(other, night, idx=idx)


@pytest.mark.parametrize(
    ("rseq", "ridx"),
    [(2, 0), (2, 7), (1, 0), (5, 0), (9, 0), (2, None), (None, 0)],
    ids=["reversed already", "no such place", "pays nothing", "itself", "future", "half", "other half"],
)
def test_only_an_earlier_payment_that_stands_can_be_reversed(
    night: MadeNight, other: OtherProgram, rseq: object, ridx: object
) -> None:
    with pytest.raises(REFUSED):
        insert_payment(other, night, rseq=rseq, ridx=ridx)


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ((4, 0, 1, 0), "not that of the next event"),
        ((6, 0, 2, 0), "not that of the next event"),
        ((5, 0, 1, 0), "corrected already|target_is_new"),
        ((5, 0, 5, 0), "correction_comes_later"),
        ((5, 0, 6, 0), "correction_comes_later"),
        ((5, -1, 2, 0), "parts_are_numbers"),
        ((5, 0, 2, -1), "parts_are_numbers"),
        ((5, 0, 0, 0), "(?i)foreign key"),
    ],
)
def test_a_correction_has_a_new_event_and_an_earlier_target_of_its_own(
    night: MadeNight, other: OtherProgram, row: tuple[int, int, int, int], why: str
) -> None:
    with pytest.raises(REFUSED, match=why):
        other.run(CORRECTION, night.id, *row)


def test_a_part_corrects_one_move(night: MadeNight, other: OtherProgram) -> None:
    other.run("BEGIN")
    other.run(CORRECTION, night.id, 5, 0, 2, 0)
    with pytest.raises(REFUSED, match=r"corrects already|correction_pk"):
        other.run(CORRECTION, night.id, 5, 0, 2, 1)


def test_a_correction_without_its_event_is_refused_when_the_transaction_ends(
    night: MadeNight, other: OtherProgram
) -> None:
    other.run("BEGIN")
    other.run(CORRECTION, night.id, 5, 0, 2, 0)
    with pytest.raises(REFUSED, match=r"(?i)foreign key"):
        other.run("COMMIT")


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
@pytest.mark.parametrize("table", ["event", "payment", "correction"])
def test_no_row_is_replaced_by_way_of_its_second_key(
    night: MadeNight, other: OtherProgram, table: str
) -> None:
    other.run("PRAGMA recursive_triggers = 0")
    before = other.contents()
    replacement = {
        "event": (
            EVENT.replace("INSERT", "REPLACE").replace("id-5", "play-1"),
            (5, 0, 0, head(other, night)),
        ),
        "payment": (
            "REPLACE INTO payment VALUES (?, ?, 0, 'p1', 'p2', 2, 'r', 'c', 1, NULL, 2, 0)",
            (5,),
        ),
        "correction": (CORRECTION.replace("INSERT", "REPLACE"), (5, 0, 1, 0)),
    }
    statement, values = replacement[table]
    with pytest.raises(REFUSED, match=r"taken|already"):
        other.run(statement, night.id, *values)
    assert other.contents() == before


@pytest.mark.sqlite
@pytest.mark.parametrize("name", ["rowid", "oid", "_rowid_"])
def test_no_number_beside_its_key_names_a_row(other: OtherProgram, name: str) -> None:
    for table in ("night", "event", "payment", "correction", "person"):
        with pytest.raises(sqlite3.OperationalError, match="no such column"):
            other.run(f"SELECT {name} FROM {table}")


def test_what_is_next_and_fits_is_taken(night: MadeNight, other: OtherProgram) -> None:
    other.run("BEGIN")
    insert_payment(other, night, points=3)
    insert_payment(other, night, idx=1, points=1, rseq=2, ridx=1)
    other.run(CORRECTION, night.id, 5, 0, 2, 0)
    other.run(EVENT, night.id, 5, 2, 4, head(other, night))
    other.run("COMMIT")


def test_a_night_may_go_on_after_a_refusal(night: MadeNight) -> None:
    with pytest.raises(StoreRefused, match="payment_changes_hands"):
        night.append(payments=[paid("p1", "p1", 1)])
    with pytest.raises(StoreRefused, match=r"corrected already|target_is_new"):
        night.append(corrections=[NewCorrection(0, 1, 0)])
    assert night.append().seq == 5

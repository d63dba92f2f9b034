"""The audit finds what another program did to the database, and where."""

import gc
from pathlib import Path

import pytest

from ledger.store import Difference, Store, night_hash
from tests.store.making import MadeNight, audited, audited_night
from tests.store.systems import OtherProgram

TAMPERS = [
    # statement, seq of the finding, and its text
    ("UPDATE night SET body = replace(body, '+', ' ') || ' '", 0, "the night's hash is not that of its text"),
    ("UPDATE night SET hash = zeroblob(32)", 0, "the night's hash is not that of its text"),
    ("UPDATE night SET created_at = 'then'", 0, "created_at is not what the text says"),
    ("UPDATE night SET format = 2", 0, "format is not what the text says"),
    ("UPDATE event SET body = replace(body, 'keeper', 'host') WHERE seq = 3", 3, "the hash is not that of"),
    ("UPDATE event SET body = '[]' WHERE seq = 3", 3, "the text cannot be read"),
    ("UPDATE payment SET idx = 5 WHERE seq = 2 AND idx = 1", 2, "payment 2.1 is not what the text says"),
    ("UPDATE event SET hash = zeroblob(32) WHERE seq = 4", 4, "the hash is not that of the text"),
    ("UPDATE event SET prev = zeroblob(32) WHERE seq = 1", 1, "the hash before it is not"),
    ("UPDATE event SET kind = 'pass' WHERE seq = 1", 1, "kind is not what the text says"),
    ("UPDATE event SET id = 'x' WHERE seq = 1", 1, "id is not what the text says"),
    ("UPDATE event SET round = 9 WHERE seq = 1", 1, "round is not what the text says"),
    ("UPDATE event SET payment_count = 1 WHERE seq = 2", 2, "payment_count is not what the text says"),
    ("UPDATE event SET payment_total = 9 WHERE seq = 2", 2, "payment_total is not what the text says"),
    ("DELETE FROM event WHERE seq = 2", 3, "the entry after 1 is 3"),
    ("DELETE FROM event WHERE seq = 4", 4, "a payment without its event"),
    ("DELETE FROM event WHERE seq = 3", 4, "the entry after 2 is 4"),
    ("UPDATE event SET seq = 9 WHERE seq = 4", 9, "the entry after 3 is 9"),
    ("UPDATE payment SET points = 3 WHERE seq = 2 AND idx = 0", 2, "payment 2.0 is not what the text says"),
    ("UPDATE payment SET payer = 'p4' WHERE seq = 2 AND idx = 1", 2, "payment 2.1 is not what the text says"),
    ("UPDATE payment SET payee = 'p4' WHERE seq = 2 AND idx = 1", 2, "payment 2.1 is not what the text says"),
    ("UPDATE payment SET reason = 'bomb' WHERE seq = 2 AND idx = 1", 2, "payment 2.1 is not what the text says"),
    ("UPDATE payment SET clause = 'S-X' WHERE seq = 2 AND idx = 1", 2, "payment 2.1 is not what the text says"),
    ("UPDATE payment SET round = 7 WHERE seq = 2 AND idx = 1", 2, "payment 2.1 is not what the text says"),
    ("UPDATE payment SET cause = '1.1' WHERE seq = 2 AND idx = 0", 2, "payment 2.0 is not what the text says"),
    ("UPDATE payment SET cause = NULL WHERE seq = 2 AND idx = 0", 2, "payment 2.0 is not what the text says"),
    ("UPDATE payment SET reverses_idx = 1 WHERE seq = 4", 4, "payment 4.0 is not what the text says"),
    ("DELETE FROM payment WHERE seq = 2 AND idx = 1", 2, "it has 1 payments, the text 2"),
    ("DELETE FROM payment WHERE seq = 2", 2, "it has 0 payments, the text 2"),
    ("UPDATE payment SET seq = 7 WHERE seq = 4", 7, "a payment without its event"),
    ("UPDATE correction SET target_part = 4", 3, "its corrections are not those of the text"),
    ("DELETE FROM correction", 3, "its corrections are not those of the text"),
    ("UPDATE correction SET seq = 8", 8, "a correction without its event"),
    ("UPDATE person SET name = 'Ân' WHERE player = 'p1'", 0, "the name of p1 is not the one"),
    ("UPDATE person SET salt = zeroblob(16) WHERE player = 'p3'", 0, "the name of p3 is not the one"),
    ("DELETE FROM person WHERE player = 'p2'", 0, "there is no row for the name of p2"),
    ("UPDATE person SET player = 'p7' WHERE player = 'p2'", 0, "p7 is not a player of the night"),
    ("DELETE FROM night", 0, "there is a row of event, and no such night"),
]  # fmt: skip


NO_LONGER_TEXT = [
    ("UPDATE night SET id = cast(x'61ff' AS TEXT)", 0, "the night's id is no text any more"),
    ("UPDATE event SET body = cast(x'7bff7d' AS TEXT) WHERE seq = 3", 3, "the hash is not that of the text"),
    ("UPDATE payment SET reason = cast(x'ff' AS TEXT) WHERE seq = 2 AND idx = 1", 2, "payment 2.1 is not"),
    ("UPDATE person SET name = cast(x'ff' AS TEXT) WHERE player = 'p1'", 0, "the name of p1 is not the one"),
]
"""PostgreSQL refuses bytes that are not text."""


def found(store: Store, night: str | None = None) -> list[Difference]:
    return audited(store) if night is None else list(audited_night(store, night))


@pytest.mark.sqlite
def test_a_row_of_a_group_about_a_night_that_is_not_there_is_found(
    night: MadeNight, other: OtherProgram
) -> None:
    other.without_triggers().run("PRAGMA foreign_keys = OFF")
    other.run("INSERT INTO group_entry VALUES ('group', 1, 'add', '{}', 'nowhere', 'then')")
    assert ("nowhere", "there is a row of group_entry, and no such night") in [
        (each.night, each.what) for each in audited(night.store)
    ]


def test_an_untouched_night_passes(night: MadeNight) -> None:
    MadeNight(night.store)
    assert found(night.store) == []
    assert found(night.store, night.id) == []


@pytest.mark.sampled
@pytest.mark.parametrize(("tamper", "seq", "what"), TAMPERS, ids=[tamper for tamper, _, _ in TAMPERS])
def test_what_another_program_changes_is_found_at_its_place(
    night: MadeNight, other: OtherProgram, tamper: str, seq: int, what: str
) -> None:
    other.without_triggers()
    other.run(tamper)
    assert [each for each in found(night.store) if each.seq == seq and each.what.startswith(what)]


@pytest.mark.sqlite
@pytest.mark.parametrize(("tamper", "seq", "what"), NO_LONGER_TEXT)
def test_what_is_no_longer_text_is_found_at_its_place(
    night: MadeNight, other: OtherProgram, tamper: str, seq: int, what: str
) -> None:
    test_what_another_program_changes_is_found_at_its_place(night, other, tamper, seq, what)


def test_a_changed_byte_is_one_difference_and_the_rest_is_judged_as_it_lies(
    night: MadeNight, other: OtherProgram
) -> None:
    other.without_triggers().run("UPDATE event SET body = replace(body, 'vì', 'vi') WHERE seq = 2")
    assert found(night.store) == [Difference(night.id, 2, "the hash is not that of the text")]


def test_a_night_that_is_moved_is_found(night: MadeNight, other: OtherProgram) -> None:
    fresh = MadeNight(night.store)
    other.without_triggers()
    other.run("UPDATE event SET night = ?", fresh.id)
    assert "the hash before it" in str(found(night.store, fresh.id)[0].what)


@pytest.mark.sampled
@pytest.mark.parametrize(
    "body",
    [
        "",
        "1",
        "null",
        '"text"',
        "{",
        "[" * 100_000,
        '{"a":1,"a":2}',
        '{"seq":NaN}',
        '{"seq":' + "9" * 5000 + "}",
        "{}",
    ],
    ids=lambda body: body[:12],
)
def test_a_text_that_was_replaced_whole_is_a_difference_and_no_more(
    night: MadeNight, other: OtherProgram, body: str
) -> None:
    other.without_triggers()
    other.run("UPDATE event SET body = ? WHERE seq = 1", body)
    other.run("UPDATE night SET body = ?, hash = ?", body, night_hash(body))
    gc.collect()  # a finalizer that ran within the deepest text would fail
    assert {each.seq for each in found(night.store) if "cannot be read" in each.what} == {0, 1}


def test_a_file_that_is_torn_is_a_difference_and_no_more(
    night: MadeNight, other: OtherProgram, path: Path
) -> None:
    other.close()
    content = bytearray(path.read_bytes())
    for page in range(4096, len(content), 4096):
        content[page : page + 200] = b"\xff" * 200
    path.write_bytes(content)
    assert found(night.store)


@pytest.mark.sqlite
def test_an_index_that_lists_a_night_that_is_not_there_is_a_difference_and_no_more(
    night: MadeNight, other: OtherProgram
) -> None:
    other.run("PRAGMA writable_schema = 1")
    ((rounds,),) = other.run("SELECT rootpage FROM sqlite_schema WHERE name = 'event_by_round'")
    other.run("UPDATE sqlite_schema SET rootpage = ? WHERE name = 'night_by_age'", rounds)
    other.run("PRAGMA writable_schema = RESET")
    assert "the night is listed, and is not there" in {difference.what for difference in found(night.store)}


@pytest.mark.sqlite
def test_rows_that_are_torn_are_a_difference_and_no_more(night: MadeNight, other: OtherProgram) -> None:
    other.without_triggers().run("PRAGMA writable_schema = 1")
    other.run("UPDATE sqlite_schema SET sql = replace(sql, 'points INTEGER NOT NULL', 'points INTEGER')")
    other.run("PRAGMA writable_schema = RESET")
    other.run("UPDATE payment SET points = NULL WHERE seq = 2")
    other.run("UPDATE event SET kind = 'pass' WHERE seq = 4")
    differences = [(each.seq, each.what) for each in found(night.store)]
    assert any(seq == 2 and what.startswith("its rows cannot be read") for seq, what in differences)
    assert (4, "kind is not what the text says") in differences


def test_an_erased_name_passes(night: MadeNight, other: OtherProgram) -> None:
    other.run("UPDATE person SET name = NULL, salt = NULL WHERE player = 'p1'")
    assert found(night.store) == []


def test_a_night_that_is_not_there_cannot_be_audited(store: Store) -> None:
    with pytest.raises(LookupError):
        found(store, "nowhere")


def test_a_long_night_is_read_in_pages_and_writers_do_not_wait(
    night: MadeNight, other: OtherProgram, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ledger.store.verify._PAGE", 2)
    other.without_triggers().run("UPDATE event SET kind = 'pass'")
    audit = audited_night(night.store, night.id)
    seqs = [next(audit).seq]
    night.append(round=3)
    seqs += [each.seq for each in audit]
    assert seqs == [1, 2, 3, 4]

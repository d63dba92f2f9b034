"""The audit finds what another program did to the database, and where."""

import gc
from contextlib import closing
from pathlib import Path

import pytest

from ledger.store import LogDifference, Store, night_hash
from tests.case_files import columns
from tests.store.making import MadeNight, audited, audited_night
from tests.store.systems import OtherProgram, edit_catalog

TAMPERS = columns("store/tampers.txt", "on both systems")
NO_LONGER_TEXT = columns("store/tampers.txt", "on SQLite")


def found(store: Store, night: str | None = None) -> list[LogDifference]:
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


@pytest.mark.sqlite
def test_rows_of_all_nights_that_are_not_there_are_found(night: MadeNight, other: OtherProgram) -> None:
    other.run("PRAGMA foreign_keys = OFF")
    nights = ["", "nowhere", "zzz"]
    for nowhere in nights:
        other.run("INSERT INTO person VALUES (?, 'p1', NULL, NULL)", nowhere)
    assert [each.night for each in night.store.strays()] == nights


def test_a_file_that_is_no_database_any_more_is_a_difference_of_the_whole(
    night: MadeNight, path: Path
) -> None:
    night.store.close()
    with closing(Store.open(f"sqlite:///{path}", web=False)) as store:
        path.write_bytes(b"no database " * 1000)
        for found in (store.damages(), store.strays()):
            assert [(each.night, each.seq) for each in found] == [(None, 0)]


def test_an_untouched_night_passes(night: MadeNight) -> None:
    MadeNight(night.store)
    assert found(night.store) == []
    assert found(night.store, night.id) == []


@pytest.mark.sampled
@pytest.mark.parametrize(("tamper", "finding"), TAMPERS)
def test_what_another_program_changes_is_found_at_its_place(
    night: MadeNight, other: OtherProgram, tamper: str, finding: str
) -> None:
    other.without_triggers().run(tamper)
    assert [each for each in found(night.store) if f"{each.seq} {each.what}".startswith(finding)]


@pytest.mark.sqlite
@pytest.mark.parametrize(("tamper", "finding"), NO_LONGER_TEXT)
def test_what_is_no_longer_text_is_found_at_its_place(
    night: MadeNight, other: OtherProgram, tamper: str, finding: str
) -> None:
    test_what_another_program_changes_is_found_at_its_place(night, other, tamper, finding)


def test_a_changed_byte_is_one_difference_and_the_rest_is_judged_as_it_lies(
    night: MadeNight, other: OtherProgram
) -> None:
    other.without_triggers().run("UPDATE event SET body = replace(body, 'vì', 'vi') WHERE seq = 2")
    assert found(night.store) == [LogDifference(night.id, 2, "the hash is not that of the text")]


def test_a_night_that_is_moved_is_found(night: MadeNight, other: OtherProgram) -> None:
    fresh = MadeNight(night.store)
    other.without_triggers().run("UPDATE event SET night = ?", fresh.id)
    assert "the hash before it" in str(found(night.store, fresh.id)[0].what)


@pytest.mark.sampled
@pytest.mark.parametrize(
    "body",
    [
        *("", "1", "null", '"text"', "{", "[" * 100_000, "{}"),
        *('{"a":1,"a":2}', '{"seq":NaN}', f'{{"seq":{"9" * 5000}}}'),
    ],
    ids=lambda body: body[:12],
)
def test_a_text_that_was_replaced_whole_is_a_difference_and_no_more(
    night: MadeNight, other: OtherProgram, body: str
) -> None:
    other.without_triggers().run("UPDATE event SET body = ? WHERE seq = 1", body)
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
    assert {(damage.night, damage.seq) for damage in night.store.damages()} == {(None, 0)}


@pytest.mark.sqlite
def test_an_index_that_lists_a_night_that_is_not_there_is_a_difference_and_no_more(
    night: MadeNight, other: OtherProgram
) -> None:
    rounds = "(SELECT rootpage FROM sqlite_schema WHERE name = 'event_by_round')"
    edit_catalog(other, f"rootpage = {rounds} WHERE name = 'night_by_age'")
    assert (0, "the night is listed, and is not there") in {
        (difference.seq, difference.what) for difference in found(night.store)
    }
    damages = night.store.damages()
    assert damages
    assert {(damage.night, damage.seq) for damage in damages} == {(None, 0)}


@pytest.mark.sqlite
def test_rows_that_are_torn_are_a_difference_and_no_more(night: MadeNight, other: OtherProgram) -> None:
    edit_catalog(other.without_triggers(), "sql = replace(sql, 'points INTEGER NOT NULL', 'points INTEGER')")
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

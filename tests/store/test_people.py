"""The people of a night and their links after its opening: the log holds commitments, the rows the names."""

from pathlib import Path

import pytest

from ledger.store import Link, LogDifference, LogUnreadable, Person, Role, Store, errors
from tests.store.making import MadeNight, audited
from tests.store.systems import OtherProgram


def _files(database: Path) -> bytes:
    """The contents of the database and of all files whose names begin like its own."""
    return b"".join(file.read_bytes() for file in database.parent.glob(f"{database.name}*"))


def names(store: Store, night: str) -> dict[str, str]:
    with store.reading() as reader:
        return reader.names(night)


def test_a_name_is_compared_with_its_last_commitment(night: MadeNight) -> None:
    for player, name in (("p2", "Bính"), ("p5", "Em Thảo"), ("p5", "Em Thơ")):
        night.name(player, name)
    found = ["An", "Bính", "Chi", "Dũng", "Em Thơ"]
    assert names(night.store, night.id) == dict(zip(("p1", "p2", "p3", "p4", "p5"), found, strict=True))
    assert audited(night.store) == []


@pytest.mark.parametrize(
    ("player", "tamper", "finding"),
    [
        (
            "p2",
            "UPDATE person SET name = 'Bình'",
            "the name of p2 is not the one that the night is committed to",
        ),
        ("p5", "DELETE FROM person", "there is no row for the name of p5"),
    ],
)
def test_a_row_that_is_not_what_was_committed_to_last_is_found_at_the_event_that_did(
    night: MadeNight, other: OtherProgram, player: str, tamper: str, finding: str
) -> None:
    seq = night.name(player, "Bính").seq
    other.run(f"{tamper} WHERE player = ?", player)
    assert audited(night.store) == [LogDifference(night.id, seq, finding)]


def test_somebody_who_joined_by_no_event_is_found(night: MadeNight) -> None:
    with night.store.writing(night.id) as writer:
        writer.add_person(Person(night=night.id, player="p5", name="Em Thảo", salt=bytes(16)))
    assert audited(night.store) == [LogDifference(night.id, 0, "p5 is not a player of the night")]


def test_erased_names_leave_the_log_as_it_is_and_nothing_in_the_file(
    night: MadeNight, other: OtherProgram, path: Path
) -> None:
    night.name("p2", "Nguyễn Thị Sai")
    night.name("p2", "Nguyễn Thị Đúng")
    night.name("p5", "Trần Văn Thêm")
    before = other.contents()
    assert "Nguyễn Thị Sai".encode() not in _files(path)
    assert "Nguyễn Thị Đúng".encode() in _files(path)
    with night.store.writing(night.id, forgets=True) as writer:
        writer.erase_names(night.id)
    after = other.contents()
    assert [row[2:] for row in after.pop("person")] == [(None, None)] * 5
    del before["person"]
    assert after == before
    assert names(night.store, night.id) == {player: player for player in ("p1", "p2", "p3", "p4", "p5")}
    assert audited(night.store) == []
    for name in ("Nguyễn Thị Đúng", "Trần Văn Thêm"):
        assert name.encode() not in _files(path)


def test_an_exact_log_carries_who_joined_and_was_renamed(night: MadeNight, elsewhere: Store) -> None:
    night.name("p5", "Em Thảo")
    night.name("p1", "Ân")
    lines = list(night.store.export_log(night.id))
    elsewhere.import_log(lines)
    assert names(elsewhere, night.id) == names(night.store, night.id)
    assert audited(elsewhere) == []
    assert list(elsewhere.export_log(night.id)) == lines


@pytest.mark.parametrize(("old", "new"), [('"Em Thảo"', '"Em Thơ"'), ('"player":"p5"', '"player":"p6"')])
def test_an_exact_log_with_another_newcomer_is_refused_at_the_line_of_the_people(
    night: MadeNight, elsewhere: Store, old: str, new: str
) -> None:
    night.name("p5", "Em Thảo")
    first, people, *events = night.store.export_log(night.id)
    with pytest.raises(LogUnreadable) as refused:
        elsewhere.import_log([first, people.replace(old, new), *events])
    assert refused.value.line == 2


@pytest.mark.parametrize(
    "part",
    [
        {"kind": "join", "player": "p5"},
        {"kind": "rename", "player": 5, "name": "00"},
        {"kind": "revoke"},
        {"kind": "revoke", "role": "seat", "player": 5},
    ],
)
def test_a_part_about_people_that_is_none_is_a_difference_and_never_carried(
    night: MadeNight, elsewhere: Store, part: dict[str, object]
) -> None:
    seq = night.append(kind=str(part["kind"]), round=0, parts=[part]).seq
    (found,) = audited(night.store)
    assert (found.seq, "cannot be read" in found.what) == (seq, True)
    with pytest.raises(LogUnreadable):
        elsewhere.import_log(night.store.export_log(night.id))


def test_a_revoked_link_is_held_by_nobody_and_the_next_one_is(night: MadeNight) -> None:
    old = Link(night.id, Role.SEAT, "p2")
    new = Link(night.id, Role.SEAT, "p2", 1)
    others = [Link(night.id, Role.SEAT, "p3"), Link(night.id, Role.KEEPER), Link(night.id, Role.WATCH)]
    night.revoke("seat", "p2")
    assert held(night, old, new, *others) == [False, True, True, True, True]
    night.revoke("seat", "p2")
    night.revoke("keeper")
    assert held(night, old, new, *others) == [False, False, True, False, True]


def held(night: MadeNight, *links: Link) -> list[bool]:
    """Which links are not revoked, according to a reader and to a writer alike."""
    found = night.night_head()
    assert found is not None
    with night.store.writing(night.id) as writer:
        assert writer.night_head(night.id) == found
    return [found.holds(link) for link in links]


def test_a_revocation_that_cannot_be_read_opens_nothing(night: MadeNight, other: OtherProgram) -> None:
    night.revoke("watch")
    other.without_triggers().run("UPDATE event SET body = '{}' WHERE kind = 'revoke'")
    with pytest.raises(errors.StoreDamaged):
        night.night_head()


@pytest.mark.sqlite
@pytest.mark.parametrize("players", ["'p1'", "'p4'", "'p1', 'p2', 'p3', 'p4'"])
def test_names_that_come_back_as_they_are_erased_are_not_said_to_be_gone(
    night: MadeNight, other: OtherProgram, players: str
) -> None:
    """The trigger was added after the store was opened."""
    other.run(
        f"CREATE TRIGGER spy AFTER UPDATE ON person WHEN NEW.name IS NULL AND NEW.player IN ({players}) BEGIN"
        " UPDATE person SET name = OLD.name, salt = OLD.salt WHERE night = OLD.night AND player = OLD.player; END"
    )
    before, store = other.contents(), night.store
    with pytest.raises(errors.StoreNotConforming), store.writing(night.id, forgets=True) as writer:
        writer.erase_names(night.id)
    assert other.contents() == before

"""Reading a night's log."""

from collections import Counter
from collections.abc import Iterator
from contextlib import closing

import pytest
from sqlmodel import col, select

from ledger.game.notation import tag
from ledger.store import GroupEntry, Head, NewCorrection, NightHead, NightMark, Payment, Store, StoreRefused
from ledger.store.schema import revisions
from tests.store.making import NAMES, NOW, PLAYERS, MadeNight, paid
from tests.store.systems import OtherProgram, System


@pytest.fixture
def other_program(system: System) -> Iterator[OtherProgram]:
    """Another program with access to the database."""
    with closing(system.other()) as program:
        yield program


def test_the_head_of_a_night_without_events_is_the_night_itself(store: Store) -> None:
    night = MadeNight(store)
    with store.reading() as reader:
        assert reader.head(night.id) == Head(0, night.row.hash)
        assert reader.last(night.id) is None
        assert reader.last_round(night.id) == 0
        assert reader.events(night.id) == []


def test_a_night_that_is_not_there_is_none_and_has_no_head(store: Store) -> None:
    with store.reading() as reader:
        assert reader.night("nowhere") is None
        assert reader.night_head("nowhere") is None
        with pytest.raises(LookupError):
            reader.head("nowhere")


def test_the_head_of_a_night_has_the_names_and_who_was_revoked_as_readers_do(night: MadeNight) -> None:
    with night.store.writing(night.id, forgets=True) as writer:
        writer.erase_names(night.id)
    night.name("p2", "Bính")
    for number in range(5, 13):
        night.name(f"p{number}", f"An {number}")
    generations = Counter[tuple[str, str | None]]()
    for role, player in (("", ""), ("seat", "p3"), ("watch", "")):
        if role:
            night.revoke(*filter(None, (role, player)))
            generations[role, player or None] += 1
        found = night.night_head()
        with night.store.reading() as reader:
            assert found == NightHead(reader.head(night.id), reader.names(night.id), generations, 9)
            assert list(found.names) == list(map(tag, range(12)))
        with night.store.writing(night.id) as writer:
            assert writer.night_head(night.id) == found


def test_an_event_is_read_as_it_was_appended(store: Store) -> None:
    night = MadeNight(store)
    rows = [night.append(), night.append(kind="settle", round=3, payments=[paid("p1", "p2", 5)])]
    with store.reading() as reader:
        assert reader.events(night.id) == rows
        assert reader.last(night.id) == rows[1]
        assert reader.head(night.id) == Head(2, rows[1].hash)
        assert reader.event_by_id(night.id, rows[0].id) == rows[0]
        assert reader.event_by_id(night.id, "another") is None
        assert reader.last_round(night.id) == 3
        assert reader.events_of_rounds(night.id, [3]) == [rows[1]]
        assert reader.events(night.id, after=1) == [rows[1]]
        assert reader.events(night.id, limit=1) == [rows[0]]


def test_ids_and_seqs_are_a_night_s_own(store: Store) -> None:
    first, second = MadeNight(store), MadeNight(store)
    rows = [first.append(id="the same"), second.append(id="the same")]
    with store.reading() as reader:
        assert [reader.event_by_id(night.id, "the same") for night in (first, second)] == rows


def test_nights_of_the_same_age_come_in_the_order_of_their_ids(store: Store) -> None:
    nights = {MadeNight(store).id for _ in range(3)}
    with store.reading() as reader:
        assert [row.id for row in reader.nights()] == sorted(nights)


def test_names_come_in_the_players_order(night: MadeNight) -> None:
    with night.store.reading() as reader:
        assert list(reader.names(night.id).items()) == list(zip(PLAYERS, NAMES, strict=True))


def test_payments_are_rows_in_the_order_of_their_events(store: Store) -> None:
    night = MadeNight(store)
    for round in (1, 2, 4, 0):
        night.append(round=round, payments=[paid("p1", "p2", round + 1, round=round)] * 2)
    night.append(payments=[paid("p2", "p3", 9, round=2, reverses=(2, 1), cause="1.0")])

    with store.reading() as reader:
        *_, last = payments = reader.all(select(Payment).order_by(col(Payment.seq), col(Payment.idx)))
    assert [payment.round for payment in payments] == [1, 1, 2, 2, 4, 4, 0, 0, 2]
    assert (last.seq, last.idx, last.reverses_seq, last.reverses_idx, last.cause) == (5, 0, 2, 1, "1.0")


def test_what_was_touched_since_a_head_are_the_rounds_of_entries_and_of_payments(store: Store) -> None:
    night = MadeNight(store)
    rows = [night.append(round=1), night.append(round=2, kind="dispute")]
    rows.append(night.append(round=1, kind="decide", payments=[paid("p1", "p2", 1, round=0)]))
    heads = [Head(row.seq, row.hash) for row in rows]
    with store.reading() as reader:
        touched = [reader.touched_since(night.id, head) for head in heads]
        assert touched == [{0, 1, 2}, {0, 1}, set()]
        assert reader.touched_since(night.id, Head(2, heads[0].hash)) is None
        assert reader.touched_since(night.id, Head(4, heads[0].hash)) is None


def test_balances_are_the_sums_of_the_payments(night: MadeNight) -> None:
    night.append(corrections=[NewCorrection(0, 3, 0)], payments=[paid("p4", "p1", 7)])
    with night.store.reading() as reader:
        assert reader.balances(night.id) == night.net
    assert sum(night.net.values()) == 0


def test_many_nights_are_read_together_as_each_by_itself(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    nights = [MadeNight(store) for _ in range(5)]
    for number, night in enumerate(nights[1:], start=1):
        for round in range(number):
            night.append(round=round, kind="settle", payments=[paid("p1", "p2", number, round=round)])
        night.name("p2", f"Bình {number}")
        night.revoke("watch")
    with store.writing(nights[3].id, forgets=True) as writer:
        writer.erase_names(nights[3].id, ["p1"])
    ids = [night.id for night in nights]
    asked = [*ids, "nowhere", ids[0]]
    with store.reading() as reader, store.reading() as alone:
        assert reader.nights_of(asked) == {id: alone.night(id) for id in ids}
        marks = reader.marks(asked)
        assert marks == {
            id: NightMark(alone.head(id), alone.last_round(id), found.named)
            for id in ids
            if (found := alone.night_head(id))
        }
        assert [mark.named for mark in marks.values()].count(3) == 1
        reader.look_up(asked)
        monkeypatch.setattr(reader, "rows", None)  # nothing is asked from here on
        assert [reader.night_head(id) for id in asked] == [alone.night_head(id) for id in asked]
        assert [reader.people(id) for id in ids] == [alone.people(id) for id in ids]
        monkeypatch.undo()
        assert reader.events_of_nights(ids) == {id: alone.events(id) for id in ids}
        kinds = ("rename", "revoke")
        assert reader.events_of_kinds_of_nights(ids, kinds) == {
            id: alone.events_of_kinds(id, kinds) for id in ids
        }
        assert reader.balances_of_nights(ids) == {id: alone.balances(id) for id in ids}


def test_more_nights_are_read_than_one_statement_names(store: Store) -> None:
    night = MadeNight(store)
    ids = [night.id, *map(str, range(2_000))]
    with store.reading() as reader:
        assert list(reader.nights_of(ids)) == list(reader.marks(ids)) == [night.id]
        reader.look_up(ids)
        assert reader.names(night.id) == dict(zip(PLAYERS, NAMES, strict=True))


def test_a_database_is_described_by_its_nights_their_entries_and_the_newest(
    store: Store, other_program: OtherProgram, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ledger.store.store._MANY", 2)
    assert (store.describe().nights, store.describe().entries, store.describe().newest) == (0, 0, None)
    nights = [MadeNight(store) for _ in range(5)]
    assert store.describe().newest == NOW
    times = [f"2026-11-21T0{hour}:00:00.000Z" for hour in range(5)]
    for night, time in zip(sorted(nights, key=lambda night: night.id), times, strict=True):
        night.append(at=time)
        assert store.describe().newest == time
    found = store.describe()
    assert (found.nights, found.entries, found.schema) == (5, 5, revisions()[-1])
    assert found.size > 0
    other_program.without_triggers().run("UPDATE event SET body = '{}' WHERE night = ?", night.id)
    assert store.describe().newest == times[-2]


def test_nights_are_found_by_how_their_ids_begin(store: Store) -> None:
    ids = sorted(MadeNight(store).id for _ in range(20))
    with store.reading() as reader:
        for beginning in ("", ids[0], ids[0][:1], ids[0][:4], "%", "_", "x"):
            begin = [id for id in ids if id.startswith(beginning)]
            assert reader.nights_from(beginning, 20) == begin
            assert reader.nights_from(beginning, 1) == begin[:1]


def test_the_entries_of_a_group_are_its_own_in_their_order(store: Store) -> None:
    nights, entries = [MadeNight(store) for _ in range(2)], list[GroupEntry]()
    for group, seq, kind, about in (
        ("b", 1, "open", nights[0]),
        ("a", 1, "open", nights[0]),
        ("a", 2, "name", None),
        ("a", 3, "add", nights[1]),
        ("a", 4, "add", nights[1]),
    ):
        night = about.id if about else None
        entry = GroupEntry(group_id=group, seq=seq, kind=kind, body="{}", night=night, at="then")
        entries.append(entry.model_copy())
        with store.writing(group) as writer:
            writer.add_to_group(entry)
            assert writer.group(group)[-1] == entries[-1]
    with store.reading() as reader:
        assert reader.groups() == ["a", "b"]
        assert reader.group("a") == entries[1:]
        assert reader.group("c") == []
        assert reader.entries_of_groups("abc") == {"a": entries[1:], "b": entries[:1]}
        assert reader.last_entries("abc") == {"a": entries[-1], "b": entries[0]}
        assert [sorted(reader.groups_of(night.id)) for night in nights] == [["a", "b"], ["a"]]
    with pytest.raises(StoreRefused, match="not the next"), store.writing("a") as writer:
        writer.add_to_group(GroupEntry(group_id="a", seq=4, kind="add", body="{}", night=None, at="then"))

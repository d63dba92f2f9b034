"""The exact log: exported from one database and imported into another with equal heads; other logs are refused."""

import gc
import json
from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest

from ledger.store import (
    LogAltered,
    LogUnlinked,
    LogUnreadable,
    NightExists,
    Store,
    event_hash,
    missing_tail,
    night_hash,
    read_log,
)
from tests.store.making import MadeNight, audited, compact
from tests.store.systems import OtherProgram, System

Lines = list[dict[str, Any]]


def exported(night: MadeNight) -> Lines:
    return [json.loads(line) for line in night.store.export_log(night.id)]


def test_a_night_that_was_carried_elsewhere_has_the_same_head_and_the_same_rows(
    night: MadeNight, elsewhere: Store, another_system: System, other: OtherProgram
) -> None:
    imported, head = elsewhere.import_log(night.store.export_log(night.id))
    with night.store.reading() as reader:
        assert (imported, head) == (night.id, reader.head(night.id))
    there = another_system.other()
    assert there.contents() == other.contents()
    there.close()
    assert audited(elsewhere) == []
    assert list(elsewhere.export_log(night.id)) == list(night.store.export_log(night.id))
    night.store = elsewhere  # it goes on there
    assert night.append().seq == 5
    assert audited(elsewhere) == []


def test_the_texts_are_carried_byte_for_byte(night: MadeNight) -> None:
    lines = exported(night)
    with night.store.reading() as reader:
        assert [line["body"] for line in lines[2:]] == [event.body for event in reader.events(night.id)]
        assert lines[0]["body"] == night.row.body
    assert [line["line"] for line in lines] == ["night", "people", *["event"] * 4]
    assert "vì sao" in next(line for line in night.store.export_log(night.id) if "vì" in line)


@pytest.mark.parametrize("page", [3, 1000])
def test_a_night_is_carried_in_pages_up_to_the_head_it_began_with(
    night: MadeNight, page: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ledger.store.exchange._PAGE", page)
    lines = night.store.export_log(night.id)
    next(lines)
    night.append()
    assert len(list(lines)) == 1 + 4


def test_a_night_without_events_is_carried(store: Store, elsewhere: Store) -> None:
    night = MadeNight(store)
    assert elsewhere.import_log(store.export_log(night.id))[1].seq == 0


def test_an_erased_name_stays_erased(night: MadeNight, elsewhere: Store, other: OtherProgram) -> None:
    other.run("UPDATE person SET name = NULL, salt = NULL WHERE player = 'p2'")
    elsewhere.import_log(night.store.export_log(night.id))
    with elsewhere.reading() as reader:
        assert reader.names(night.id) == {"p1": "An", "p2": "p2", "p3": "Chi", "p4": "Dũng"}


def test_a_night_that_is_there_already_is_refused(night: MadeNight, other: OtherProgram) -> None:
    before = other.contents()
    with pytest.raises(NightExists, match=night.id):
        night.store.import_log(night.store.export_log(night.id))
    assert other.contents() == before


def test_a_night_that_is_not_there_cannot_be_exported(store: Store) -> None:
    with pytest.raises(LookupError):
        list(store.export_log("nowhere"))


def edit_body(line: int, **fields: Any) -> Callable[[Lines], object]:
    """A change of one text, with all later hashes computed again as a forger would."""

    def change(lines: Lines) -> None:
        lines[line]["body"] = compact(json.loads(lines[line]["body"]) | fields)
        head = night_hash(lines[0]["body"])
        lines[0]["hash"] = head.hex()
        for each in lines[2:]:
            head = event_hash(head, each["body"])
            each["hash"] = head.hex()

    return change


def payment(**fields: Any) -> dict[str, Any]:
    return {"payer": "p1", "payee": "p2", "points": 1, "reason": "r", "clause": "c", "round": 1} | fields


def swap_lines(lines: Lines) -> None:
    lines[3], lines[4] = lines[4], lines[3]


def rename(lines: Lines) -> None:
    lines[1]["people"][0]["name"] = "Ân"


CHANGES: dict[str, tuple[int, Callable[[Lines], object]]] = {
    "nothing": (0, lambda lines: lines.clear()),
    "no people": (1, lambda lines: lines.__delitem__(slice(1, None))),
    "people left out": (2, lambda lines: lines.pop(1)),
    "night left out": (1, lambda lines: lines.pop(0)),
    "night twice": (2, lambda lines: lines.insert(1, lines[0])),
    "an event left out": (4, lambda lines: lines.pop(3)),
    "an event twice": (5, lambda lines: lines.insert(4, lines[3])),
    "two events swapped": (4, swap_lines),
    "a first line of another kind": (1, lambda lines: lines[0].update(line="event")),
    "a second line of another kind": (2, lambda lines: lines[1].update(line="event")),
    "a line of another kind": (3, lambda lines: lines[2].update(line="secret")),
    "no kind": (1, lambda lines: lines[0].pop("line")),
    "a text altered": (4, lambda lines: lines[3].update(body=lines[3]["body"] + " ")),
    "a hash altered": (4, lambda lines: lines[3].update(hash="00" * 32)),
    "a hash that is none": (4, lambda lines: lines[3].update(hash="zz")),
    "a night's text altered": (1, lambda lines: lines[0].update(body=lines[0]["body"] + " ")),
    "half a character": (4, lambda lines: lines[3].update(body="\ud800")),
    "a name altered": (2, rename),
    "a player left out": (2, lambda lines: lines[1]["people"].pop()),
    "a player too many": (2, lambda lines: lines[1]["people"].append({"player": "p9"})),
    "a person that is none": (2, lambda lines: lines[1]["people"].append(4)),
    "a salt that is none": (2, lambda lines: lines[1]["people"][0].update(salt="x")),
    "a name without its salt": (2, lambda lines: lines[1]["people"][0].update(salt=None)),
    "no list of people": (2, lambda lines: lines[1].update(people="An")),
    "a seq that is not the next": (3, edit_body(2, seq=2)),
    "a seq that is no number": (3, edit_body(2, seq="1")),
    "a seq that is true": (3, edit_body(2, seq=True)),
    "a round that is too great": (3, edit_body(2, round=2**63)),
    "another night's event": (3, edit_body(2, night="another")),
    "an id that comes twice": (4, edit_body(3, id="play-1")),
    "points that are none": (3, edit_body(2, payments=[payment(points=0)])),
    "points that are half": (3, edit_body(2, payments=[payment(points=1.5)])),
    "points that are less than none": (3, edit_body(2, payments=[payment(points=-1)])),
    "a payment to oneself": (3, edit_body(2, payments=[payment(payee="p1")])),
    "a payment that is none": (3, edit_body(2, payments=[1])),
    "a payment that reverses nothing": (3, edit_body(2, payments=[payment(reverses="7.0")])),
    "a reversal that is no address": (3, edit_body(2, payments=[payment(reverses="7")])),
    "a correction of nothing": (3, edit_body(2, parts=[{"corrects": "4.0"}])),
    "a correction that is no address": (3, edit_body(2, parts=[{"corrects": "1.٣"}])),
    "a net that is none": (3, edit_body(2, net={"p1": "2"})),
    "a net out of range": (3, edit_body(2, net={"p1": 2**60})),
    "a format that is none": (1, edit_body(0, format=-1)),
    "a player without a name": (1, edit_body(0, players={"p1": 1})),
    "players that are none": (1, edit_body(0, players=["p1"])),
}


@pytest.mark.sampled
@pytest.mark.parametrize("change", CHANGES)
def test_a_log_that_does_not_hold_is_refused_with_its_line_and_nothing_is_kept(
    night: MadeNight, elsewhere: Store, change: str
) -> None:
    lines = exported(night)
    line, apply = CHANGES[change]
    apply(lines)
    text = [json.dumps(each) for each in lines]
    with pytest.raises(LogUnreadable, match=rf"^line {line}: [^\n]+$") as refused:
        elsewhere.import_log(text)
    assert refused.value.line == line
    if isinstance(refused.value, LogAltered):
        assert refused.value.entry == max(line - 2, 0)  # the night and its people are before the first entry
    with elsewhere.reading() as reader:
        assert reader.nights() == []


def test_what_is_missing_of_a_log_is_what_comes_after_the_head_here(
    night: MadeNight, elsewhere: Store
) -> None:
    lines = list(night.store.export_log(night.id))
    whole = read_log(lines)
    for known in range(len(whole.events)):
        with elsewhere.writing(night.id) as writer:
            if not known:
                with pytest.raises(LogUnlinked, match="not in this database"):
                    missing_tail(writer, whole)
                writer.create_night(whole.night, whole.people)
            else:
                writer.append(whole.events[known - 1])
            assert missing_tail(writer, whole) == whole.events[known:]
    with night.store.reading() as reader:
        for known in range(len(whole.events) + 1):
            with pytest.raises(LogUnlinked, match="nothing is missing"):
                missing_tail(reader, read_log(lines[: 2 + known]))


@pytest.mark.parametrize(
    ("line", "why"), [(0, "opened otherwise"), (2, "from entry 1 on"), (5, "from entry 4 on")]
)
def test_a_log_that_differs_is_the_tail_of_nothing(night: MadeNight, line: int, why: str) -> None:
    lines = exported(night)
    edit_body(line, engine="another")(lines)
    with night.store.reading() as reader, pytest.raises(LogUnlinked, match=why):
        missing_tail(reader, read_log(map(json.dumps, lines)))


@pytest.mark.sqlite
@pytest.mark.parametrize(("table", "line"), [("night", 1), ("event", 3)])
def test_a_line_that_the_database_does_not_take_is_named(
    night: MadeNight, elsewhere: Store, another_system: System, table: str, line: int
) -> None:
    """The trigger was added after the store was opened."""
    with closing(another_system.other()) as there:
        there.run(f"CREATE TRIGGER full BEFORE INSERT ON {table} BEGIN SELECT RAISE(ABORT, 'no more'); END")
    with pytest.raises(LogAltered, match=r"the database refuses it: .*no more") as refused:
        elsewhere.import_log(night.store.export_log(night.id))
    assert refused.value.line == line


@pytest.mark.sampled
@pytest.mark.parametrize(
    "line",
    [
        *("", "\n", "x", "[]", "null", "[" * 100_000, "\0"),
        *('{"line":"night","line":"night"}', '{"a":' + "9" * 5000 + "}"),
    ],
    ids=lambda line: repr(line[:8]),
)
def test_a_line_that_is_no_entry_is_refused(elsewhere: Store, line: str) -> None:
    gc.collect()  # a finalizer that ran within the deepest line would fail
    with pytest.raises(LogUnreadable, match="line 1"):
        elsewhere.import_log([line])

"""Customs outside the play: recorded as notes, derived by the rules, never enforced."""

import pytest

from ledger.game.customs import (
    Clearing,
    Clears,
    Deals,
    Gives,
    Kneels,
    Note,
    Owes,
    Sits,
    Swaps,
    Until,
)
from ledger.game.notation import read, replay, write
from ledger.game.rulesets.model import OwedCard
from tests.game.stories import WHOLE_ROUND
from tests.game.table import cards, replay_story

LINES: list[tuple[str, Note]] = [
    ("note deals p3", Deals(2)),
    ("note kneels p2 until-first", Kneels(1)),
    ("note kneels p2 until-round-over", Kneels(1, Until.ROUND_OVER)),
    ("note sits p2", Sits(1)),
    ("note owes p1 p3 2 highest-two", Owes(0, 2, 2, OwedCard.HIGHEST_TWO)),
    ("note gives p1 p3 2d 2h", Gives(0, 2, cards("2d 2h"))),
    ("note gives p3 p1", Gives(2, 0, 0)),
    ("note swaps p4 p5", Swaps(3, 4)),
    ("note clears p1 each-pile", Clears(0, Clearing.EACH_PILE)),
]


@pytest.mark.parametrize(("line", "note"), LINES)
def test_a_note_is_read_and_written_as_its_line(line: str, note: Note) -> None:
    night = replay_story(f"round 1 opening p1 p2 p3 p4\n{line}", players=5)
    assert night.notes == [note]
    assert line in write(night).splitlines()
    assert write(replay(read(write(night)))) == write(night)


def test_every_kind_of_note_has_a_line() -> None:
    assert {type(note) for _, note in LINES} == set(Note.__args__)


def test_notes_stand_where_they_were_written_and_move_no_points() -> None:
    lines = [line for line, _ in LINES]
    story = "\n".join(["round 1 opening p1 p2 p3 p4", WHOLE_ROUND[4], *lines, "round 2", "p1 4s", lines[0]])
    text = write(replay_story(story, players=5))
    assert [line for line in text.splitlines() if line.startswith("note")] == [*lines, lines[0]]
    assert text.splitlines()[-2:] == ["p1 4s", lines[0]]
    assert write(replay(read(text))) == text
    first = write(replay_story("pay p1 p2 1 late\nnote deals p3\nround 1 opening\np1 3s"))
    assert first.splitlines()[6:] == ["", "pay p1 p2 1 late", "note deals p3", "", "round 1 opening", "p1 3s"]

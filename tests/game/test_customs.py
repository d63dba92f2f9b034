"""Customs outside the play: recorded as notes, derived by the rules, never enforced."""

import re

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
    dealer,
    kneeling,
    knelt,
    last,
    losers,
    third,
)
from ledger.game.notation import read, replay, write
from ledger.game.round import Round
from ledger.game.rulesets.model import OwedCard
from tests.game.stories import FIRST_OUT, WHOLE_ROUND
from tests.game.table import CLASSIC, WINNER_TAKES_ALL, after, cards, replay_story, run

THREES = "7s 7c 8s 8c 9s 9c"
ONE_TWO = f"p1 3s\np2 2s\np3 {THREES}\np3 4s"
"""A pile in which a bomb beat a 2, closed by the next lead."""

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


# Dealing


def ended(rule: str = "", *, players: int = 4, ruleset: str = CLASSIC) -> Round:
    return after(WHOLE_ROUND[players], players=players, ruleset=ruleset, rules=[rule] if rule else [])


def test_nobody_is_due_to_deal_where_the_rules_do_not_say_or_nothing_was_played() -> None:
    round = ended()
    assert dealer(round.ruleset, round.header.seats, round) is None
    last_deals = ended("deal.dealer=last")
    assert dealer(last_deals.ruleset, (0, 1), None) is None


@pytest.mark.parametrize(
    ("rule", "players", "seats", "due"),
    [
        ("deal.dealer=last", 4, (0, 1, 2, 3), 3),
        ("deal.dealer=last", 2, (0, 1), 1),
        ("deal.dealer=third", 4, (0, 1, 2, 3), 2),
        ("deal.dealer=third", 3, (0, 1, 2), 2),
        ("deal.dealer=third", 2, (0, 1), None),
        ("deal.dealer=newcomer-else-last", 4, (0, 1, 2, 3), 3),
        ("deal.dealer=newcomer-else-last", 4, (0, 1, 2, 4), 4),
    ],
)
def test_who_deals_next(rule: str, players: int, seats: tuple[int, ...], due: int | None) -> None:
    round = ended(rule, players=players)
    assert dealer(round.ruleset, seats, round) == due


def test_several_who_came_in_last_leave_open_who_did() -> None:
    knocked = after(f"p1 3s\np2 -\np3 -\np4 4h\np1 2s\np1 {run('s', '4')}")
    assert losers(knocked) == (1, 2)
    assert (last(knocked), third(knocked)) == (None, None)
    alone = after(FIRST_OUT[2], players=2, ruleset=WINNER_TAKES_ALL)
    assert (losers(alone), last(alone)) == ((1,), 1)
    running = after("p1 3s")
    assert (losers(running), last(running), third(running)) == ((), None, None)


# Kneeling

KNEELING = "thirteen-kneeling"


def kneels(*stories: str) -> list[int]:
    """The players who kneel after some rounds."""
    story = "\n".join(f"round {number} opening\n{text}" for number, text in enumerate(stories, start=1))
    return [one.player for one in kneeling(map(knelt, replay_story(story, ruleset=KNEELING).rounds))]


def test_the_last_player_kneels_until_coming_in_first() -> None:
    # The same round shifted by one seat: p4 is first, p3 last.
    back = re.sub("p([1-4])", lambda found: f"p{(int(found[1]) - 2) % 4 + 1}", WHOLE_ROUND[4])
    assert kneels(WHOLE_ROUND[4]) == [3]
    assert kneels(WHOLE_ROUND[4], "p1 3s") == [3]
    assert kneels(WHOLE_ROUND[4], back) == [2]
    assert kneels(WHOLE_ROUND[4], back, WHOLE_ROUND[4]) == [2, 3]
    assert kneeling(map(knelt, replay_story(WHOLE_ROUND[4]).rounds)) == ()


def test_a_chopped_player_kneels_and_a_second_chop_saves_the_first_victim() -> None:
    twice = f"p1 3s\np2 2s\np3 {THREES}\np4 Ts Tc Js Jc Qs Qc\np4 4s"
    assert kneels(ONE_TWO) == [1]
    assert kneels(twice) == [2]


def test_whoever_wins_at_once_sits() -> None:
    hand = "3s 4c 6s 7d 8h 9c Js Qd Kh 2s 2c 2d 2h"
    assert kneels(WHOLE_ROUND[4], f"p4 claims {hand}") == []
    assert kneels(WHOLE_ROUND[4], f"p1 claims {hand}") == [3]


def test_the_third_of_three_may_be_the_one_who_was_knocked_out() -> None:
    assert third(after(f"p1 3s\np2 4c\np3 -\np1 2s\np1 {run('s', '4')}", players=3)) == 2

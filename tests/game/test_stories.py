"""Summaries of rounds and searches among them, compared with a night that was scored by hand."""

from pathlib import Path

import pytest

from ledger.game import notation
from ledger.game.fold import voided
from ledger.game.night import Night
from ledger.game.statistics import Heading
from ledger.game.stories import Search, Story, story
from tests.game.stories import WHOLE_ROUND
from tests.game.table import replay_story, run

AN, BINH, CHI, DUNG = range(4)
RECORD = Path(__file__).parent.parent / "records" / "southern-02.tln"


@pytest.fixture(scope="module")
def night() -> Night:
    """An instant win, two rounds with a bomb on An, and one with a hoarding penalty."""
    return notation.replay(notation.read(RECORD.read_text(encoding="utf-8")))


def found(night: Night, search: Search) -> dict[int, list[tuple[int, int, int, str]]]:
    """The rounds that a search finds, each with the payments that match."""
    stories = {number: story(round) for number, round in enumerate(night.rounds, start=1)}
    return {
        number: [one.payments[place][:4] for place in search.payments(one)]
        for number, one in stories.items()
        if search.finds(one)
    }


def test_a_round_in_brief_is_its_winner_and_its_biggest_payment(night: Night) -> None:
    stories = [story(round) for round in night.rounds]
    assert [(one.winners, one.instant_win) for one in stories] == [
        ((AN,), True),
        ((AN,), False),
        ((DUNG,), False),
        ((AN,), False),
    ]
    biggest = [one.payments[one.biggest] for one in stories if one.biggest is not None]
    assert [(paid.payer, paid.payee, paid.points) for paid in biggest] == [
        (BINH, AN, 2),
        (AN, BINH, 2),
        (CHI, DUNG, 4),
        (CHI, AN, 4),
    ]


def test_where_nothing_was_paid_nothing_was_biggest() -> None:
    (silent,) = replay_story(WHOLE_ROUND[4], ruleset="family").rounds
    assert (story(silent).winners, story(silent).biggest) == ((AN,), None)


def test_several_who_claim_at_once_are_all_winners() -> None:
    (round,) = replay_story(f"p1 claims {run('s')} 2s\np2 claims {run('c')} 2c", players=2).rounds
    assert story(round).winners == (AN, BINH)


def test_of_a_round_that_runs_or_does_not_count_only_the_seats_are_told(night: Night) -> None:
    running = replay_story("round 1 lead p1\np1 2s\np2 4s 4c 4d 4h").rounds[0]
    for round in (running, voided(running, "misdealt"), voided(night.rounds[1], "misdealt")):
        assert story(round) == Story(seats=(AN, BINH, CHI, DUNG))


def test_rounds_are_found_by_who_sat_in_them() -> None:
    night = replay_story(
        f"round 1 opening p1 p2\n{WHOLE_ROUND[2]}\nround 2 opening p1 p2 p3 !\n{WHOLE_ROUND[3]}"
    )
    assert found(night, Search()) == found(night, Search(player=BINH)) == {1: [], 2: []}
    assert found(night, Search(player=CHI)) == {2: []}
    assert found(night, Search(player=DUNG)) == {}


def test_payments_are_found_by_what_they_are_for(night: Night) -> None:
    hoarded = {4: [(CHI, AN, 4, "hoarding-penalty")]}
    assert found(night, Search(heading=Heading.HOARDING)) == hoarded
    assert found(night, Search(heading=Heading.HOARDING, player=CHI)) == hoarded
    assert found(night, Search(heading=Heading.HOARDING, player=BINH)) == {}
    assert found(night, Search(heading=Heading.PLACES, player=BINH)) == {
        2: [(DUNG, BINH, 1, "placement")],
        3: [(BINH, AN, 1, "placement")],
        4: [(DUNG, BINH, 1, "placement")],
    }
    assert found(night, Search(heading=Heading.CONTRACTS)) == {}


def test_who_bombed_whom_is_found_by_either_or_by_both(night: Night) -> None:
    bombs = {number: [(AN, BINH, 2, "bomb-bonus")] for number in (2, 3)}
    assert found(night, Search(heading=Heading.BOMBS)) == bombs
    assert found(night, Search(bomber=BINH)) == bombs
    assert found(night, Search(bombed=AN)) == bombs
    assert found(night, Search(bomber=BINH, bombed=AN, player=AN)) == bombs
    assert found(night, Search(bomber=AN)) == found(night, Search(bomber=BINH, bombed=CHI)) == {}
    assert found(night, Search(bomber=BINH, heading=Heading.PLACES)) == {}
    assert found(night, Search(bomber=BINH, player=DUNG)) == {}

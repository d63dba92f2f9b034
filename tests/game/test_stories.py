"""Summaries of rounds and searches among them, compared with a night that was scored by hand."""

import pytest

from ledger.game.fold import voided
from ledger.game.night import Night
from ledger.game.notation import tag
from ledger.game.payments import Payment
from ledger.game.statistics import Heading
from ledger.game.stories import Search, Story, story
from tests.game.stories import WHOLE_ROUND
from tests.game.table import replay_story, run
from tests.game.test_statistics import record
from tests.game.told import told

AN, BINH, CHI, DUNG = range(4)


@pytest.fixture(scope="module")
def night() -> Night:
    """An instant win, two rounds with a bomb on An, and one with a hoarding penalty."""
    return record("southern-02")


def search(text: str) -> Search:
    """`heading bombs, player p2`."""
    criteria = dict(part.split(" ") for part in text.split(", ") if part)
    heading = Heading(criteria.pop("heading")) if "heading" in criteria else None
    return Search(heading=heading, **{name: int(tag[1:]) - 1 for name, tag in criteria.items()})


def found(night: Night, search: Search) -> str:
    """The rounds that a search finds, each with the payments that match."""
    stories = {number: story(round) for number, round in enumerate(night.rounds, start=1)}
    rounds = [
        " ".join([f"{number}:", *(_said(one.payments[place]) for place in search.payments(one))])
        for number, one in stories.items()
        if search.finds(one)
    ]
    return " | ".join(rounds) or "nothing"


def _said(paid: Payment) -> str:
    return f"{tag(paid.payer)} {tag(paid.payee)} {paid.points} {paid.reason}"


def test_a_round_in_brief_is_its_winner_and_its_biggest_payment(night: Night) -> None:
    stories = [story(round) for round in night.rounds]
    assert [one.winners for one in stories] == [(AN,), (AN,), (DUNG,), (AN,)]
    assert [one.instant_win for one in stories] == [True, False, False, False]
    biggest = [one.payments[one.biggest][:3] for one in stories if one.biggest is not None]
    assert biggest == [(BINH, AN, 2), (AN, BINH, 2), (CHI, DUNG, 4), (CHI, AN, 4)]


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


@pytest.mark.parametrize(("criteria", "expected"), told("searches.txt", "southern-02"))
def test_payments_are_found_by_what_they_are_for_and_who_bombed_whom(
    night: Night, criteria: str, expected: str
) -> None:
    assert found(night, search(criteria)) == expected


@pytest.mark.parametrize(("criteria", "expected"), told("searches.txt", "two rounds"))
def test_rounds_are_found_by_who_sat_in_them(criteria: str, expected: str) -> None:
    night = replay_story(
        f"round 1 opening p1 p2\n{WHOLE_ROUND[2]}\nround 2 opening p1 p2 p3 !\n{WHOLE_ROUND[3]}"
    )
    assert found(night, search(criteria)) == expected

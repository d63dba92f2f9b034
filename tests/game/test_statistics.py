"""Statistics, compared with nights that were counted by hand from their written payments."""

from dataclasses import replace
from pathlib import Path

import pytest

from ledger.game import notation
from ledger.game.fold import voided
from ledger.game.night import Night, totals
from ledger.game.payments import Reason
from ledger.game.statistics import HEADINGS, Heading, Person, Swing, Tally, statistics
from tests.game.stories import FIRST_OUT, WHOLE_ROUND
from tests.game.table import replay_story, run

RECORDS = Path(__file__).parent.parent / "records"


def record(name: str) -> Night:
    return notation.replay(notation.read((RECORDS / f"{name}.tln").read_text(encoding="utf-8")))


def points(person: Person) -> dict[str, int]:
    """The points from each heading, without zeros."""
    return {heading: brought for heading, brought in person.points if brought}


@pytest.fixture(scope="module")
def night() -> Night:
    """Four rounds. Net by hand: +6 −2 −2 −2, 0 +3 −2 −1, −1 +1 −4 +4, +8 +1 −8 −1."""
    return record("southern-02")


def test_places_are_counted_and_whoever_was_knocked_out_has_none(night: Night) -> None:
    people = statistics([night]).people
    assert {name: (one.rounds, one.places, one.last, one.knocked_out) for name, one in people.items()} == {
        "An": (4, (2, 1), 0, 0),
        "Bình": (4, (0, 2, 1), 0, 0),
        "Chi": (4, (0, 0, 0, 1), 1, 2),
        "Dũng": (4, (1, 0, 2), 0, 0),
    }


def test_points_are_counted_by_what_they_come_from(night: Night) -> None:
    people = statistics([night]).people
    assert {name: points(one) for name, one in people.items()} == {
        "An": {"places": 7, "bombs": -4, "hoarding": 4, "instant-wins": 6},
        "Bình": {"places": 1, "bombs": 4, "instant-wins": -2},
        "Chi": {"places": -10, "hoarding": -4, "instant-wins": -2},
        "Dũng": {"places": 2, "instant-wins": -2},
    }
    assert [one.total for one in people.values()] == totals(night) == [13, 3, -16, 0]
    assert people["Chi"].average == (-16, 4)


def test_bombs_are_counted_on_both_sides_and_by_pairs(night: Night) -> None:
    found = statistics([night])
    assert found.people["Bình"].bombs_made == found.people["An"].bombs_suffered == Tally(2, 4)
    assert found.people["Chi"].bombs_made == found.people["Bình"].bombs_suffered == Tally()
    assert found.bombed == {("Bình", "An"): Tally(2, 4)}


def test_streaks_and_the_biggest_swing(night: Night) -> None:
    people = statistics([night]).people
    assert {name: (one.winning, one.losing, one.biggest) for name, one in people.items()} == {
        "An": (1, 1, Swing(0, 4, 8)),
        "Bình": (3, 1, Swing(0, 2, 3)),
        "Chi": (0, 4, Swing(0, 4, -8)),
        "Dũng": (1, 2, Swing(0, 3, 4)),
    }
    assert people["An"].instant_wins == 1


def test_2s_in_hands_are_counted_with_their_cost() -> None:
    # The fourth is left with 2♥; of the clubs, p2 shows 2♣.
    classic = statistics([replay_story(WHOLE_ROUND[4])]).people
    assert [one.twos for one in classic.values()] == [Tally(), Tally(), Tally(), Tally(1, 2)]
    story = f"{FIRST_OUT[2]}\np2 declares 2c"
    counted = statistics([replay_story(story, ruleset="card-count", players=2)]).people
    assert counted["Bình"].twos == Tally(1, 3)
    shown = f"{FIRST_OUT[2]}\np2 shows 3c {run('c', '5')} 2c"
    assert statistics([replay_story(shown, ruleset="thirteen", players=2)]).people["Bình"].twos == Tally(1, 0)


def test_several_nights_of_the_same_people_are_one_account(night: Night) -> None:
    others = replace(night, names=("Chi", "Em", "An", "Dũng"))
    found = statistics([night, others])
    assert list(found.people) == ["An", "Bình", "Chi", "Dũng", "Em"]
    assert found.people["An"].total == 13 - 16
    assert found.people["Chi"].biggest == Swing(0, 4, -8)
    assert found.people["Em"].bombs_made == Tally(2, 4)
    assert found.bombed == {("Bình", "An"): Tally(2, 4), ("Em", "Chi"): Tally(2, 4)}
    # Dũng lost the first two rounds, won the third and lost the last: −2 −1 +4 −1, and all of it again.
    assert found.people["Dũng"].losing == 3
    assert found.people["Dũng"].rounds == 8


def test_two_players_of_one_night_cannot_have_one_name(night: Night) -> None:
    with pytest.raises(ValueError, match="one name"):
        statistics([replace(night, names=("An", "Bình", "Chi", "An"))])


def test_adjustments_count_and_rounds_that_still_run_do_not() -> None:
    found = statistics([replay_story("round 1 lead p1\np1 2s\np2 4s 4c 4d 4h\npay p1 p2 5 late")])
    assert points(found.people["An"]) == {"adjustments": -5}
    assert found.people["Bình"].total == 5
    assert found.people["Bình"].average == (0, 0)
    assert (found.people["An"].rounds, found.people["An"].biggest, found.bombed) == (0, None, {})


def test_a_round_in_which_nothing_was_paid_is_no_swing() -> None:
    one = statistics([replay_story(WHOLE_ROUND[4], ruleset="family")]).people["An"]
    assert (one.biggest, one.winning, one.losing, one.places) == (None, 0, 0, (1,))


def test_every_reason_has_its_heading() -> None:
    assert set(HEADINGS) == set(Reason)
    assert {*HEADINGS.values(), Heading.ADJUSTMENTS} == set(Heading)


def test_a_round_that_was_voided_counts_for_nobody(night: Night) -> None:
    first, second, *others = night.rounds
    without = replace(night, entries=(first, voided(second, "misdealt"), *others))
    skipping = replace(night, entries=(first, *others))
    counted, expected = statistics([without]), statistics([skipping])
    assert counted.bombed == expected.bombed
    assert {name: (one.rounds, one.places, one.points) for name, one in counted.people.items()} == {
        name: (one.rounds, one.places, one.points) for name, one in expected.people.items()
    }

"""Statistics, summaries of rounds and searches among them, compared with nights that were scored by hand."""

from collections.abc import Iterable
from dataclasses import replace

import pytest

from ledger.game.fold import voided
from ledger.game.night import Night, totals
from ledger.game.notation import tag
from ledger.game.payments import Payment, Reason
from ledger.game.statistics import HEADINGS, Heading, Person, Statistics, Tally, statistics
from ledger.game.stories import Search, Story, story
from tests.case_files import told
from tests.game.stories import WHOLE_ROUND
from tests.game.table import count_night, replay_story, run
from tests.game.test_records import RECORDS, replayed


def record(name: str) -> Night:
    return replayed(RECORDS / f"{name}.tln")


def points_of(person: Person) -> dict[str, int]:
    """The points from each heading, without zeros."""
    return {heading: brought for heading, brought in person.points if brought}


def counted(nights: Iterable[Night]) -> Statistics:
    return statistics(map(count_night, nights))


@pytest.fixture(scope="module")
def night() -> Night:
    """An instant win, two rounds with a bomb on An, and one with a hoarding penalty. Net by hand: +6 −2 −2 −2,
    0 +3 −2 −1, −1 +1 −4 +4, +8 +1 −8 −1."""
    return record("southern-02")


def facts(person: Person) -> str:
    """Everything that is counted of a person."""
    one = person
    counted = f"rounds {one.rounds}, places {' '.join(map(str, one.places))}, last {one.last}"
    bombs = f"bombs {_tally(one.bombs_made)}, bombed {_tally(one.bombs_suffered)}, 2s {_tally(one.twos)}"
    points = " ".join(f"{heading} {brought}" for heading, brought in points_of(one).items())
    swing = " ".join(map(str, one.biggest or ["none"]))
    streaks = f"biggest {swing}, winning {one.winning}, losing {one.losing}"
    return f"{counted}, out {one.knocked_out}, at once {one.instant_wins}; {bombs}; {points}; {streaks}"


def _tally(tally: Tally) -> str:
    return f"{tally.times} for {tally.points}"


@pytest.mark.parametrize(("name", "expected"), told("statistics.txt", "southern-02"))
def test_a_night_is_counted_as_it_was_by_hand(night: Night, name: str, expected: str) -> None:
    assert facts(counted([night]).people[name]) == expected


def test_points_add_up_and_bombs_are_counted_by_pairs(night: Night) -> None:
    found = counted([night])
    assert [one.total for one in found.people.values()] == totals(night) == [13, 3, -16, 0]
    assert found.people["Chi"].average == (-16, 4)
    assert found.bombed == {("Bình", "An"): Tally(2, 4)}


def test_what_another_pays_for_counts_as_points_of_the_payer_and_as_twos_of_their_holder() -> None:
    night = record("by-hand-06-paid-for-others")
    people = counted([night]).people
    assert [one.total for one in people.values()] == totals(night)
    assert {name: one.twos for name, one in people.items() if one.twos.times} == {
        "An": Tally(2, 2),
        "Chi": Tally(1, 1),
        "Dũng": Tally(1),
    }
    assert points_of(people["Dũng"])["hoarding"] == -2


def test_several_nights_of_the_same_people_are_one_account(night: Night) -> None:
    found = counted([night, replace(night, names=("Chi", "Em", "An", "Dũng"))])
    expected = told("statistics.txt", "southern-02, and again as Chi, Em, An and Dũng")
    assert [(name, facts(found.people[name])) for name in sorted(found.people)] == expected
    assert list(found.people) == ["An", "Bình", "Chi", "Dũng", "Em"]
    assert found.people["An"].total == 13 - 16
    assert found.bombed == {("Bình", "An"): Tally(2, 4), ("Em", "Chi"): Tally(2, 4)}


def test_two_players_of_one_night_cannot_have_one_name(night: Night) -> None:
    with pytest.raises(ValueError, match="one name"):
        counted([replace(night, names=("An", "Bình", "Chi", "An"))])


def test_adjustments_count_and_rounds_that_still_run_do_not() -> None:
    found = counted([replay_story("round 1 lead p1\np1 2s\np2 4s 4c 4d 4h\npay p1 p2 5 late")])
    assert points_of(found.people["An"]) == {"adjustments": -5}
    assert found.people["Bình"].total == 5
    assert found.people["Bình"].average == (0, 0)
    assert (found.people["An"].rounds, found.people["An"].biggest, found.bombed) == (0, None, {})


def test_a_round_in_which_nothing_was_paid_is_no_swing() -> None:
    one = counted([replay_story(WHOLE_ROUND[4], ruleset="family")]).people["An"]
    assert (one.biggest, one.winning, one.losing, one.places) == (None, 0, 0, (1,))


def test_the_sheet_of_places_is_counted_apart() -> None:
    story = "round 1 lead p1\nresult p1 p2 p3 p4\nround 2 lead p1\nresult p2 p1 p3 p4"
    people = counted([replay_story(story, rules=["payments.sheet=4-2-1-0"])]).people
    assert [one.sheet for one in people.values()] == [6, 6, 2, 0]


def test_every_reason_has_its_heading() -> None:
    assert set(HEADINGS) == set(Reason)
    assert {*HEADINGS.values(), Heading.ADJUSTMENTS} == set(Heading)


def test_a_round_that_was_voided_counts_for_nobody(night: Night) -> None:
    first, second, *others = night.rounds
    without = replace(night, entries=(first, voided(second, "misdealt"), *others))
    skipping = replace(night, entries=(first, *others))
    found, expected = counted([without]), counted([skipping])
    assert count_night(without).counting == count_night(skipping).counting == len(night.rounds) - 1
    assert found.bombed == expected.bombed
    assert {name: (one.rounds, one.places, one.points) for name, one in found.people.items()} == {
        name: (one.rounds, one.places, one.points) for name, one in expected.people.items()
    }


AN, BINH, CHI, DUNG = range(4)


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
def test_payments_are_found_by_what_they_are_for(night: Night, criteria: str, expected: str) -> None:
    assert found(night, search(criteria)) == expected


@pytest.mark.parametrize(("criteria", "expected"), told("searches.txt", "two rounds"))
def test_rounds_are_found_by_who_sat_in_them(criteria: str, expected: str) -> None:
    night = replay_story(
        f"round 1 opening p1 p2\n{WHOLE_ROUND[2]}\nround 2 opening p1 p2 p3 !\n{WHOLE_ROUND[3]}"
    )
    assert found(night, search(criteria)) == expected

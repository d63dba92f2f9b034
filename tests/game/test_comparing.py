"""The same night under other rules: the moves that they judge differently, and their payments."""

import json
from pathlib import Path

import pytest

from ledger.game import notation
from ledger.game.comparison import Comparison, Difference, Ruling, compare
from ledger.game.errors import Code
from ledger.game.night import Night, totals
from ledger.game.report import Outcome, as_data
from ledger.game.rulesets import PRESETS
from ledger.game.scoring import Status, payments, status
from ledger.game.side_by_side import report_comparison, score_under
from tests.game.stories import FIRST_OUT, WHOLE_ROUND
from tests.game.table import page, replay_story, run
from tests.game.test_records import NIGHTS, WORDS, name

POINTS = "thirteen-points"
TAKES_ALL = "southern-winner-takes-all"

LATE_FOUR_PAIRS = "p1 3s\np2 -\np3 2h\np4 -\np1 -\np2 4c 4d 5c 5d 6c 6d 7c 7d"
"""p2, who has passed, beats a red 2 with four pairs."""

THREE_PLAYED = f"{WHOLE_ROUND[3]}\np3 shows {run('d', '6')} 2d 4d 3d"
"""p1 goes out with spades, then p2 with clubs; p3 is left with twelve diamonds, the 2 among them."""


def under(night: Night, preset: str) -> Comparison:
    return compare(night, PRESETS[preset])


def first(comparison: Comparison) -> Difference:
    assert comparison.first is not None
    return comparison.first


def code(ruling: Ruling) -> Code | None:
    return ruling.refusal.code if ruling.refusal else None


def paid(comparison: Comparison, number: int = 1) -> list[tuple[int, int, int]]:
    """The payments of a round by the other rules: payer and payee counted from 1, and points."""
    there = comparison.rounds[number - 1].there
    assert there is not None
    return sorted((payment.payer + 1, payment.payee + 1, payment.points) for payment in payments(there))


@pytest.mark.parametrize("path", NIGHTS, ids=name)
def test_a_night_under_its_own_rules_is_the_same_night(path: Path) -> None:
    night = notation.replay(notation.read(path.read_text(encoding="utf-8")))
    comparison = compare(night, night.ruleset)
    assert comparison.first is None
    assert comparison.totals() == (totals(night), totals(night))


@pytest.mark.parametrize("preset", PRESETS)
def test_whatever_the_rules_each_side_sums_to_zero(preset: str) -> None:
    for path in NIGHTS[:12]:
        comparison = under(notation.replay(notation.read(path.read_text(encoding="utf-8"))), preset)
        here, there = comparison.totals()
        assert sum(here) == sum(there) == 0
        json.dumps(as_data(report_comparison(comparison, lambda ruling, names: "")))


def test_a_move_that_the_other_rules_refuse_is_the_first_difference_and_stands() -> None:
    comparison = under(replay_story(LATE_FOUR_PAIRS), POINTS)
    found = first(comparison)
    assert (found.round, found.move) == (1, 6)
    assert (code(found.here), code(found.there)) == (None, Code.LOCKED_OUT)
    assert found.there.refusal is not None
    assert found.there.refusal.clause == "T-PASS"
    # The red 2 is worth 2 to the southern bomb, and x to any cut of the other rules.
    assert [payment.points for payment in payments(comparison.rounds[0].here)] == [2]
    assert paid(comparison) == [(3, 2, 1)]


def test_passes_that_would_not_make_a_move_legal_are_not_made_up() -> None:
    comparison = under(replay_story("p1 3s 3c\np2 -\np3 2s 2c\np2 4c 4d 5c 5d 6c 6d 7c 7d"), "akita")
    found = first(comparison)
    assert (found.here.refusal, code(found.there)) == (None, Code.NOT_YOUR_TURN)
    there = comparison.rounds[0].there
    assert there is not None
    assert [move.player for move in there.moves] == [0, 1, 2, 1]


def test_rules_that_rule_alike_may_pay_otherwise() -> None:
    comparison = under(replay_story(THREE_PLAYED, players=3), POINTS)
    assert comparison.first is None
    # Southern: third pays first 2, second pays first 1, and 2♦ is paid to the last player who went out.
    # Points: both losers pay x, and 2♦ is paid to the winner.
    assert comparison.totals() == ([3, 1, -4], [4, -1, -3])
    assert paid(comparison) == [(2, 1, 1), (3, 1, 1), (3, 1, 2)]


def test_a_round_that_the_other_rules_end_earlier_is_paid_by_what_was_held_then() -> None:
    comparison = under(replay_story(THREE_PLAYED, players=3), TAKES_ALL)
    found = first(comparison)
    assert found.move == 7
    assert (found.here.over, found.there.over) == (False, True)
    assert comparison.rounds[0].left_out == 3
    # Each loser pays 2; at that time p2 still held 2♣, which was played later, and p3 held 2♦.
    assert paid(comparison) == [(2, 1, 1), (2, 1, 2), (3, 1, 2), (3, 1, 2)]
    assert comparison.totals()[1] == [7, -3, -4]


def test_a_round_that_the_other_rules_would_go_on_with_has_no_end_there() -> None:
    night = replay_story(f"{FIRST_OUT[3]}\np2 declares 2c\np3 declares 2d", players=3, ruleset=TAKES_ALL)
    comparison = under(night, "southern-classic")
    found = first(comparison)
    assert (found.here.over, found.there.over, found.there.turn) == (True, False, 1)
    there = comparison.rounds[0].there
    assert there is not None
    assert status(there) is Status.IN_PROGRESS
    assert paid(comparison) == []


@pytest.mark.parametrize(
    ("declaration", "points"),
    [
        # The night's own rules do not charge a last card other than a 2, so a declaration does not mention it.
        ("p2 declares none", [(2, 1, 1)]),
        ("p2 shows 3s", [(2, 1, 1), (2, 1, 26)]),
    ],
)
def test_a_declaration_does_not_tell_of_a_last_card_that_only_the_other_rules_charge(
    declaration: str, points: list[tuple[int, int, int]]
) -> None:
    story = f"round 1 lead p2\np2 {run('c', '4')}\np2 Ks\np1 2h\np1 {run('d')}\n{declaration}"
    comparison = under(replay_story(story, players=2, ruleset="card-count"), "northern")
    assert paid(comparison) == points
    there = comparison.rounds[0].there
    assert there is not None
    assert status(there) is (Status.SETTLED if len(points) > 1 else Status.UNSETTLED)


def test_a_last_card_that_was_declared_is_declared_under_other_rules_that_charge_it() -> None:
    story = f"round 1 lead p2\np2 {run('c', '4')}\np2 Ks\np1 2h\np1 {run('d')}\np2 declares 3s"
    night = replay_story(story, players=2, ruleset="northern")
    assert paid(under(night, "northern")) == [(2, 1, 1), (2, 1, 26)]


def test_another_leader_is_a_difference_at_the_beginning_of_a_round() -> None:
    night = replay_story(f"round 1 opening\n{THREE_PLAYED}\nround 2 lead p1\np1 5s", players=3)
    found = first(under(night, POINTS))
    assert (found.round, found.move) == (2, 0)
    assert code(found.there) is Code.WRONG_LEADER
    assert found.there.refusal is not None
    assert found.there.refusal.clause == "T-OPEN"


def test_a_player_who_might_have_come_in_again_passes_by_the_other_rules() -> None:
    night = replay_story("p1 3s\np2 -\np3 4d\np4 5h\np1 6s\np3 7d")
    found = first(under(night, "akita"))
    assert (found.move, found.here.turn, found.there.turn) == (5, 2, 1)
    assert found.there.refusal is None
    there = under(night, "akita").rounds[0].there
    assert there is not None
    assert len(there.moves) == 7


def test_a_pass_of_a_player_whom_the_other_rules_do_not_ask_is_no_difference_of_its_own() -> None:
    night = replay_story("p1 3s\np2 -\np3 4d\np4 -\np1 5s\np2 -\np3 6d", rules=["passing.locks=no"])
    comparison = under(night, "southern-classic")
    assert (first(comparison).move, code(first(comparison).there)) == (5, None)
    there = comparison.rounds[0].there
    assert there is not None
    assert not there.findings


def test_too_many_or_too_few_players_end_the_comparison_at_once() -> None:
    comparison = under(replay_story(THREE_PLAYED, players=3), "double-deck")
    assert comparison.stopped is not None
    assert comparison.first == comparison.stopped
    assert (comparison.stopped.move, code(comparison.stopped.there)) == (0, Code.WRONG_SEAT_COUNT)
    assert comparison.rounds[0].there is None
    assert comparison.totals() == ([0, 0, 0], [0, 0, 0])


def test_what_cannot_be_ends_the_comparison_and_the_rounds_before_it_count() -> None:
    claim = "p2 claims 3h 4c 4h 5c 5h 6c 6h 7c 7h 8c 8h 9c 9h"
    night = replay_story(
        f"round 1 opening\n{THREE_PLAYED}\nround 2 lead p1\n{claim}\nround 3 opening\npay p1 p2 5 late",
        players=3,
    )
    comparison = under(night, "core-17")
    assert comparison.stopped is not None
    assert (comparison.stopped.round, comparison.stopped.move) == (2, 1)
    assert code(comparison.stopped.there) is Code.CLAIM_COUNT
    assert [compared.there is None for compared in comparison.rounds] == [False, True, True]
    assert comparison.totals() == ([3 - 5, 1 + 5, -4], [-5, 5, 0])


def test_a_contract_that_the_other_rules_do_not_offer_is_left_out() -> None:
    night = replay_story("p2 contract guaransheed\np1 3s\np2 4c", ruleset="pro-play")
    comparison = under(night, "southern-classic")
    assert comparison.stopped is None
    assert code(first(comparison).there) is Code.NO_SUCH_CONTRACT
    there = comparison.rounds[0].there
    assert there is not None
    assert len(there.moves) == 2


def test_a_declaration_counts_where_it_tells_all_that_the_other_rules_ask_for() -> None:
    story = WHOLE_ROUND[3]
    comparison = under(replay_story(f"{story}\np3 declares 2d", players=3), POINTS)
    assert paid(comparison) == [(2, 1, 1), (3, 1, 1), (3, 1, 2)]


def test_a_declaration_that_may_hide_something_leaves_the_round_unsettled() -> None:
    night = replay_story(f"{FIRST_OUT[2]}\np2 declares 5c 5d 6c 6d 7c 7d 8c 8d", players=2)
    there = under(night, POINTS).rounds[0].there
    assert there is not None
    assert status(there) is Status.UNSETTLED


def test_backs_say_nothing_to_rules_that_do_not_look_at_them() -> None:
    seats = " ".join(f"p{player}" for player in range(1, 9))
    text = page(f"round 1 opening {seats}\np1 3s\np2 3s'", players=6, ruleset="double-deck")
    text = text.replace("p6 Phúc", "p6 Phúc\np7 Giang\np8 Hạnh")
    found = first(under(notation.replay(notation.read(text)), "core-double"))
    assert (found.move, code(found.here), code(found.there)) == (2, None, Code.DOES_NOT_BEAT)


def test_the_comparison_as_data_names_both_and_words_both_rulings() -> None:
    report = score_under(
        page(THREE_PLAYED, players=3), PRESETS[TAKES_ALL], WORDS, lambda ruling, names: f"over: {ruling.over}"
    )
    assert report.outcome is Outcome.SCORED
    data = as_data(report.answer)
    assert (data["ruleset"], data["under"]) == ("southern-classic", TAKES_ALL)
    assert data["first"]["line"] == f"p1 {run('s', '4')}"
    assert (data["first"]["here"]["message"], data["first"]["there"]["message"]) == (
        "over: False",
        "over: True",
    )
    assert data["stopped"] is None
    assert data["rounds"][0]["here"]["net"] == {"p1": 3, "p2": 1, "p3": -4}
    assert {payment["move"] for payment in data["rounds"][0]["there"]["payments"]} == {7}
    assert data["net"] == {"here": {"p1": 3, "p2": 1, "p3": -4}, "there": {"p1": 7, "p2": -3, "p3": -4}}


def test_a_text_that_cannot_be_scored_is_answered_as_always() -> None:
    report = score_under("tienlen 2", PRESETS[POINTS], WORDS, lambda ruling, names: "")
    assert report.outcome is Outcome.UNREADABLE


# Rounds recorded as results, and void rounds.


def test_a_result_pays_by_the_other_rules_where_it_tells_enough() -> None:
    night = replay_story("result p1 p2 p3\nknocked p4\nbombed p1 p2 2d\np3 shows 2h 3s\np4 declares none")
    comparison = under(night, TAKES_ALL)
    there = comparison.rounds[0].there
    assert there is not None
    assert status(there) is Status.UNSETTLED
    assert paid(comparison) == [(2, 1, 2), (2, 1, 2), (3, 1, 2), (3, 1, 2), (4, 1, 4)]
    assert comparison.stopped is None


def test_a_single_player_who_had_played_nothing_is_last_where_that_does_not_matter() -> None:
    comparison = under(replay_story("result p1 p2 p3\nknocked p4\nbombed p1 p2 2d"), "core")
    assert comparison.stopped is None
    there = comparison.rounds[0].there
    assert there is not None
    assert there.places == [0, 1, 2, 3]


def test_two_players_who_had_played_nothing_have_no_order_there() -> None:
    comparison = under(replay_story("result p1 p2\nknocked p4 p3"), "core")
    assert comparison.stopped is not None
    assert code(comparison.stopped.there) is Code.RESULT_INCOMPLETE


def test_a_result_that_does_not_tell_who_had_played_nothing_ends_the_comparison() -> None:
    comparison = under(replay_story("result p1 p2 p3 p4", ruleset="core"), "southern-classic")
    assert comparison.stopped is not None
    refusal = comparison.stopped.there.refusal
    assert refusal is not None
    assert (refusal.code, refusal.clause, refusal.expected) == (Code.RESULT_INCOMPLETE, "S-KNOCK", ())
    stopped = report_comparison(comparison, lambda ruling, names: "x").stopped
    assert stopped is not None
    assert stopped.line == "result p1 p2 p3 p4"


def test_a_void_round_is_void_by_any_rules_and_is_nobodys_previous_round() -> None:
    story = f"{WHOLE_ROUND[3]}\nround 2\np1 3s\np2 5s\nvoid misdealt\nround 3\np1 3s"
    comparison = under(replay_story(story, players=3), "southern-winner-takes-all")
    rounds = [compared.there for compared in comparison.rounds]
    assert [status(there) for there in rounds if there][1] is Status.VOID
    assert comparison.stopped is None
    assert comparison.rounds[2].first is None

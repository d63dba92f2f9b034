"""Card count: the southern game until the first player is out, and a point for every card that is left."""

import pytest

from ledger.game.rulesets import PRESETS
from ledger.game.scoring import Status, status
from tests.game.rulesets.asking import wins_at_once
from tests.game.table import after, paid, refused, run, turn

COUNT = "card-count"
SEQUENCES = f"p1 3s\np2 3c\np1 2s\np1 {run('s', '4', '8')}\np1 {run('s', 'T')}\np1 2d"
"""Two play; p1 goes out, p2 has played one card."""


def test_the_round_ends_as_the_first_player_goes_out() -> None:
    assert turn(after(SEQUENCES, players=2, ruleset=COUNT)) == "over"


@pytest.mark.parametrize(
    ("hand", "points"),
    [
        ("4c 4d 5c 6c 7d 8c 9d Tc Jd Qc Kd Ah", 12),
        ("4c 4d 5c 6c 7d 8c 9d Tc Jd Qc Kd 2c", 11 + 3),
        ("4c 4d 5c 6c 7d 8c 9d Tc Jd Qc Kd 2h", 11 + 6),
        ("4c 4d 5c 6c 7d 8c 9d Tc Jd Qc 2c 2h", 10 + 3 + 6),
        ("4c 4d 5c 5d 6c 6d 8c 9d Tc Jd Qc Kd", 6 + 9),
        ("4c 5d 6c 7d 9s 9c 9d 9h Tc Jd Qc Kd", 8 + 12),
        ("4c 4d 5c 5d 6c 6d 7c 7d 9c Tc Jd Kc", 4 + 18),
        ("4c 4d 5c 5d 6c 6d 7c 7d 9s 9c 9d 9h", 18 + 12),
    ],
)
def test_each_card_left_costs_1_and_special_sets_their_value_instead(hand: str, points: int) -> None:
    round = after(f"{SEQUENCES}\np2 shows {hand}", players=2, ruleset=COUNT)
    assert paid(round) == [f"p2 p1 {points} card-count DL-CARDS"]


@pytest.mark.parametrize(
    ("hand", "points"),
    [
        # A black 2 is worth 3, a four of a kind 12: no more than their cards
        ("4c 4d 5c 6c 7d 8c 9d Tc Jd Qc Kd 2c", 48),
        ("4c 4d 5c 5d 6h 9s 9c 9d 9h Tc Jd Kc", 48),
        ("4c 4d 5c 6c 7d 8c 9d Tc Jd Qc Kd 2h", 44 + 6),
    ],
)
def test_dl_cards_a_card_costs_its_points_or_its_special_sets_whichever_is_more(
    hand: str, points: int
) -> None:
    round = after(f"{SEQUENCES}\np2 shows {hand}", players=2, ruleset=COUNT, rules=["payments.card=4"])
    assert paid(round) == [f"p2 p1 {points} card-count DL-CARDS"]


@pytest.mark.parametrize(
    ("card", "hand", "points"),
    [
        (1, "4c 4d 5c 6c 7d 8c 9d Tc Jd Qc Kd 2c", 12),
        (1, "4c 4d 5c 6c 7d 8c 9d Tc Jd Qc Kd 2h", 13),
        (2, "4c 4d 5c 6c 7d 8c 9d Tc Jd Qc Kd 2h", 24),
        (0, "4c 4d 5c 6c 7d 8c 9d Tc Jd Qc Kd 2h", 2),
    ],
)
def test_s_cards_what_is_hoarded_is_counted_with_the_cards_and_not_once_more(
    card: int, hand: str, points: int
) -> None:
    rules = [f"payments.card={card}"]
    round = after(
        f"{SEQUENCES}\np2 shows {hand}", players=2, ruleset="southern-winner-takes-all", rules=rules
    )
    reason = "card-count S-CARDS" if card else "hoarding-penalty S-HOARD"
    assert paid(round) == ["p2 p1 2 placement S-PLACE", f"p2 p1 {points} {reason}"]


def test_no_hand_is_shown_for_special_sets_that_cost_no_more_than_their_cards() -> None:
    assert status(after(SEQUENCES, players=2, ruleset=COUNT)) is Status.UNSETTLED
    rules = ["payments.card=20"]
    assert status(after(SEQUENCES, players=2, ruleset=COUNT, rules=rules)) is Status.SETTLED


@pytest.mark.parametrize(
    ("hand", "points"),
    [
        ("3c 4c 4d 5c 6c 7d 8c 9d Tc Jd Qc Kd Ah", 26),
        ("3c 4c 4d 5c 6c 7d 8c 9d Tc Jd Qc Kd 2h", 26 + 6),
        ("3c 4c 4d 5c 5d 6c 6d 8c 9d Tc Jd Qc Kd", 26 + 9),
    ],
)
def test_who_has_played_nothing_pays_26_and_special_sets_on_top(hand: str, points: int) -> None:
    round = after(f"p1 {run('s')}\np1 2s\np2 shows {hand}", players=2, ruleset=COUNT)
    assert paid(round) == [f"p2 p1 {points} card-count DL-CARDS"]


def test_everybody_pays_the_winner() -> None:
    story = f"""
        p1 3s
        p2 3c
        p3 3d
        p4 -
        p1 2s
        p1 {run("s", "4")}
        p2 declares 2c
        p3 declares 2d
        p4 declares 2h
    """
    assert paid(after(story, ruleset=COUNT)) == [
        "p2 p1 14 card-count DL-CARDS",
        "p3 p1 17 card-count DL-CARDS",
        "p4 p1 32 card-count DL-CARDS",
    ]


def test_a_chop_pays_what_was_chopped() -> None:
    single = "p1 3s\np2 2h\np3 6s 6c 7s 7c 8s 8c"
    assert paid(after(single, ruleset=COUNT)) == ["p2 p3 6 bomb-bonus DL-CHOP"]
    pair = "p1 3s 3c\np2 2s 2h\np3 4s 4c 4d 4h"
    assert paid(after(pair, ruleset=COUNT)) == ["p2 p3 9 bomb-bonus DL-CHOP"]


def test_the_last_player_chopped_pays_for_the_chops_before_but_not_for_a_2_under_a_2() -> None:
    story = "p1 3s\np2 2c\np3 2h\np4 6s 6c 7s 7c 8s 8c"
    assert paid(after(story, ruleset=COUNT)) == ["p3 p4 6 bomb-bonus DL-CHOP"]
    story += "\np1 4s 4c 4d 4h"
    assert paid(after(story, ruleset=COUNT)) == ["p4 p1 15 bomb-bonus DL-CHOP"]
    story += "\np2 9s 9c Ts Tc Js Jc Qs Qc"
    assert paid(after(story, ruleset=COUNT)) == ["p1 p2 27 bomb-bonus DL-CHOP"]


def test_four_pairs_chop_after_a_pass_as_in_the_south() -> None:
    story = "p1 3s\np2 -\np3 2h\np4 -\np2 4s 4c 5s 5c 6s 6c 7s 7c"
    assert paid(after(story, ruleset=COUNT)) == ["p3 p2 6 bomb-bonus DL-CHOP"]


@pytest.mark.parametrize(
    ("name", "hand"),
    [
        ("dragon", f"{run('s')} 3c"),
        ("four-twos", "2s 2c 2d 2h 3s 5h 7d 9c Js Kh Kd Ac 9s"),
        ("five-consecutive-pairs", "3s 3c 4s 4c 5s 5c 6s 6c 7s 7c 9d Jd Kd"),
        ("six-pairs", "3s 3c 5s 5c 7s 7c 9s 9c Js Jc 2s 2h Kd"),
        ("one-colour", "3s 3c 4s 5c 7s 7c 9s 9c Js Qc Ks As 2c"),
    ],
)
def test_these_hands_win_26_from_everybody(name: str, hand: str) -> None:
    assert wins_at_once(COUNT, hand) == name
    assert paid(after(f"p2 claims {hand}", ruleset=COUNT)) == [
        f"{payer} p2 26 instant-win DL-INSTANT" for payer in ("p1", "p3", "p4")
    ]


def test_four_3s_win_in_an_opening_round_only() -> None:
    hand = "3s 3c 3d 3h 5s 6c 8d 9h Jc Qd Kh As 2h"
    assert wins_at_once(COUNT, hand, opening=True) == "four-threes"
    assert wins_at_once(COUNT, hand) is None


def test_three_triples_and_a_bomb_with_the_lowest_card_do_not_win_here() -> None:
    assert wins_at_once(COUNT, "3s 3c 3d 4s 4c 4d 5s 5c 5d 7h 9h Jc Kh", opening=True) is None
    assert wins_at_once(COUNT, "3s 3c 4s 4c 5s 5c 7d 9h Jc Qd Kh As 2h", opening=True) is None


def test_nothing_but_cards_and_chops_is_paid() -> None:
    payments = PRESETS[COUNT].payments
    assert (payments.places, payments.left, payments.full_hand, payments.hoarding) == ((), 0, 0, False)


def test_the_twos_of_the_hand_are_not_paid_twice() -> None:
    refusal = refused(f"{SEQUENCES}\np2 declares 2s", players=2, ruleset=COUNT).refusal
    assert refusal.card == "2s"

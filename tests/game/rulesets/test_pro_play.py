"""Pro-Play: its ladder of bombs, and its points."""

import pytest

from ledger.game.errors import Code
from ledger.game.legal_cards import legal_cards
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.compiled import compiled
from ledger.game.rulesets.paying import Contract
from tests.game.rulesets.asking import beaten_by, beats, read
from tests.game.table import after, cards, paid, refused, run, turn

PRO = "pro-play"
TWOS = ("2h", "2d 2h", "2c 2d 2h")

# As the source lists them, but from low to high; the daggered ones need not be consecutive.
LADDER = (
    ("3s 3c 4s 4c 5s 5c", 1),
    ("5s 5c 5d 5h", 1),
    ("Ks Kc As Ac 2s 2c", 2),
    ("3s 3c 4s 4c 5s 5c 6s 6c", 2),
    ("4s 4c 4d 4h 9s 9c 9d 9h", 2),
    ("3s 3c 3d 4s 4c 4d 5s 5c 5d", 2),
    ("Qs Qc Ks Kc As Ac 2s 2c", 3),
    ("3s 3c 4s 4c 5s 5c 6s 6c 7s 7c", 3),
    ("Js Jc Qs Qc Ks Kc As Ac 2s 2c", 3),
    ("3s 3c 4s 4c 5s 5c 6s 6c 7s 7c 8s 8c", 3),
    ("Ks Kc Kd As Ac Ad 2s 2c 2d", 3),
    ("3s 3c 3d 4s 4c 4d 5s 5c 5d 6s 6c 6d", 3),
    ("4s 4c 4d 4h 9s 9c 9d 9h Qs Qc Qd Qh", 3),
    ("Ts Tc Js Jc Qs Qc Ks Kc As Ac 2s 2c", 3),
    ("Qs Qc Qd Ks Kc Kd As Ac Ad 2s 2c 2d", 4),
    ("2s 2c 2d 2h", 4),
)
RUNGS = tuple(rung for rung, _ in LADDER)

# Everybody gets in, and then goes out as they sit.
FOUR_OUT = f"""
    p1 3s
    p2 3c
    p3 3d
    p4 3h
    p1 2s
    p1 {run("s", "4")}
    p2 -
    p3 -
    p4 -
    p2 {run("c", "4")}
    p2 2c
    p3 -
    p4 -
    p3 {run("d", "4")}
    p3 2d
"""
FOURTH_NEVER_IN = f"""
    p1 3s
    p2 3c
    p3 3d
    p1 2s
    p1 {run("s", "4")}
    p2 -
    p3 -
    p2 {run("c", "4")}
    p2 2c
"""


def test_every_rung_beats_those_below_it_and_none_above() -> None:
    for place, rung in enumerate(RUNGS):
        others = RUNGS[:place] + RUNGS[place + 1 :]
        assert beaten_by(PRO, rung, others) == list(RUNGS[:place])


def test_a_bomb_beats_as_many_2s_as_its_level_says() -> None:
    for rung, level in LADDER:
        assert beaten_by(PRO, rung, TWOS) == list(TWOS[: min(level, 3)])


def test_bombs_beat_no_other_combination() -> None:
    plain = ("As", "As Ah", "As Ac Ad", "3s 4c 5d", "Qs Kc Ad", run("s"))
    for rung in RUNGS:
        assert beaten_by(PRO, rung, plain) == []


def test_a_sequence_that_ends_in_a_2_can_be_bombed_whatever_its_length() -> None:
    assert beats(PRO, "Ks As 2c", "Kh Ah 2s")
    for rung in RUNGS:
        for low in "KQJT9876543":
            assert beats(PRO, rung, f"{run('d', low)} 2d")


def test_a_higher_bomb_of_the_same_rung_beats_a_lower_one() -> None:
    assert beats(PRO, "6s 6c 6d 6h", "5s 5c 5d 5h")
    assert beats(PRO, "3s 3c 3d 3h Ts Tc Td Th", "4s 4c 4d 4h 9s 9c 9d 9h")
    assert not beats(PRO, "4s 4c 4d 4h 9s 9c 9d 9h", "3s 3c 3d 3h Ts Tc Td Th")
    assert beats(PRO, "Kd Kh Ad Ah 2d 2h", "Ks Kc As Ac 2s 2c")


def test_2s_end_sequences_and_never_begin_or_break_them() -> None:
    assert read(PRO, "Ks As 2s") is not None
    for wrong in ("2s 3s 4s", "As 2s 3s", "3s 3c 4s 4c", "3s 3c 3d 4s 4c 4d"):
        assert read(PRO, wrong) is None


def test_several_fours_of_a_kind_offer_every_four_that_is_left() -> None:
    round = after("p1 3s\np2 8s\np2 4s 4c 4d 4h 9s 9c 9d 9h", ruleset=PRO)
    offered = legal_cards(round, 2)
    assert offered & cards("5s Ts As") == cards("5s Ts As")
    assert not offered & cards("3c 3d 3h 4s 9s")


def test_a_2_that_is_bombed_is_worth_1() -> None:
    round = after("p1 3s\np2 2h\np3 4s 4c 4d 4h", ruleset=PRO)
    assert paid(round) == ["p2 p3 1 bomb-bonus PP-CHOP"]
    round = after("p1 3s 4s 5s\np2 Kh Ah 2h\np3 4c 4d 4h 5c 5d 5h 6c 6d 6h", ruleset=PRO)
    assert paid(round) == ["p2 p3 1 bomb-bonus PP-CHOP"]


def test_points_compound_by_level_and_the_last_player_bombed_pays() -> None:
    once = "p1 3s\np2 2h\np3 6s 6c 7s 7c 8s 8c\np4 5s 5c 5d 5h"
    assert paid(after(once, ruleset=PRO)) == ["p3 p4 2 bomb-bonus PP-CHOP"]
    twice = f"{once}\np1 Ks Kc As Ac 2s 2c"
    assert paid(after(twice, ruleset=PRO)) == ["p4 p1 3 bomb-bonus PP-CHOP"]
    thrice = f"{twice}\np2 9s 9c Ts Tc Js Jc Qs Qc"
    assert paid(after(thrice, ruleset=PRO)) == ["p1 p2 5 bomb-bonus PP-CHOP"]


def test_a_bomb_is_worth_its_level_whatever_it_could_be_taken_apart_into() -> None:
    values = compiled(PRESETS[PRO]).capture_values
    for rung, level in LADDER:
        assert values.total(cards(rung)) == level
    # Taken apart into four pairs and two 2s, five pairs with 2s on top would come to 4.
    assert values.total(cards("Js Jc Qs Qc Ks Kc As Ac")) + 2 * values.total(cards("2s")) == 4
    assert values.total(cards("Ks Ac 2d")) == 1


@pytest.mark.parametrize(
    ("fours", "level"),
    [
        ("As Ac Ad Ah 2s 2c 2d 2h", 2),
        ("9s 9c 9d 9h As Ac Ad Ah", 2),
        ("9s 9c 9d 9h As Ac Ad Ah 2s 2c 2d 2h", 3),
        ("2s 2c 2d 2h", 4),
    ],
)
def test_fours_of_a_kind_together_are_worth_their_level_whatever_their_ranks(fours: str, level: int) -> None:
    assert compiled(PRESETS[PRO]).capture_values.total(cards(fours)) == level
    assert "payments.captured" in PRESETS[PRO].open


def test_a_pair_of_2s_is_worth_2_and_a_2_beaten_by_a_2_is_not_bombed() -> None:
    pair = "p1 3s 3c\np2 2d 2h\np3 6s 6c 7s 7c 8s 8c 9s 9c"
    assert paid(after(pair, ruleset=PRO)) == ["p2 p3 2 bomb-bonus PP-CHOP"]
    higher = "p1 3s\np2 2d\np3 2h\np4 5s 5c 5d 5h"
    assert paid(after(higher, ruleset=PRO)) == ["p3 p4 1 bomb-bonus PP-CHOP"]


def test_first_wins_2_second_1_third_loses_1_fourth_2_and_2s_left_cost_nothing() -> None:
    assert paid(after(FOUR_OUT, ruleset=PRO)) == [
        "p3 p2 1 placement PP-PLACE",
        "p4 p1 2 placement PP-PLACE",
    ]


def test_whoever_is_not_in_is_out_pays_twice_a_loss_and_2_to_everybody_who_goes_out() -> None:
    round = after(FOURTH_NEVER_IN, ruleset=PRO)
    assert (round.over, round.knocked_out) == (True, 0b1000)
    assert paid(round) == [
        "p3 p2 1 placement PP-PLACE",
        "p4 p1 4 placement PP-FULL",
        "p4 p1 2 got-to-get-in PP-GET-IN",
        "p4 p2 2 got-to-get-in PP-GET-IN",
    ]


def test_nobody_pays_to_get_in_who_is_in() -> None:
    assert not [line for line in paid(after(FOUR_OUT, ruleset=PRO)) if "got-to-get-in" in line]


@pytest.mark.parametrize(
    ("contract", "player", "points"),
    [
        ("guaransheed", "p1", ["p2 p1 1", "p3 p1 1", "p4 p1 1"]),
        ("guaransheed", "p3", ["p3 p1 2", "p3 p2 2", "p3 p4 2"]),
        ("blind-guaransheed", "p1", ["p2 p1 2", "p3 p1 2", "p4 p1 2"]),
        ("blind-guaransheed", "p2", ["p2 p1 2", "p2 p3 2", "p2 p4 2"]),
    ],
)
def test_a_guaransheed_is_paid_by_everybody_or_to_everybody(
    contract: str, player: str, points: list[str]
) -> None:
    lines = paid(after(f"{player} contract {contract}\n{FOUR_OUT}", ruleset=PRO))
    assert lines[:2] == ["p3 p2 1 placement PP-PLACE", "p4 p1 2 placement PP-PLACE"]
    assert lines[2:] == [f"{line} contract PP-CONTRACT" for line in points]


def test_a_guaransheed_is_said_before_the_play_and_once() -> None:
    late = refused("p1 3s\np2 contract guaransheed", ruleset=PRO).refusal
    assert (late.code, late.clause) == (Code.CONTRACT_TOO_LATE, "PP-CONTRACT")
    other = refused("p1 contract misère", ruleset=PRO).refusal
    assert other.code == Code.NO_SUCH_CONTRACT
    again = refused("p1 contract guaransheed\np1 contract blind-guaransheed", ruleset=PRO).refusal
    assert again.code == Code.NO_SUCH_CONTRACT
    assert PRESETS[PRO].contracts == (Contract("guaransheed", 1, 2), Contract("blind-guaransheed", 2, 2))


def test_there_are_no_instant_wins_and_pairs_need_not_match() -> None:
    refusal = refused(f"p1 claims {run('s')} 2s", ruleset=PRO).refusal
    assert refusal.code == Code.NOT_AN_INSTANT_WIN
    assert turn(after("p1 3s 3c\np2 5d 5s", ruleset=PRO)) == "p3 answers"

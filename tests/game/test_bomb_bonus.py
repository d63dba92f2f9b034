"""Who pays whom for a chopped pile: clauses CHOP and CHOP-OUT."""

import pytest

from ledger.game.scoring import payments
from tests.game.table import CLASSIC, WINNER_TAKES_ALL, after, paid, run

OUT_WITH_A_TWO = f"""round 1 lead p2
    p2 {run("h", "5")}
    p2 3c 3h
    p3 6c 6d
    p4 7c 7d
    p1 8s 8c
    p1 2c
    p2 2h
    p3 4s 4c 4d 4h"""


@pytest.mark.parametrize(
    ("pile", "expected"),
    [
        # The four examples of the source.
        ("p1 2c 2h\np2 4s 4c 4d 4h", ["p1 p2 3"]),
        ("p1 2d\np2 2h\np3 6s 6c 7s 7c 8s 8c", ["p2 p3 4"]),
        ("p1 2c\np2 Js Jc Qs Qc Ks Kc\np3 3s 3c 3d 3h", ["p2 p3 3"]),
        ("p1 3s 3c 4s 4c 5s 5c\np2 7s 7c 8s 8c 9s 9c", ["p1 p2 2"]),
        # And what follows from the clause.
        ("p1 9s\np2 2s\np3 4s 4c 4d 4h", ["p2 p3 1"]),
        ("p1 4s 4c 4d 4h", []),
        ("p1 3s 3c 4s 4c 5s 5c", []),
        ("p1 2s\np2 2h", []),
        ("p1 4s 4c 4d 4h\np2 5s 5c 5d 5h", ["p1 p2 3"]),
        ("p1 4s 4c 4d 4h\np2 5s 5c 5d 5h\np3 6s 6c 6d 6h", ["p2 p3 6"]),
        ("p1 2h\np2 4s 4c 4d 4h\np3 -\np4 -\np1 5s 5c 6s 6c 7s 7c 8s 8c", ["p2 p1 5"]),
        ("p1 2c 2h\np2 4s 4c 4d 4h\np3 5s 5c 5d 5h\np4 7s 7c 8s 8c 9s 9c Ts Tc", ["p3 p4 9"]),
        ("p1 3s 3c 4s 4c 5s 5c 6s 6c\np2 3d 3h 4d 4h 5d 5h 6d 6h", ["p1 p2 4"]),
    ],
)
@pytest.mark.parametrize("ending", ["", "\np1 -\np2 -\np3 -\np4 -"])
def test_s_chop_the_last_bomb_takes_every_play_below_it_from_whom_it_beat(
    pile: str, ending: str, expected: list[str]
) -> None:
    story = f"round 1 lead p1\n{pile}"
    if ending:
        last = pile.splitlines()[-1][:2]
        waiting = {"p1": "p2 p3 p4", "p2": "p3 p4 p1", "p3": "p4 p1 p2", "p4": "p1 p2 p3"}[last].split()
        passed = [line[:2] for line in pile.splitlines() if line.endswith("-")]
        story += "".join(f"\n{player} -" for player in waiting if player not in passed)
    assert paid(after(story)) == [f"{line} bomb-bonus S-CHOP" for line in expected]


def test_s_chop_the_bomb_is_the_cause() -> None:
    (payment,) = payments(after("round 1 lead p1\np1 9s\np2 2s\np3 4s 4c 4d 4h\np4 -\np1 -"))
    assert payment.move == 3


def test_s_chop_each_pile_pays_on_its_own_in_the_order_of_the_bombs() -> None:
    story = "round 1 lead p1\np1 2s\np2 4s 4c 4d 4h\np2 2c\np3 5s 5c 5d 5h\np3 3s"
    assert paid(after(story)) == ["p1 p2 1 bomb-bonus S-CHOP", "p2 p3 1 bomb-bonus S-CHOP"]


def test_s_chop_plays_are_valued_one_by_one_and_not_together() -> None:
    # The aces would be four of a kind if they were put together.
    story = "round 1 lead p1\np1 As Ac\np2 Ad Ah\np3 2d 2h\np4 4s 4c 4d 4h"
    assert paid(after(story)) == ["p3 p4 4 bomb-bonus S-CHOP"]


@pytest.mark.parametrize("ruleset", [CLASSIC, WINNER_TAKES_ALL])
def test_s_chop_a_bomb_that_stood_counts_as_having_beaten_what_it_lay_on(ruleset: str) -> None:
    story = "round 1 lead p1\np1 2s 2c 2d\np2 4s 4c 4d 4h !"
    assert paid(after(story, ruleset=ruleset)) == ["p1 p2 4 bomb-bonus S-CHOP"]
    worthless = "round 1 lead p1\np1 9s\np2 4s 4c 4d 4h !"
    assert paid(after(worthless, ruleset=ruleset)) == []


def test_s_chop_special_sets_in_what_is_no_combination_are_captured_too() -> None:
    story = "round 1 lead p1\np1 2s 9s !\np2 4s 4c 4d 4h !"
    assert paid(after(story)) == ["p1 p2 1 bomb-bonus S-CHOP"]


def test_s_chop_nobody_pays_themselves() -> None:
    # p1 chops their own two, which only a table can let stand.
    story = "round 1 lead p1\np1 2s\np1 4s 4c 4d 4h !"
    assert paid(after(story)) == []


def test_s_chop_out_nobody_pays_if_the_player_who_would_went_out_with_the_beaten_play() -> None:
    # The fifth example of the source: 2c, 2h and out, 4444.
    assert paid(after(OUT_WITH_A_TWO)) == []
    assert paid(after(f"{OUT_WITH_A_TWO}\np4 -\np1 -\np3 7s")) == []


def test_s_chop_out_a_bomb_on_that_bomb_is_paid_as_ever() -> None:
    round = after(f"{OUT_WITH_A_TWO}\np4 9s 9c Ts Tc Js Jc Qs Qc")
    assert paid(round) == ["p3 p4 6 bomb-bonus S-CHOP"]


def test_s_chop_out_the_player_of_a_bomb_who_goes_out_with_it_still_collects() -> None:
    story = f"p1 {run('s', '3', 'T')}\np1 Js\np2 2h\np1 Ks Kc Kd Kh"
    assert paid(after(story, players=2)) == ["p2 p1 2 bomb-bonus S-CHOP", "p2 p1 2 placement S-PLACE"]

"""Hands that win at once: clauses INSTANT and MISSED."""

import pytest

from ledger.game import scoring
from ledger.game.errors import Code, Verdict
from ledger.game.findings import findings
from ledger.game.rulesets.compiled import compiled
from ledger.game.rulesets.southern import CLASSIC as RULES
from ledger.game.scoring import Status, status
from tests.game.stories import FIRST_OUT, WHOLE_ROUND
from tests.game.table import (
    CLASSIC,
    WINNER_TAKES_ALL,
    after,
    cards,
    found,
    net,
    paid,
    refused,
    run,
    turn,
    verdict,
)

IMPOSSIBLE, IRREGULAR = Verdict.IMPOSSIBLE, Verdict.IRREGULAR
SIX_PAIRS = "4s 4c 6s 6c 8s 8c Ts Tc Qs Qc 2s 2c 3s"
OTHER_SIX_PAIRS = "4d 4h 6d 6h 8d 8h Td Th Qd Qh 2d 2h 3h"
NOTHING = "3s 3c 3d 5s 6s 7s 9s 9c Js Qs Kd Ah 2h"


@pytest.mark.parametrize(
    ("hand", "win"),
    [
        (SIX_PAIRS, "six-pairs"),
        # Four of a kind is two pairs, a triple is one.
        ("3s 3c 3d 3h 5s 5c 7s 7c 7d 9s 9c Js Jc", "six-pairs"),
        ("3c 3d 3h 5s 5c 7s 7c 7d 9s 9c Js Jc Jd", None),
        ("3c 3d 4s 4c 5s 5c 6s 6c 7s 7c 9s Js Ks", "five-consecutive-pairs"),
        ("Ts Tc Js Jc Qs Qc Ks Kc As Ac 4s 6s 8s", "five-consecutive-pairs"),
        ("Js Jc Qs Qc Ks Kc As Ac 2s 2c 4s 6s 8s", None),
        ("3c 3d 4s 4c 6s 6c 7s 7c 8s 8c 9d Js Ks", None),
        ("4s 4c 4d 5s 5c 5d 6s 6c 6d 8s Ts Qs 2h", "three-consecutive-triples"),
        ("Ks Kc Kd As Ac Ad 2s 2c 2d 8s Ts 4s 6h", None),
        ("4s 4c 4d 5s 5c 5d 7s 7c 7d 9s Ts Qs 2h", None),
        ("2s 2c 2d 2h 4s 5s 6s 7s 9s Ts Js Qs As", "four-twos"),
        (run("h") + " 2h", "dragon"),
        (run("d") + " 9s", "dragon"),
        ("4s 5s 6s 7s 8s 9s Ts Js Qs Ks As 2s 2c", None),
        (NOTHING, None),
    ],
)
@pytest.mark.parametrize("opening", [True, False])
def test_s_instant_names_the_hands_that_win(hand: str, win: str | None, opening: bool) -> None:
    assert cards(hand).bit_count() == 13
    met = compiled(RULES).instant_win(cards(hand), opening=opening)
    assert (met.name if met else None) == win


@pytest.mark.parametrize(
    ("hand", "wins"),
    [
        ("3s 3c 3d 3h 5s 7s 9s Ts Js Qs Kd Ah 2h", True),
        ("3s 3h 4s 4c 5s 5c 7s 9s Ts Js Kd Ah 2h", True),
        ("3s 3c 3d 4s 4c 5s 5c 6s 6c 9s Js Kd 2h", True),
        ("3c 3d 4s 4c 5s 5c 7s 9s Ts Js Kd Ah 2h", False),
        ("3s 4s 4c 5s 5c 6s 6c 9s Ts Js Kd Ah 2h", False),
        ("3s 4s 4c 4d 4h 6s 7c 9s Ts Js Kd Ah 2h", False),
    ],
)
def test_s_instant_a_bomb_with_the_three_of_spades_wins_where_the_lowest_card_opens(
    hand: str, wins: bool
) -> None:
    assert (compiled(RULES).instant_win(cards(hand), opening=True) is not None) is wins
    assert compiled(RULES).instant_win(cards(hand), opening=False) is None
    if wins:
        assert turn(after(f"p2 claims {hand}")) == "over"
        assert refused(f"round 1 lead p2\np2 claims {hand}").refusal.code is Code.NOT_AN_INSTANT_WIN


@pytest.mark.parametrize("ruleset", [CLASSIC, WINNER_TAKES_ALL])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_s_instant_the_claimant_collects_two_from_everyone_and_nothing_else_is_paid(
    players: int, ruleset: str
) -> None:
    round = after(f"p2 claims {SIX_PAIRS}", players=players, ruleset=ruleset)
    payers = [player for player in range(1, players + 1) if player != 2]
    assert paid(round) == [f"p{payer} p2 2 instant-win S-INSTANT" for payer in payers]
    assert {payment.move for payment in scoring.payments(round)} == {1}
    assert (status(round), scoring.hands(round), findings(round)) == (Status.INSTANT_WIN, {}, [])


def test_s_instant_two_claimants_pay_each_other_and_both_payments_are_listed() -> None:
    round = after(f"p3 claims {SIX_PAIRS}\np1 claims {OTHER_SIX_PAIRS}", players=3)
    assert paid(round) == [
        "p1 p3 2 instant-win S-INSTANT",
        "p2 p3 2 instant-win S-INSTANT",
        "p2 p1 2 instant-win S-INSTANT",
        "p3 p1 2 instant-win S-INSTANT",
    ]
    assert net(round) == [2, -4, 2]
    assert round.ending_move == 1


DRAGON = f"{run('h')} 3s"
STRONGEST, FIRST = "instant_wins.several=strongest", "instant_wins.several=first-in-turn"


def winners(story: str, *rules: str, players: int = 3) -> set[str]:
    """Who is paid anything in the last round of a story."""
    return {line.split()[1] for line in paid(after(story, rules=rules, players=players))}


def test_s_instant_a_table_may_let_the_strongest_of_several_win_alone() -> None:
    story = f"p3 claims {SIX_PAIRS.replace('3s', '3c')}\np1 claims {DRAGON}"
    assert winners(story) == {"p1", "p3"}
    assert winners(story, STRONGEST) == {"p1"}
    assert paid(after(story, rules=[STRONGEST], players=3)) == [
        "p2 p1 2 instant-win S-INSTANT",
        "p3 p1 2 instant-win S-INSTANT",
    ]


def test_s_instant_of_two_hands_of_one_kind_the_higher_cards_are_the_stronger() -> None:
    for first, second in ((1, 2), (2, 1)):
        hands = {1: SIX_PAIRS, 2: OTHER_SIX_PAIRS}
        story = f"p{first} claims {hands[first]}\np{second} claims {hands[second]}"
        assert winners(story, STRONGEST) == {"p2"}


@pytest.mark.parametrize(
    ("ruleset", "lower", "higher"),
    [
        ("card-count", "3s 3c 4s 4c 5s 5c 6s 6c 7s 7c Td As 2h", "8s 8c 9s 9c Ts Tc Js Jc Qs Qc 3d 4d 5d"),
        ("card-count", "3s 3c 5s 5c 7s 7c 9s 9c Js Jc Qs Qc 2h", "3d 3h 5d 5h 7d 7h 9d 9h Jd Jh Qd Qh Ac"),
        ("card-count", f"{run('c')} 2h", f"{run('d')} 4s"),
        ("northern", "3s 3c 5s 5c 7s 7c 9s 9c Js Jc Qs Qc Ah", "3d 3h 5d 5h 7d 7h 9d 9h Jd Jh Qd Qh 4c"),
        ("northern", "3s 3c 5s 5c 7s 7c 9s 9c Js Jc Qs Qc 2d", "4s 4c 5d 5h 7d 7h 9d 9h Jd Jh 2s 2h 3d"),
        (
            "southern-classic",
            "4s 4c 4d 5s 5c 5d 6s 6c 6d 8s Ts Qs 2h",
            "7s 7c 7d 8h 8c 8d 9s 9c 9d 3s 3c 3d 3h",
        ),
        ("casual", "3s 3c 3d 5s 5c 5d 7s 7c 7d 9s 9c 9d 2h", "4s 4c 4d 6s 6c 6d 8s 8c 8d Ts Tc Td 3h"),
        ("casual", "3s 3c 3d 3h 5s 5c 5d 5h 7s 7c 7d 7h 2h", "4s 4c 4d 4h 6s 6c 6d 6h 8s 8c 8d 8h 9h"),
    ],
)
def test_s_instant_what_is_left_over_decides_nothing(ruleset: str, lower: str, higher: str) -> None:
    for first, second in ((lower, higher), (higher, lower)):
        round = after(
            f"round 1 lead p3\np1 claims {first}\np2 claims {second}",
            rules=[STRONGEST],
            players=3,
            ruleset=ruleset,
        )
        assert round.winning_claims[0][0] == (first, second).index(higher)


def test_s_instant_of_one_colour_all_of_it_decides() -> None:
    black = "3s 3c 4s 5s 6s 7s 8s 9s Ts Js Qs Ks 2c"
    red = "3d 3h 4d 5d 6d 7d 8d 9d Td Jd Qd Kd 2d"
    round = after(f"round 1 lead p3\np1 claims {red}\np2 claims {black}", players=3, ruleset="card-count")
    assert [player for player, _ in round.winning_claims] == [0]


def test_s_instant_a_claim_of_no_winning_hand_that_stood_is_the_weakest() -> None:
    story = f"p2 claims {NOTHING} !\np1 claims {OTHER_SIX_PAIRS.replace('2h', '2s')}"
    assert winners(story, STRONGEST) == {"p1"}


@pytest.mark.parametrize(
    ("begins", "winner"),
    [
        ("round 1 lead p1", "p2"),
        ("round 1 lead p3", "p4"),
        ("round 1 lead p4", "p4"),
        # p2 holds 3♠ and opens; without 3♠ on the table nobody knows who would have.
        ("round 1 opening", "p2"),
    ],
)
def test_s_instant_a_table_may_let_the_first_in_turn_win_alone(begins: str, winner: str) -> None:
    story = f"{begins}\np4 claims {OTHER_SIX_PAIRS}\np2 claims {SIX_PAIRS}"
    assert winners(story, FIRST, players=4) == {winner}
    unknown = story.replace("3s", "Jh").replace(begins, "round 1 opening")
    assert winners(unknown, FIRST, players=4) == {"p4"}


def test_s_instant_whoever_wins_of_several_leads_the_next_round() -> None:
    rules = [STRONGEST, "opening.after_instant_win=no"]
    story = f"p3 claims {SIX_PAIRS.replace('3s', '3c')}\np1 claims {DRAGON}\nround 2\np1 4s"
    assert after(story, rules=rules, players=3).header.leader == 0
    assert after(story.replace("p1 4s", "p3 4s"), rules=rules[1:], players=3).header.leader == 2


@pytest.mark.parametrize(
    ("move", "code", "clause"),
    [
        ("p3 4s", Code.ROUND_OVER, "S-END"),
        ("p3 -", Code.ROUND_OVER, "S-END"),
        ("p3 shows 4s", Code.ROUND_OVER, "S-INSTANT"),
        ("p3 declares none", Code.ROUND_OVER, "S-INSTANT"),
        (f"p2 claims {SIX_PAIRS}", Code.CARD_ALREADY_PLAYED, "S-SEEN"),
        (f"p3 claims {SIX_PAIRS}", Code.CARD_ALREADY_PLAYED, "S-SEEN"),
        (f"p2 claims {OTHER_SIX_PAIRS}", Code.TOO_MANY_CARDS, "S-SEEN"),
    ],
)
def test_s_instant_after_a_claim_only_further_claims_are_taken(move: str, code: Code, clause: str) -> None:
    assert verdict(refused(f"p2 claims {SIX_PAIRS}\n{move}").refusal) == (code, IMPOSSIBLE, clause)


@pytest.mark.parametrize("hand", ["3s", "3s 4s 5s", SIX_PAIRS + " 5h"])
def test_s_instant_a_claim_shows_all_thirteen_cards(hand: str) -> None:
    error = refused(f"p1 claims {hand} !")
    assert verdict(error.refusal) == (Code.CLAIM_COUNT, IMPOSSIBLE, "S-INSTANT")
    assert error.refusal.count == 13


def test_s_instant_a_hand_that_does_not_win_is_irregular_and_may_stand() -> None:
    assert verdict(refused(f"p1 claims {NOTHING}").refusal) == (
        Code.NOT_AN_INSTANT_WIN,
        IRREGULAR,
        "S-INSTANT",
    )
    round = after(f"p1 claims {NOTHING} !")
    assert found(round) == ["not-an-instant-win S-INSTANT 1"]
    assert net(round) == [6, -2, -2, -2]


def test_s_instant_a_claim_comes_before_the_first_play() -> None:
    story = f"p1 3d\np3 2d\np2 claims {SIX_PAIRS}"
    assert verdict(refused(story, players=3).refusal) == (Code.CLAIM_TOO_LATE, IRREGULAR, "S-INSTANT")
    round = after(f"{story} !", players=3)
    assert found(round) == ["claim-too-late S-INSTANT 4", "opening-not-lowest S-OPEN 4"]
    assert paid(round) == ["p1 p2 2 instant-win S-INSTANT", "p3 p2 2 instant-win S-INSTANT"]


def test_s_instant_a_late_claim_that_stood_includes_what_the_claimant_has_played() -> None:
    assert net(after(f"p1 3s\np1 claims {SIX_PAIRS} !")) == [6, -2, -2, -2]
    error = refused(f"p1 3s\np2 3h\np2 claims {SIX_PAIRS} !")
    assert verdict(error.refusal) == (Code.CARD_ALREADY_PLAYED, IMPOSSIBLE, "S-SEEN")
    error = refused(f"p1 5h 5d !\np1 claims {SIX_PAIRS} !")
    assert verdict(error.refusal) == (Code.TOO_MANY_CARDS, IMPOSSIBLE, "S-SEEN")


def test_s_instant_a_late_claim_that_stood_takes_back_the_bonus_of_the_round() -> None:
    story = "round 1 lead p1\np1 2d\np2 5s 5c 5d 5h\np3 claims "
    assert paid(after(story.rpartition("\n")[0])) == ["p1 p2 2 bomb-bonus S-CHOP"]
    assert net(after(f"{story}{SIX_PAIRS} !")) == [-2, -2, 6, -2]


def test_s_instant_a_pass_that_stood_before_the_first_play_does_not_make_a_claim_late() -> None:
    assert found(after(f"p1 - !\np2 claims {SIX_PAIRS}")) == ["pass-on-empty-pile S-PASS 1"]


def test_s_instant_the_mark_is_dropped_from_a_claim_that_is_right() -> None:
    round = after(f"p2 claims {SIX_PAIRS} !")
    assert found(round) == []
    assert round.moves == after(f"p2 claims {SIX_PAIRS}").moves


def test_s_missed_a_hand_that_was_played_out_is_looked_back_on() -> None:
    assert found(after(FIRST_OUT[4])) == ["unclaimed-instant-win S-MISSED 9"]


def test_s_missed_a_hand_that_is_shown_or_deduced_is_too() -> None:
    missed = findings(after(WHOLE_ROUND[4]))
    assert [(one.player, one.code) for one in missed] == [
        (0, "unclaimed-instant-win"),
        (1, "unclaimed-instant-win"),
        (2, "unclaimed-instant-win"),
        (3, "unclaimed-instant-win"),
    ]
    # p4's hand is known as the round ends.
    assert missed[-1].move == after(WHOLE_ROUND[4]).ending_move
    shown = after(f"{FIRST_OUT[2]}\np2 shows 2c 3c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac", players=2)
    assert found(shown) == ["unclaimed-instant-win S-MISSED 5", "unclaimed-instant-win S-MISSED 6"]


def test_s_missed_a_hand_is_deduced_when_the_last_other_hand_is_shown() -> None:
    story = f"p1 3s\np2 4c\np3 5d\np1 2s\np1 {run('s', '4')}\np2 -\np3 -\np2 {run('c', '5')}\np2 2c\np2 3c"
    round = after(f"{story}\np3 shows 2d 3d 4d 6d 7d 8d 9d Td Jd Qd Kd Ad")
    moves = {finding.player: finding.move for finding in findings(round)}
    assert moves[3] == moves[2] == len(round.moves)


def test_s_missed_names_the_move_that_completed_the_hand_and_no_later_one() -> None:
    shown = f"{FIRST_OUT[2]}\np2 shows 2c 3c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac"
    expected = ["unclaimed-instant-win S-MISSED 5", "unclaimed-instant-win S-MISSED 6"]
    assert found(after(f"{shown}\np2 declares 2c\np1 declares none", players=2)) == expected


def test_s_missed_a_hand_that_was_only_declared_is_not_known() -> None:
    round = after(f"{FIRST_OUT[2]}\np2 declares 2c", players=2)
    assert found(round) == ["unclaimed-instant-win S-MISSED 5"]


def test_s_missed_a_bomb_with_the_three_of_spades_counts_only_where_the_lowest_card_opened() -> None:
    hand = "p1 3s 3c 3d 3h\np1 5s 6s 7s 8s 9s Ts Js Qs\np1 2h"
    assert found(after(hand, players=2)) == ["unclaimed-instant-win S-MISSED 5"]
    assert found(after(f"round 1 lead p1\n{hand}", players=2)) == []


def test_s_missed_moves_no_points() -> None:
    assert net(after(FIRST_OUT[2], players=2)) == [2, -2]


def test_so_many_bombs_that_share_no_card_win_at_once() -> None:
    rules = ["instant_wins.hands=two-bombs:bombs=2"]
    two = "3s 3c 4s 4c 5s 5c 7s 7c 7d 7h 9s Jc Kd"
    assert net(after(f"p2 claims {two}", rules=rules)) == [-2, 6, -2, -2]
    # Four pairs are one bomb, whatever they hold; three pairs and a four of a kind may share cards
    for one in ("3s 3c 4s 4c 5s 5c 6s 6c 8d 9s Jc Kd As", "3s 3c 4s 4c 5s 5c 5d 5h 8d 9s Jc Kd As"):
        assert refused(f"p2 claims {one}", rules=rules).refusal.code is Code.NOT_AN_INSTANT_WIN


def test_of_two_hands_of_bombs_the_one_with_the_higher_bombs_wins() -> None:
    rules = ["instant_wins.hands=two-bombs:bombs=2", "instant_wins.several=strongest"]
    low, high = "3s 3c 3d 3h 4s 4c 4d 4h 6s 8c Td Qh As", "5s 5c 5d 5h 9s 9c 9d 9h 6c 7d 8h Ts Jc"
    assert net(after(f"p1 claims {low}\np2 claims {high}", rules=rules)) == [-2, 6, -2, -2]
    assert net(after(f"p2 claims {high}\np1 claims {low}", rules=rules)) == [-2, 6, -2, -2]

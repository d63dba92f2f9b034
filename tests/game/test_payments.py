"""What is paid when a round has ended: clauses PLACE, FULL, SPECIAL and HOARD."""

import pytest

from ledger.game.caches import BoundedCache
from ledger.game.fold import voided
from ledger.game.hands import missing_hands
from ledger.game.night import sheet_totals, totals
from ledger.game.rulesets.compiled import compiled
from ledger.game.rulesets.overrides import RuleRefused, with_rules
from ledger.game.rulesets.southern import CLASSIC as RULES
from ledger.game.scoring import payments, sheet_of
from ledger.game.special_sets import Appraiser
from ledger.game.statistics import statistics
from tests.game.stories import FIRST_OUT, WHOLE_ROUND
from tests.game.table import CLASSIC, WINNER_TAKES_ALL, after, cards, net, paid, run, told


@pytest.mark.parametrize(
    ("players", "expected"),
    [
        (4, ["p3 p2 1 placement S-PLACE", "p4 p1 2 placement S-PLACE", "p4 p3 2 hoarding-penalty S-HOARD"]),
        (3, ["p2 p1 1 placement S-PLACE", "p3 p1 2 placement S-PLACE"]),
        (2, ["p2 p1 2 placement S-PLACE"]),
    ],
)
def test_s_place_classic_pays_by_place(players: int, expected: list[str]) -> None:
    assert paid(after(WHOLE_ROUND[players], players=players)) == expected


@pytest.mark.parametrize("players", [2, 3, 4])
def test_s_place_winner_takes_all_pays_the_winner_two_each(players: int) -> None:
    round = after(FIRST_OUT[players], players=players, ruleset=WINNER_TAKES_ALL)
    assert paid(round) == [f"p{payer} p1 2 placement S-PLACE" for payer in range(2, players + 1)]


@pytest.mark.parametrize(
    ("ruleset", "players", "played", "expected"),
    [
        # The four cases by hand: two, one and three knocked out, and the winner takes all.
        (CLASSIC, 4, 1, [8, 0, -4, -4]),
        (CLASSIC, 4, 2, [4, 1, -1, -4]),
        (CLASSIC, 4, 0, [12, -4, -4, -4]),
        (WINNER_TAKES_ALL, 4, 2, [8, -2, -2, -4]),
        (WINNER_TAKES_ALL, 4, 1, [10, -2, -4, -4]),
        (CLASSIC, 3, 1, [5, -1, -4]),
        (CLASSIC, 3, 0, [8, -4, -4]),
        (CLASSIC, 2, 0, [4, -4]),
        (WINNER_TAKES_ALL, 3, 0, [8, -4, -4]),
        (WINNER_TAKES_ALL, 2, 0, [4, -4]),
    ],
)
def test_s_full_whoever_is_left_with_thirteen_cards_pays_the_winner_four(
    ruleset: str, players: int, played: int, expected: list[int]
) -> None:
    others = "\n".join(["", "p2 4c", "p3 5d"][: played + 1])
    story = f"p1 3s{others}\np1 2s\np1 {run('s', '4')}"
    if (played, players, ruleset) == (2, 4, CLASSIC):
        story += f"\np2 -\np3 -\np2 {run('c', '5')}\np2 2c\np2 3c"
    round = after(story, players=players, ruleset=ruleset)
    assert round.over
    assert net(round) == expected
    full = [line for line in paid(round) if line.endswith("S-FULL")]
    assert full == [f"p{payer} p1 4 placement S-FULL" for payer in range(played + 2, players + 1)]


@pytest.mark.parametrize(("move", "passes"), [("2h", "p2 -\np3 -"), ("-", "p3 -")])
def test_s_full_a_knocked_out_player_whose_play_stood_still_pays_as_a_full_hand(
    move: str, passes: str
) -> None:
    story = f"p1 3s\np2 4c\np3 5d\np1 2s\np1 {run('s', '4')}\np2 -\np3 -\np2 3c\np4 {move} !\n{passes}"
    round = after(f"{story}\np2 {run('c', '5')}\np2 2c")
    assert paid(round) == ["p3 p2 1 placement S-PLACE", "p4 p1 4 placement S-FULL"]


def test_s_place_a_payment_without_payer_or_payee_is_not_made() -> None:
    round = after(f"p1 3s\np2 4c\np1 2s\np1 {run('s', '4')}")
    assert paid(round) == ["p3 p1 4 placement S-FULL", "p4 p1 4 placement S-FULL"]


@pytest.mark.parametrize(
    ("held", "worth"),
    [
        ("2s", 1),
        ("2c", 1),
        ("2d", 2),
        ("2h", 2),
        ("2s 2c 2d", 4),
        ("3s 3c 4s 4c 5s 5c", 2),
        ("8s 8c 8d 8h", 3),
        ("3s 3c 4s 4c 5s 5c 6s 6c", 4),
        ("As Ac Ad", 0),
        ("3s 4s 5s 6s 7s", 0),
        ("", 0),
        # The Rulings, and what follows from them.
        ("4s 4c 4d 4h 5s 5c 6s 6c", 3),
        ("3s 3c 3d 3h 4s 4c 5s 5c 6s 6c", 5),
        ("2s 2c 2d 2h", 6),
        ("3s 3c 4s 4c 5s 5c 6s 6c 7s 7c", 4),
        ("3s 3c 4s 4c 5s 5c 6s 6c 7s 7c 8s 8c", 4),
        ("3s 3c 4s 4c 5s 5c 7s 7c 8s 8c 9s 9c", 4),
        ("3s 3c 3d 3h 4s 4c 4d 4h 5s 5c 5d 5h", 9),
        ("3s 3c 3d 3h 4s 4c 4d 4h 5s 5c", 6),
        ("3s 3c 3d 3h 4s 4c 5s 5c 6s 6c 7s 7c", 7),
        ("5s 5c 5d 5h 6s 6c 6d 6h 7s 7c 8s 8c", 6),
        ("3s 3c 3d 3h 4s 4c 4d 4h 5s 5c 6s 6c 7s", 6),
        ("Qs Qc Ks Kc As Ac 2s 2h", 5),
        ("Ks Kc As Ac 2s 2c", 2),
        ("9s 9c 9d 9h 2d", 5),
    ],
)
def test_s_special_the_value_is_the_most_over_sets_that_share_no_card(held: str, worth: int) -> None:
    assert compiled(RULES).hand_values.total(cards(held)) == worth


@pytest.mark.parametrize(
    ("text", "special"),
    [
        ("2s", True),
        ("As", False),
        ("2s 2c", False),
        ("3s 3c 4s 4c 5s 5c", True),
        ("3s 3c 3d 4s 4c 5s", False),
        ("9s 9c 9d 9h", True),
        ("2s 2c 2d 2h", True),
        ("9s 9c 9d Th", False),
        ("3s 3c 4s 4c 5s 5c 6s 6c", True),
        ("3s 3c 4s 4c 5s 5c 6s 6c 7s 7c", False),
        ("Ks Kc As Ac 2s 2c", False),
    ],
)
def test_s_special_a_set_is_one_of_the_list_no_more_and_no_less(text: str, special: bool) -> None:
    assert compiled(RULES).hand_values.is_special_set(cards(text)) is special


def test_s_special_values_are_the_same_when_their_memory_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BoundedCache, "LIMIT", 2)
    values = Appraiser(RULES.deck, RULES.combinations, RULES.payments.special_sets)
    assert [values.total(cards(text)) for text in ("2s 3s", "2d 3c", "2h 3d", "2s 3s")] == [1, 2, 2, 1]


def test_s_hoard_the_last_player_left_pays_whoever_went_out_most_recently() -> None:
    assert paid(after(WHOLE_ROUND[4]))[-1] == "p4 p3 2 hoarding-penalty S-HOARD"
    two = after(f"{FIRST_OUT[2]}\np2 shows 2c 3c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac", players=2)
    assert paid(two) == ["p2 p1 2 placement S-PLACE", "p2 p1 1 hoarding-penalty S-HOARD"]


def test_s_hoard_a_knocked_out_player_pays_the_winner() -> None:
    story = f"p1 3s\np2 4c\np3 5d\np1 2s\np1 {run('s', '4')}\np2 -\np3 -\np2 {run('c', '5')}\np2 2c\np2 3c"
    round = after(f"{story}\np4 declares 2h\np3 declares 2d")
    assert paid(round) == [
        "p3 p2 1 placement S-PLACE",
        "p4 p1 4 placement S-FULL",
        "p3 p2 2 hoarding-penalty S-HOARD",
        "p4 p1 2 hoarding-penalty S-HOARD",
    ]


def test_s_hoard_everyone_pays_the_winner_who_takes_all() -> None:
    story = f"{FIRST_OUT[4]}\np2 declares 2c\np4 declares 2h\np3 declares 2d"
    round = after(story, ruleset=WINNER_TAKES_ALL)
    assert [line for line in paid(round) if "hoarding" in line] == [
        "p2 p1 1 hoarding-penalty S-HOARD",
        "p3 p1 2 hoarding-penalty S-HOARD",
        "p4 p1 2 hoarding-penalty S-HOARD",
    ]


def test_s_hoard_several_sets_are_added_up() -> None:
    story = f"round 1 lead p1\np1 {run('h', '3', '8')}\np1 {run('h', 'T')}\np1 3s\np2 4c\np1 2s"
    round = after(f"{story}\np2 declares 2c, 2d, 9s 9c 9d 9h", players=2)
    assert paid(round)[-1] == "p2 p1 6 hoarding-penalty S-HOARD"


# What other tables pay: each rule with a round that it changes, and one that it leaves

THREE_PLAY_ON = "result p1 p2 p3\nknocked p4\np3 declares none\np4 declares none"
CHAIN_OF_THREE = (
    "round 1 lead p1\np1 2h\np2 3s 3c 4s 4c 5s 5c\np3 6s 6c 6d 6h\np4 7s 7c 7d 7h\np1 -\np2 -\np3 -\np4 8s"
)
ONE_BOMB = "round 1 lead p1\np1 2h\np2 3s 3c 4s 4c 5s 5c"
LEFT_WITH = "result p1 p2 p3 p4\np2 shows 4s\np3 shows 4d 2s 2h\np4 shows 9s 9c 9d 9h"
NO_SETS_LEFT = "result p1 p2 p3 p4\np2 shows 4s\np3 shows 4d\np4 shows 9s"

LOWEST_LAST, LOWEST_IN_A_RUN = (
    f"round 1 lead p1\np1 {first}\np2 -\np3 -\np4 -\np1 2s\np2 -\np3 -\np4 -\np1 {last}"
    for first, last in ((run("s", "4"), "3s"), (run("s", "6"), "3s 4s 5s"))
)


@pytest.mark.parametrize(
    ("ruleset", "rule", "changed", "expected", "left"),
    [
        # Three play on, and are paid as three are: the last two pay the first 1 and 2. The fourth pays 4.
        (CLASSIC, "payments.full_hand_leaves=yes", THREE_PLAY_ON, [7, -1, -2, -4], "result p1 p2 p3 p4"),
        # A red 2, three pairs, a four of a kind and another: 2, 2 and 3
        (CLASSIC, "payments.chain=first", CHAIN_OF_THREE, [0, 0, -2, 2], ONE_BOMB),
        (CLASSIC, "payments.chain=growing", CHAIN_OF_THREE, [-2, 2 - 4, 4 - 7, 7], ONE_BOMB),
        (CLASSIC, "payments.chain=all-to-last", CHAIN_OF_THREE, [-2, -2, -3, 7], ONE_BOMB),
        # One card; three with a black 2 at 3 and a red one at 6; four of a kind at 12
        ("card-count", "payments.sets_beside_cards=yes", LEFT_WITH, [29, -1, -12, -16], NO_SETS_LEFT),
        # Three cards, of which the 2s cost 3 and 6 instead: 10, and twice twice that
        ("card-count", "payments.doubled_by_twos=yes", LEFT_WITH, [53, -1, -40, -12], NO_SETS_LEFT),
        # 3♠ last, alone: a full hand costs 8 and not 4
        (CLASSIC, "payments.lowest_last_doubles=yes", LOWEST_LAST, [24, -8, -8, -8], LOWEST_IN_A_RUN),
    ],
)
def test_what_other_tables_pay(ruleset: str, rule: str, changed: str, expected: list[int], left: str) -> None:
    assert net(after(changed, ruleset=ruleset, rules=[rule])) == expected
    assert net(after(changed, ruleset=ruleset)) != expected
    assert net(after(left, ruleset=ruleset, rules=[rule])) == net(after(left, ruleset=ruleset))


def test_a_hand_is_waited_for_where_a_2_in_it_would_double_what_it_costs() -> None:
    rules = ["payments.special_sets=none", "payments.doubled_by_twos=yes"]
    story = f"round 1 lead p1\np1 3s\np2 4c\np1 2s\np2 -\np1 {run('s', '4')}"
    waiting = after(story, players=2, ruleset="card-count", rules=rules)
    assert missing_hands(waiting) == [1]
    assert net(after(f"{story}\np2 declares 2d, 2h", players=2, ruleset="card-count", rules=rules)) == [
        48,
        -48,
    ]
    assert missing_hands(after(story, players=2, ruleset="card-count", rules=rules[:1])) == []


# A sheet beside the money


def scored(story: str, *rules: str) -> dict[int, int]:
    return sheet_of(after(story, rules=rules))


@pytest.mark.parametrize(
    ("sheet", "result", "expected"),
    [
        ("4-2-1-0", "result p3 p1 p4 p2", {0: 2, 1: 0, 2: 4, 3: 1}),
        ("4-3-2-1", "result p3 p1 p4 p2", {0: 3, 1: 1, 2: 4, 3: 2}),
        ("3-2-1-0", "result p2 p4\nknocked p1 p3", {0: 0, 1: 3, 2: 0, 3: 2}),
        ("none", "result p3 p1 p4 p2", {}),
    ],
)
def test_places_score_on_a_sheet_beside_the_money(sheet: str, result: str, expected: dict[int, int]) -> None:
    story = f"round 1 lead p1\n{result}"
    assert scored(story, f"payments.sheet={sheet}") == expected
    assert payments(after(story, rules=[f"payments.sheet={sheet}"])) == payments(after(story))


def test_whoever_wins_at_once_scores_as_the_first() -> None:
    dragon = "3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks As 2s"
    assert scored(f"round 1 opening\np2 claims {dragon}", "payments.sheet=4-3-2-1") == {
        0: 0,
        1: 4,
        2: 0,
        3: 0,
    }


def test_a_round_that_goes_on_or_does_not_count_scores_nothing() -> None:
    assert scored("round 1 lead p1\np1 3s", "payments.sheet=4-3-2-1") == {}
    ended = after("round 1 lead p1\nresult p1 p2 p3 p4", rules=["payments.sheet=4-3-2-1"])
    assert sheet_of(voided(ended, "misdeal")) == {}


def test_a_night_adds_its_sheet_up_and_leaves_it_out_of_every_balance() -> None:
    story = "round 1 lead p1\nresult p1 p2 p3 p4\nround 2 lead p1\nresult p2 p1 p3 p4"
    night = told(story, rules=["payments.sheet=4-2-1-0"])
    assert sheet_totals(night) == [6, 6, 2, 0]
    assert totals(night) == totals(told(story))
    assert sheet_totals(told(story)) == []
    counted = statistics([night]).people
    assert [one.sheet for one in counted.values()] == [6, 6, 2, 0]


# How many times as much it is where something doubles

TRIPLED = "payments.doubles_by=3"


def test_a_table_may_multiply_by_more_than_two_where_others_double() -> None:
    chain = "round 1 lead p1\np1 2s\np2 7s 7c 7d 7h\np3 8s 8c 8d 8h"
    doubled, tripled = (
        paid(after(chain, players=3, rules=["payments.chain=doubling", *rules])) for rules in ([], [TRIPLED])
    )
    assert doubled == ["p1 p2 1 bomb-bonus S-CHOP", "p2 p3 2 bomb-bonus S-CHOP"]
    assert tripled == ["p1 p2 1 bomb-bonus S-CHOP", "p2 p3 3 bomb-bonus S-CHOP"]
    assert paid(after(chain, players=3, rules=[TRIPLED])) == paid(after(chain, players=3))


@pytest.mark.parametrize("times", ["0", "1", "11", "-2"])
def test_whatever_is_no_multiple_is_refused(times: str) -> None:
    with pytest.raises(RuleRefused, match=r"2 to 10 times as much|takes a whole number"):
        with_rules(RULES, [("payments.doubles_by", times)])

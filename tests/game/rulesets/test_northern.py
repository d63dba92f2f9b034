"""The northern rules: suits are followed, bombs have their own order, cards are counted."""

import pytest

from ledger.game.cards import Card
from ledger.game.errors import Code
from ledger.game.hands import possible_cards
from ledger.game.legal_cards import legal_cards
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.compiled import compiled
from ledger.game.scoring import Status, payments, status
from tests.game.rulesets.asking import beaten_by, beats, read, wins_at_once
from tests.game.table import after, cards, found, net, paid, refused, run, turn

NORTH = "northern"
TWOS = ("2h", "2s 2h", "2s 2d 2h")


# Following suit


def test_a_single_card_follows_suit() -> None:
    assert beats(NORTH, "7s", "6s")
    assert not beats(NORTH, "7c", "6s")
    assert not beats(NORTH, "Ah", "6s")


@pytest.mark.parametrize(
    ("story", "follows"),
    [
        ("p1 3s\np2 4h", True),
        ("p1 3s 3c\np2 5d 5h", True),
        ("round 1 lead p1\np1 5s\np2 4h", False),
        ("round 1 lead p1\np1 2h\np2 2s", False),
        ("p1 3s\np2 5d 5h", False),
    ],
    ids=["a card", "a pair", "lower, too", "a 2", "another combination"],
)
def test_whether_only_the_suits_are_wrong_is_said(story: str, follows: bool) -> None:
    refusal = refused(story, ruleset=NORTH).refusal
    assert (refusal.code, refusal.follows) == (Code.DOES_NOT_BEAT, follows)


def test_a_2_beats_any_single_card_and_2s_go_by_suit() -> None:
    assert beats(NORTH, "2c", "Ah")
    assert beats(NORTH, "2d", "2c")
    assert not beats(NORTH, "2s", "2h")
    assert not beats(NORTH, "2h", "7s 7c")


def test_a_pair_is_of_one_colour_and_beats_its_own_colour() -> None:
    assert read(NORTH, "7s 7d") is None
    assert beats(NORTH, "8d 8h", "7d 7h")
    assert not beats(NORTH, "8d 8h", "7s 7c")


def test_a_pair_of_2s_of_any_suits_beats_any_pair() -> None:
    assert beats(NORTH, "2s 2h", "Ad Ah")
    assert beats(NORTH, "2c 2d", "As Ac")
    assert beats(NORTH, "2s 2h", "2c 2d")
    assert not beats(NORTH, "2c 2d", "2s 2h")


def test_a_triple_repeats_the_three_suits() -> None:
    assert beats(NORTH, "8s 8d 8h", "5s 5d 5h")
    assert not beats(NORTH, "8c 8d 8h", "5s 5d 5h")
    assert beats(NORTH, "2s 2c 2d", "5c 5d 5h")
    assert beats(NORTH, "2s 2d 2h", "2s 2c 2d")


def test_a_sequence_is_of_one_suit_and_answered_in_that_suit_and_length() -> None:
    assert read(NORTH, "6c 7c 8d") is None
    assert read(NORTH, "Ks As 2s") is None
    assert beats(NORTH, "6c 7c 8c", "5c 6c 7c")
    assert not beats(NORTH, "6h 7h 8h", "5c 6c 7c")
    assert not beats(NORTH, "5c 6c 7c 8c", "4c 5c 6c")


def test_a_pair_sequence_is_of_one_colour_throughout() -> None:
    assert read(NORTH, "5s 5c 6s 6c 7s 7c") is not None
    assert read(NORTH, "5s 5c 6d 6h 7s 7c") is None
    assert read(NORTH, "5s 5d 6s 6d 7s 7d") is None


def test_only_cards_that_may_follow_are_offered() -> None:
    single = legal_cards(after("p1 3s", ruleset=NORTH), 1)
    assert single & cards("4s As 2h") == cards("4s As 2h")
    assert not single & cards("4c Ad Ah")
    pair = legal_cards(after("p1 3s 3c", ruleset=NORTH), 1)
    assert pair & cards("9s 9c 2s 2d") == cards("9s 9c 2s 2d")
    assert not pair & cards("9d 9h 3d")
    row = legal_cards(after("p1 3s 4s 5s", ruleset=NORTH), 1)
    assert row & cards("6s") == cards("6s")
    assert not row & cards("6c 7d 2h")


# Bombs

BLACK3, RED3 = "5s 5c 6s 6c 7s 7c", "8d 8h 9d 9h Td Th"
FOURS = "9s 9c 9d 9h"
ROW5, ROW6 = run("c", "4", "8"), run("s", "4", "9")
FOUR_PAIRS, FIVE_PAIRS = f"{BLACK3} 8s 8c", f"{BLACK3} 8s 8c 9s 9c"
ORDER = (BLACK3, FOURS, ROW5, ROW6, FOUR_PAIRS, FIVE_PAIRS)


@pytest.mark.parametrize(
    ("bomb", "twos"),
    [(BLACK3, 1), (FOURS, 2), (ROW5, 2), (ROW6, 3), (run("d"), 3), (FOUR_PAIRS, 2), (FIVE_PAIRS, 3)],
)
def test_a_bomb_beats_so_many_2s(bomb: str, twos: int) -> None:
    assert beaten_by(NORTH, bomb, TWOS) == list(TWOS[:twos])


def test_bombs_have_an_order_whatever_their_suits_and_sizes() -> None:
    for place, bomb in enumerate(ORDER):
        others = ORDER[:place] + ORDER[place + 1 :]
        assert beaten_by(NORTH, bomb, others) == list(ORDER[:place])


def test_of_one_kind_the_higher_bomb_beats_a_lower_one_of_any_colour() -> None:
    assert beats(NORTH, RED3, BLACK3)
    assert beats(NORTH, "Ts Tc Td Th", FOURS)
    assert beats(NORTH, "5d 5h 6d 6h 7d 7h", BLACK3)


def test_long_sequences_go_by_length_then_rank_then_suit() -> None:
    longest, hearts, clubs = run("s", "4", "9"), run("h", "4", "8"), run("c", "4", "8")
    assert beaten_by(NORTH, longest, (hearts, clubs)) == [hearts, clubs]
    assert beaten_by(NORTH, hearts, (longest, clubs)) == [clubs]
    assert beaten_by(NORTH, clubs, (longest, hearts)) == []
    assert beats(NORTH, run("s", "5", "9"), hearts)


def test_a_short_sequence_is_no_bomb() -> None:
    for short in (run("s", "4", "6"), run("s", "4", "7")):
        assert beaten_by(NORTH, short, TWOS) == []


def test_nobody_chops_after_a_pass_or_out_of_turn() -> None:
    story = f"p1 3s\np2 -\np3 2h\np4 -\np1 -\np2 {FOUR_PAIRS}"
    assert refused(story, ruleset=NORTH).refusal.code == Code.LOCKED_OUT
    early = f"p1 3s\np2 2h\np4 {BLACK3}"
    assert refused(early, ruleset=NORTH, strict=True).refusal.code == Code.NOT_YOUR_TURN


def test_each_chop_is_paid_by_itself() -> None:
    story = f"p1 3s\np2 2c\np3 {BLACK3}\np4 {FOURS}"
    assert paid(after(story, ruleset=NORTH)) == ["p2 p3 2 bomb-bonus N-CHOP", "p3 p4 6 bomb-bonus N-CHOP"]
    pair = f"p1 3s 3c\np2 2s 2h\np3 {FOURS}"
    assert paid(after(pair, ruleset=NORTH)) == ["p2 p3 6 bomb-bonus N-CHOP"]
    row = f"p1 3s\np2 2c\np3 {ROW5}\np4 9s 9c Ts Tc Js Jc Qs Qc"
    assert paid(after(row, ruleset=NORTH)) == ["p2 p3 2 bomb-bonus N-CHOP"]


def test_a_2_on_a_2_is_no_chop() -> None:
    assert paid(after("p1 3s\np2 2c\np3 2h", ruleset=NORTH)) == []


# What cards left cost

OUT = f"p1 3s\np2 4s\np1 2s\np1 {run('s', '5', 'A')}\np1 5c"
"""Two play: p1 goes out, p2 has played one card."""


@pytest.mark.parametrize(
    ("left", "points"),
    [
        ("2s 7d", 3),
        ("2h Kc", 5),
        ("3s 4d 5h", 3),
        ("6s 6c 6d 6h 9c", 9),
        ("5s 5c 6s 6c 7s 7c", 6),
        ("5s 5c 6s 6c 7s 7c 8s 8c", 8),
        ("2s 2h", 6),
        ("2s 2c 2d 2h", 12),
        ("5s 5c 6d 6h 7s 7c", 6),
        ("5s 5d 6s 6d 7s 7d 9c", 7),
    ],
)
def test_cards_left_cost_1_and_special_sets_their_value_instead(left: str, points: int) -> None:
    ruleset = PRESETS[NORTH]
    hand = ruleset.deck.gather(map(Card.read, left.split()))[0]
    assert hand.bit_count() + compiled(ruleset).values_above_cards.total(hand) == points


def test_the_first_player_out_is_paid_for_what_is_left() -> None:
    hand = "3c 3d 6c 7d 8c 9d Tc Jd Qc Kd Ah 2h"
    round = after(f"{OUT}\np2 shows {hand}", players=2, ruleset=NORTH)
    assert paid(round) == ["p2 p1 15 card-count N-CARDS"]


@pytest.mark.parametrize(("last", "points"), [("Ah", 26), ("2c", 27), ("2h", 29)])
def test_who_has_played_nothing_pays_26_with_special_sets_in_place_of_their_cards(
    last: str, points: int
) -> None:
    hand = f"3c 4d 5c 5d 6c 7d 8c 9d Tc Jd Qc Kd {last}"
    round = after(f"p1 {run('s')}\np1 4c\np2 shows {hand}", players=2, ruleset=NORTH)
    assert paid(round) == [f"p2 p1 {points} card-count N-CARDS"]


def test_pair_sequences_of_two_colours_are_no_special_set() -> None:
    declared = "p2 declares 6c 6d 7c 7d 8c 8d"
    refusal = refused(f"{OUT}\n{declared}", players=2, ruleset=NORTH).refusal
    assert refusal.code == Code.DECLARATION_CONTRADICTED


# Going out with 2s

BEFORE_THE_LAST = f"p1 {run('s', '3', 'K')}\np1 5d\np2 6d"


def test_nobody_goes_out_on_top_of_others_with_a_2() -> None:
    refusal = refused(f"{BEFORE_THE_LAST}\np1 2s", players=2, ruleset=NORTH).refusal
    assert (refusal.code, refusal.clause) == (Code.LAST_CARD_TWO, "N-END")
    offered = legal_cards(after(BEFORE_THE_LAST, players=2, ruleset=NORTH), 0)
    assert offered & cards("7d Ad") == cards("7d Ad")
    assert not offered & cards("2s 2h")


def test_whoever_goes_out_with_a_2_all_the_same_pays_everybody_13() -> None:
    round = after(f"{BEFORE_THE_LAST}\np1 2s !", players=2, ruleset=NORTH)
    assert found(round) == ["last-card-two N-END 5"]
    assert paid(round) == ["p1 p2 13 placement N-END"]


def test_whoever_leads_and_holds_nothing_but_2s_may_and_pays_13_for_each() -> None:
    story = f"p1 {run('s', '3', 'K')}\np1 2s 2d"
    round = after(story, players=3, ruleset=NORTH)
    assert paid(round) == ["p1 p2 26 placement N-END", "p1 p3 26 placement N-END"]
    assert turn(round) == "over"


# Going out with 3♠

BY_THREE = f"round 1 lead p1\np1 {run('s', '4')}\np1 2s\np1 3s"
"""p1 goes out with 3♠ alone; nobody else has played anything."""

CAUGHT = f"round 1 lead p2\np2 {run('c', '4')}\np2 Ks\np1 2h\np1 {run('d')}"
"""Two play; p1 goes out, p2 is left with one card."""


def test_n_last_card_whoever_goes_out_with_3s_alone_is_paid_26_by_everybody_besides() -> None:
    round = after(f"{BY_THREE}\np2 declares none\np3 declares none", ruleset=NORTH, players=3)
    assert paid(round) == [
        "p2 p1 26 card-count N-CARDS",
        "p3 p1 26 card-count N-CARDS",
        "p2 p1 26 last-card N-LAST-CARD",
        "p3 p1 26 last-card N-LAST-CARD",
    ]
    assert {payment.move for payment in payments(round)} == {round.ending_move}


@pytest.mark.parametrize(
    "plays",
    [
        ("2s", run("s")),
        (run("s", "4"), "3s 3c"),
        (run("s", "4"), "2s", "3c"),
        ("3s", run("s", "5"), "2s", "4s"),
    ],
)
def test_n_last_card_only_3s_by_itself_is_one(plays: tuple[str, ...]) -> None:
    story = "\n".join(["round 1 lead p1", *(f"p1 {play}" for play in plays)])
    round = after(story, ruleset=NORTH, players=2)
    assert (round.over, paid(round)) == (True, ["p2 p1 26 card-count N-CARDS"])


@pytest.mark.parametrize("said", ["p2 shows 3s", "p2 declares 3s"])
def test_n_last_card_who_is_caught_with_3s_alone_pays_the_winner_26(said: str) -> None:
    assert possible_cards(after(CAUGHT, ruleset=NORTH, players=2), 1) & cards("3s 3h") == cards("3s")
    round = after(f"{CAUGHT}\n{said}", ruleset=NORTH, players=2)
    assert paid(round) == ["p2 p1 1 card-count N-CARDS", "p2 p1 26 last-card N-LAST-CARD"]


@pytest.mark.parametrize("said", ["p2 shows 3c", "p2 declares none"])
def test_n_last_card_any_other_card_costs_what_it_costs(said: str) -> None:
    round = after(f"{CAUGHT}\n{said}", ruleset=NORTH, players=2)
    assert paid(round) == ["p2 p1 1 card-count N-CARDS"]


def test_n_last_card_3s_is_nothing_to_declare_among_others_or_where_it_costs_nothing() -> None:
    for story, players, ruleset in ((OUT, 2, NORTH), (CAUGHT, 2, "card-count")):
        refusal = refused(f"{story}\np2 declares 3s", players=players, ruleset=ruleset).refusal
        assert refusal.code == Code.DECLARATION_CONTRADICTED


def test_n_last_card_either_half_may_be_agreed_on_alone() -> None:
    rules = ["payments.lowest_last=6"]
    out = after(BY_THREE, ruleset="southern-winner-takes-all", players=2, rules=rules)
    assert paid(out)[-1] == "p2 p1 6 last-card S-LAST-CARD"
    caught = after(f"{CAUGHT}\np2 shows 3s", ruleset="card-count", players=2, rules=rules)
    assert paid(caught) == ["p2 p1 1 card-count DL-CARDS"]


# Instant wins


@pytest.mark.parametrize(
    ("name", "hand"),
    [
        ("four-twos", "2s 2c 2d 2h 3s 5h 7d 9c Js Kh Kd Ac 9s"),
        ("dragon-of-one-suit", f"{run('d')} 3c"),
        ("six-pairs-of-one-colour", "3s 3c 5d 5h 7s 7c 9d 9h Js Jc 2s 2h Kd"),
        ("five-consecutive-pairs-of-one-colour", "3s 3c 4s 4c 5s 5c 6s 6c 7s 7c 9d Jd Kd"),
        ("one-colour", "3s 3c 4s 5c 7s 7c 9s 9c Js Qc Ks As 2c"),
    ],
)
def test_these_hands_win_13_from_everybody(name: str, hand: str) -> None:
    assert wins_at_once(NORTH, hand) == name
    assert paid(after(f"p2 claims {hand}", players=3, ruleset=NORTH)) == [
        "p1 p2 13 instant-win N-INSTANT",
        "p3 p2 13 instant-win N-INSTANT",
    ]


@pytest.mark.parametrize(
    "hand",
    [
        " ".join(rank + suit for rank, suit in zip("3456789TJQKA", "scdhscdhscdh", strict=True)) + " 3h",
        "3s 3d 5s 5d 7s 7d 9s 9d Js Jd Ks Kd 2h",
        "3s 3c 4s 4c 5d 5h 6s 6c 7s 7c 9d Jd Kd",
        "3s 3c 4s 5c 7s 7c 9s 9c Js Qc Ks As 2h",
    ],
    ids=[
        "dragon of several suits",
        "pairs of two colours",
        "five pairs of both colours",
        "twelve of a colour",
    ],
)
def test_these_hands_do_not(hand: str) -> None:
    assert wins_at_once(NORTH, hand, opening=True) is None


def test_four_3s_win_in_an_opening_round_only() -> None:
    hand = "3s 3c 3d 3h 5s 6c 8d 9h Jc Qd Kh As 2h"
    assert wins_at_once(NORTH, hand, opening=True) == "four-threes"
    assert wins_at_once(NORTH, hand) is None


def test_n_end_after_last_twos_nobody_shows_what_nobody_is_paid_for() -> None:
    story = "round 1 lead p1\np1 4s 5s 6s 7s 8s 9s Ts Js Qs Ks As\np2 -\np1 3c\np2 -\np1 2h"
    round = after(story, ruleset=NORTH, players=2)
    assert (status(round), net(round)) == (Status.SETTLED, [-13, 13])

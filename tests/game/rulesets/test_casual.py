"""Casual rules: what the survey says of them, with its example."""

import pytest

from ledger.game import notation
from ledger.game.errors import Code
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.model import Dealer, Direction
from tests.game.rulesets.asking import beats, one_by_one, wins_at_once
from tests.game.rulesets.counting import beats_between
from tests.game.table import after, net, paid, refused, run, tags, told, turn

CASUAL = "casual"
SUITS = [(run(suit), f"2{suit}") for suit in "scdh"]
IN_ORDER = one_by_one(SUITS)


def test_players_choose_whether_the_winner_or_the_low_card_starts() -> None:
    assert told(f"{IN_ORDER}\nround 2\np3 3s", ruleset=CASUAL).rounds[1].header.leader is None
    rules = ["opening.every_round=no"]
    assert told(f"{IN_ORDER}\nround 2\np1 5d", ruleset=CASUAL, rules=rules).rounds[1].header.leader == 0
    assert "opening.every_round" in PRESETS[CASUAL].open


def test_the_loser_deals_and_the_direction_reverses_each_game() -> None:
    deal = PRESETS[CASUAL].deal
    assert (deal.dealer, deal.direction) == (Dealer.LAST, Direction.ALTERNATING)


def test_a_round_without_seats_goes_the_other_way_round_than_the_one_before() -> None:
    story = "round 1 opening\nresult p2 p3 p4 p1\nround 2 opening\np1 3s"
    night = told(f"{story}\np4 4s", ruleset=CASUAL)
    assert [tags(round.header.seats) for round in night.rounds] == ["p1 p2 p3 p4", "p4 p3 p2 p1"]
    assert refused(f"{story}\np2 4s", ruleset=CASUAL, strict=True).refusal.code is Code.NOT_YOUR_TURN
    there_and_back = "\n".join(f"round {number} opening\nresult p2 p3 p4 p1" for number in (1, 2, 3))
    assert tags(after(there_and_back, ruleset=CASUAL).header.seats) == "p1 p2 p3 p4"


def test_a_voided_round_is_played_again_in_its_own_direction() -> None:
    story = "round 1 opening\nresult p2 p3 p4 p1\nround 2\nvoid misdealt\nround 3"
    assert tags(after(story, ruleset=CASUAL).header.seats) == "p4 p3 p2 p1"
    assert tags(after("void misdealt\nround 2", ruleset=CASUAL).header.seats) == "p1 p2 p3 p4"


def test_headers_are_written_with_seats_where_these_are_not_turned_round() -> None:
    story = "round 1 opening\nresult p2 p3 p4 p1\nround 2 opening p4 p3 p2 p1\nvoid x\nround 3 opening p1 p2 p3 p4"
    text = notation.write(told(story, ruleset=CASUAL))
    headers = [line for line in text.splitlines() if line.startswith("round")]
    assert headers == ["round 1 opening", "round 2 opening", "round 3 opening p1 p2 p3 p4"]
    assert notation.write(notation.replay(notation.read(text))) == text


def test_any_table_may_agree_that_the_direction_changes() -> None:
    story = "round 1 opening\nresult p2 p3 p4 p1\np1 declares none\nround 2"
    assert tags(after(story).header.seats) == "p1 p2 p3 p4"
    rules = ["deal.direction=alternating"]
    assert tags(after(story, rules=rules).header.seats) == "p4 p3 p2 p1"


def test_trading_and_instant_wins_are_agreed_on_before_play() -> None:
    assert PRESETS[CASUAL].customs == ("trading",)
    assert {"customs", "instant_wins.hands"} <= set(PRESETS[CASUAL].open)


@pytest.mark.parametrize(
    ("hand", "win"),
    [
        (f"{run('s', '3', '9')} {run('h', 'T')} 2c", "dragon"),
        # Twelve ranks are not enough
        (f"{run('s')} 3h", None),
        ("3s 3c 3d 6s 6c 6d 9s 9c 9d Qs Qc Qd 2h", "four-triples"),
        ("3s 3c 3d 4s 4c 4d 5s 5c 5d Qs Ks 7d 2h", None),
        ("3s 3c 3d 3h 7s 7c 7d 7h Js Jc Jd Jh 2h", "three-fours"),
        ("3s 3c 5s 5c 7s 7c 9s 9c Js Jc Ks Kc 2h", "six-pairs"),
        ("2s 2c 2d 2h 3s 4c 6d 7h 8s 9c Jd Qh As", "four-twos"),
    ],
)
def test_instant_wins_are_four_2s_thirteen_in_a_row_four_triples_three_bombs_or_six_pairs(
    hand: str, win: str | None
) -> None:
    assert wins_at_once(CASUAL, hand) == win


ANY_HAND = ("3h", "2h", "2d 2h", "2c 2d 2h", "9s 9c 9d", "4s 5s 6s 7s", run("d"))
CHOP, LONG = "3s 3c 4s 4c 5s 5c", "3s 3c 4s 4c 5s 5c 6s 6c"


@pytest.mark.parametrize("chop", [CHOP, LONG, f"{LONG} 7s 7c", f"{LONG} 7s 7c 8s 8c"])
def test_chops_beat_any_hand_but_bombs(chop: str) -> None:
    bomb = "Ts Tc Td Th"
    assert beats_between(CASUAL, (chop, *ANY_HAND, bomb))[chop] == list(ANY_HAND)


def test_higher_chops_with_the_same_number_of_pairs_are_played_on_lower_ones() -> None:
    chops = (CHOP, "4d 4h 5d 5h 6d 6h", LONG, "6d 6h 7d 7h 8d 8h 9d 9h")
    assert beats_between(CASUAL, chops) == {chops[1]: [chops[0]], chops[3]: [chops[2]]}


def test_with_the_five_of_clubs_as_the_high_card_one_with_a_red_five_or_higher_pairs_beats_it() -> None:
    chop = "3s 3c 4s 4c 5s 5c"
    for higher in ("3d 3h 4d 4h 5d 5h", "3d 3h 4d 4h 5s 5d", "4d 4h 5d 5h 6s 6c"):
        assert beats(CASUAL, higher, chop)
        assert not beats(CASUAL, chop, higher)


def test_bombs_beat_any_hand_and_every_chop_and_lower_bombs() -> None:
    bombs = ("4s 4c 4d 4h", "9s 9c 9d 9h")
    chops = (CHOP, LONG, f"{LONG} 7s 7c", f"{LONG} 7s 7c 8s 8c")
    plays = tuple(play for play in (*ANY_HAND, *chops, *bombs))
    found = beats_between(CASUAL, plays)
    assert found[bombs[0]] == [*ANY_HAND, *chops]
    assert found[bombs[1]] == [*ANY_HAND, *chops, bombs[0]]


def test_a_chop_is_played_on_a_low_pair_and_a_bomb_on_the_chop() -> None:
    pile = "round 1 lead p1\np1 6d 6h\np2 3s 3c 4s 4c 5s 5c\n"
    assert turn(after(pile, ruleset=CASUAL)) == "p3 answers"
    assert turn(after(f"{pile}p3 9s 9c 9d 9h", ruleset=CASUAL)) == "p4 answers"
    refusal = refused(f"{pile}p3 7s 7c 8s 8c 9s 9c Ts Tc", ruleset=CASUAL).refusal
    assert (refusal.code, refusal.clause) == (Code.DOES_NOT_BEAT, "T-BOMB")


def test_whoever_passes_may_not_play_again_until_the_next_pile() -> None:
    refusal = refused("p1 3s\np2 -\np3 4s\np4 -\np1 5s\np2 8s 8c 8d 8h", ruleset=CASUAL).refusal
    assert refusal.code == Code.LOCKED_OUT


def test_players_go_on_until_one_is_left_and_only_wins_are_tracked() -> None:
    round = after(IN_ORDER, ruleset=CASUAL)
    assert (tags(round.places), paid(round), net(round)) == ("p1 p2 p3 p4", [], [0, 0, 0, 0])

"""One family's rules: what its page says, with every example that it prints."""

from collections import Counter

import pytest

from ledger.game.errors import Code
from ledger.game.legal_cards import legal_cards
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.model import Dealer, Direction
from ledger.game.scoring import payments
from tests.game.rulesets.asking import beats, read, wins_at_once
from tests.game.rulesets.counting import beats_between, blocks, counted
from tests.game.table import after, found, refused, run, told, turn, verdict

FAMILY = "family"
PASSES = "p2 -\np3 -\np4 -\n"
ALL_PASS_P1 = f"round 1 lead p1\np1 6d 6h\n{PASSES}"


def refusal(story: str, *, strict: bool = False) -> tuple[str, str]:
    caught = refused(story, ruleset=FAMILY, strict=strict).refusal
    return caught.code, caught.clause


def test_f_forward_the_last_player_left_in_a_pile_may_go_forward_with_ever_higher_combinations() -> None:
    round = after(f"{ALL_PASS_P1}p1 forward 8s 8h\np1 forward Ts Td", ruleset=FAMILY)
    assert turn(round) == "p1 leads"
    assert [laid.player for laid in round.pile] == [0, 0, 0]
    assert found(round) == []


def test_going_forward_in_the_opposite_order_is_not_possible() -> None:
    assert refusal(f"{ALL_PASS_P1}p1 forward Ts Td\np1 forward 8s 8h") == ("does-not-beat", "F-COMPARE")
    assert refusal(f"{ALL_PASS_P1}p1 forward 9s") == ("does-not-beat", "F-COMPARE")


def test_nobody_else_may_play_while_a_player_goes_forward() -> None:
    for after_it in ("", "p1 forward 8s 8h\n"):
        assert refusal(f"{ALL_PASS_P1}{after_it}p2 9s 9h") == ("locked-out", "F-PASS")
        assert refusal(f"{ALL_PASS_P1}{after_it}p2 -") == ("locked-out", "F-PASS")


def test_whether_or_not_it_went_forward_the_player_starts_a_new_pile_with_any_combination() -> None:
    for forward in ("", "p1 forward 8s 8h\n"):
        round = after(f"{ALL_PASS_P1}{forward}p1 3s", ruleset=FAMILY)
        assert turn(round) == "p2 answers"
        assert len(round.pile) == 1
        assert not round.locked(1)


def test_going_forward_may_be_stopped_at_any_play_and_is_not_needed_to_lead_something_higher() -> None:
    round = after(f"{ALL_PASS_P1}p1 forward 8s 8h\np1 Ts Td", ruleset=FAMILY)
    assert turn(round) == "p2 answers"
    assert len(round.pile) == 1


def test_going_forward_implies_the_passes_of_everybody_else() -> None:
    round = after("round 1 lead p1\np1 6d 6h\np2 -\np1 forward 8s 8h", ruleset=FAMILY)
    assert [type(move).__name__ for move in round.moves] == ["Play", "Pass", "Pass", "Pass", "Play"]
    assert refusal("round 1 lead p1\np1 6d 6h\np2 -\np1 forward 8s 8h", strict=True) == (
        "not-your-turn",
        "F-PASS",
    )


def test_only_the_winner_of_a_pile_goes_forward_and_only_where_the_table_does() -> None:
    assert refusal("round 1 lead p1\np1 forward 6d 6h") == ("not-your-turn", "F-FORWARD")
    assert refusal("round 1 lead p1\np1 6d\np2 forward 7d") == ("not-your-turn", "F-FORWARD")
    story = f"round 1 lead p1\np1 6d 6h\n{PASSES}p1 forward 8s 8h"
    assert verdict(refused(story).refusal) == (Code.NOT_YOUR_TURN, "irregular", "S-FORWARD")


def test_going_forward_where_nobody_does_lies_on_the_pile_if_it_stands() -> None:
    round = after(f"round 1 lead p1\np1 6d 6h\n{PASSES}p1 forward 8s 8h !")
    assert (turn(round), len(round.pile)) == ("p1 leads", 2)
    assert found(round) == ["not-your-turn S-FORWARD 5"]


def test_a_chop_may_go_forward_on_ones_own_2_and_nobody_is_paid() -> None:
    round = after(f"round 1 lead p1\np1 2s\n{PASSES}p1 forward 5s 5c 5d 5h\np1 3s", ruleset=FAMILY)
    assert len(round.chops) == 1
    assert payments(round) == []


def test_whoever_finishes_while_going_forward_hands_the_lead_to_the_next_player() -> None:
    long = f"round 1 lead p1\np1 {run('s', '3', 'J')}\n{PASSES}p1 3c 3d\n{PASSES}"
    round = after(f"{long}p1 forward 4c 4d\np2 5c", ruleset=FAMILY)
    assert round.cards_left[0] == 13 - 9 - 2 - 2 == 0
    assert turn(round) == "p3 answers"


def test_if_all_pass_a_players_final_combination_the_next_player_leads() -> None:
    story = f"round 1 lead p1\np1 {run('s')}\n{PASSES}p1 4h\np2 -\np3 -\n"
    assert turn(after(story, ruleset=FAMILY)) == "p4 answers"
    assert turn(after(f"{story}p4 -", ruleset=FAMILY)) == "p2 leads"
    assert turn(after(f"{story}p4 5h", ruleset=FAMILY)) == "p4 leads"


def test_everything_unseen_is_bright_for_whoever_may_go_forward_or_lead() -> None:
    round = after(ALL_PASS_P1, ruleset=FAMILY)
    assert legal_cards(round, 0) == round.unseen
    assert legal_cards(round, 1) == 0


def test_the_first_game_starts_with_the_three_of_spades_in_some_combination() -> None:
    assert turn(after("p1 3s 4c 5d", ruleset=FAMILY)) == "p2 answers"
    assert refusal("p1 3c 4c 5d") == ("must-open-lowest", "F-OPEN")


def test_every_game_after_is_started_by_the_winner_with_no_restrictions() -> None:
    suits = [f"p{seat} {run(suit)}\n" for seat, suit in enumerate("scdh", start=1)]
    first = f"{suits[0]}{PASSES}p1 2s\n{PASSES}{suits[1]}p3 -\np4 -\np2 2c\np3 -\np4 -\n"
    night = told(f"round 1 opening\n{first}{suits[2]}p4 -\np3 2d\nround 2\np1 9h", ruleset=FAMILY)
    assert night.rounds[0].over
    assert night.rounds[1].header.leader == 0
    assert turn(night.rounds[1]) == "p2 answers"


def test_a_pass_lasts_until_a_new_pile_whatever_chop_one_holds() -> None:
    story = "round 1 lead p1\np1 9s\np2 -\np3 2s\np4 -\np1 -\np2 4s 4c 5s 5c 6s 6c 7s 7c"
    assert refusal(story) == ("locked-out", "F-PASS")


@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("7s 7h", "7c 7d"),
        ("2s", "Ah"),
        ("4s", "3h"),
        ("3h", "3d"),
        ("8s 8d 8h", "7c 7d 7h"),
        ("9s Th Jd Qd", "9c Tc Jc Qc"),
        ("6d 6h 7d 7h 8s 8d", "2h"),
        ("5s 5c 5d 5h", "2s"),
        ("6d 6h 7d 7h 8s 8d 9c 9d", "2d 2h"),
        ("6d 6h 7d 7h 8s 8d 9c 9d", "2h"),
    ],
)
def test_a_combination_that_the_page_prints_beats_this_one(higher: str, lower: str) -> None:
    assert beats(FAMILY, higher, lower)
    assert not beats(FAMILY, lower, higher)


def test_the_number_of_cards_is_part_of_the_kind_of_a_straight() -> None:
    assert not beats(FAMILY, "4s 5s 6s 7s 8s 9s", "3s 4s 5s 6s 7s")
    assert beats(FAMILY, "4s 5s 6s 7s 8s", "3s 4s 5s 6s 7s")


def test_a_chop_beats_2s_and_lower_chops_of_its_own_type_only() -> None:
    assert beats_between(
        FAMILY,
        (
            "Ah",
            "2s",
            "2s 2c",
            "2s 2c 2d",
            "3s 3c 4s 4c 5s 5c",
            "4d 4h 5d 5h 6d 6h",
            "3s 3c 3d 3h",
            "9s 9c 9d 9h",
            "3s 3c 4s 4c 5s 5c 6s 6c",
            "8d 8h 9d 9h Td Th Jd Jh",
            "Qs Qc Qd",
            "7s 8s 9s",
        ),
    ) == {
        "2s": ["Ah"],
        "2s 2c 2d": ["Qs Qc Qd"],
        "3s 3c 4s 4c 5s 5c": ["2s"],
        "4d 4h 5d 5h 6d 6h": ["2s", "3s 3c 4s 4c 5s 5c"],
        "3s 3c 3d 3h": ["2s"],
        "9s 9c 9d 9h": ["2s", "3s 3c 3d 3h"],
        "3s 3c 4s 4c 5s 5c 6s 6c": ["2s", "2s 2c"],
        "8d 8h 9d 9h Td Th Jd Jh": ["2s", "2s 2c", "3s 3c 4s 4c 5s 5c 6s 6c"],
    }


def test_a_chop_may_start_a_pile_and_is_not_played_on_an_ace() -> None:
    chop = "3s 3c 4s 4c 5s 5c"
    assert turn(after(f"p1 {chop}", ruleset=FAMILY)) == "p2 answers"
    assert refusal("round 1 lead p1\np1 Ah\np2 3s 3c 4s 4c 5s 5c") == ("does-not-beat", "F-BOMB")


@pytest.mark.slow
def test_there_are_four_combinations_and_three_chops_and_2s_are_in_no_straight() -> None:
    expected: dict[int, dict[tuple[int, int], int]] = {
        1: {(1, 1): 13 * 4},
        2: {(2, 1): 13 * 6},
        3: {(3, 1): 13 * 4, (1, 3): 10 * 4**3},
        4: {(4, 1): 13, (1, 4): 9 * 4**4},
        6: {(2, 3): 10 * 6**3, (1, 6): 7 * 4**6},
        8: {(2, 4): 9 * 6**4, (1, 8): 5 * 4**8},
    }
    for size, shapes in expected.items():
        assert counted(FAMILY, size) == Counter(shapes)
    assert blocks(FAMILY, 2, 4, top="A") == expected[8][2, 4]
    assert read(FAMILY, "Ks As 2s") is None
    assert read(FAMILY, "3s 3c 4s 4c 5s 5c 6s 6c 7s 7c") is None


def test_four_play_with_thirteen_cards_anticlockwise_and_the_fourth_deals() -> None:
    deal = PRESETS[FAMILY].deal
    assert (deal.players, deal.hand, deal.direction) == ((4,), 13, Direction.ANTICLOCKWISE)
    assert deal.dealer is Dealer.LAST
    assert refused("p1 3s", players=3, ruleset=FAMILY).refusal.code == Code.WRONG_SEAT_COUNT


def test_no_hand_wins_at_once() -> None:
    assert wins_at_once(FAMILY, f"{run('s')} 2s", opening=True) is None


def test_how_many_cards_are_left_need_not_be_told() -> None:
    assert "card-count-untold" in PRESETS[FAMILY].customs


def test_what_the_page_leaves_open_is_the_tables_choice() -> None:
    assert set(PRESETS[FAMILY].open) == {"deal.players", "passing.forward"}

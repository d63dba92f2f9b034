"""Thirteen, its points, kneeling, Asian Deuces and the draw pile: what the survey says of each."""

from collections import Counter
from dataclasses import fields, replace

import pytest

from ledger.game.customs import Clearing, Clears
from ledger.game.errors import Code
from ledger.game.hands import deduced_player
from ledger.game.legal_cards import legal_cards
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.compiled import compiled
from ledger.game.rulesets.model import Dealer, Direction, Ruleset
from tests.game.rulesets.asking import beaten_by, beats, one_by_one, read, wins_at_once
from tests.game.rulesets.counting import beats_between, counted
from tests.game.table import after, cards, found, net, paid, refused, run, tags, told, turn

SUITS = [(run(suit), f"2{suit}") for suit in "scdh"]
IN_ORDER = one_by_one(SUITS)
TWOS = ("2h", "2d 2h", "2c 2d 2h")
DS3, DS4 = "6s 6c 7s 7c 8s 8c", "6s 6c 7s 7c 8s 8c 9s 9c"
DS5, DS6 = f"{DS4} Ts Tc", f"{DS4} Ts Tc Js Jc"


def differences(child: Ruleset, parent: Ruleset) -> set[str]:
    """The groups in which a preset differs from its parent, its names left out."""
    names = {field.name for field in fields(child)} - {"id", "parent", "open"}
    return {name for name in names if getattr(child, name) != getattr(parent, name)}


# The body of the survey


@pytest.mark.parametrize("players", [2, 3, 4])
def test_thirteen_cards_are_dealt_to_each_of_two_to_four_players(players: int) -> None:
    assert after("", players=players, ruleset="thirteen").cards_left == [13] * players
    assert PRESETS["thirteen"].deal.direction is Direction.CLOCKWISE
    assert PRESETS["thirteen"].deal.dealer is Dealer.OPEN
    assert "deal.dealer" in PRESETS["thirteen"].open


@pytest.mark.parametrize("play", ["3s", "3s 3h", "3s 4d 5c", "3s 3c 4s 4c 5s 5c"])
def test_the_three_of_spades_is_part_of_the_first_play_alone_or_in_a_combination(play: str) -> None:
    assert turn(after(f"p1 {play}", ruleset="thirteen")) == "p2 answers"
    refusal = refused("p1 3c 3h", ruleset="thirteen").refusal
    assert (refusal.code, refusal.clause) == (Code.MUST_OPEN_LOWEST, "T-OPEN")


def test_every_game_starts_with_the_three_of_spades() -> None:
    night = told(f"{IN_ORDER}\nround 2\np3 3s", ruleset="thirteen")
    assert night.rounds[1].header.leader is None
    refusal = refused(f"{IN_ORDER}\nround 2 lead p1\np1 5d", ruleset="thirteen").refusal
    assert (refusal.code, refusal.clause) == (Code.WRONG_LEADER, "T-OPEN")


def test_common_variation_the_winner_starts_the_next_round() -> None:
    night = told(f"{IN_ORDER}\nround 2\np1 5d", ruleset="thirteen", rules=["opening.every_round=no"])
    assert night.rounds[1].header.leader == 0


def test_a_player_who_has_passed_stays_out_until_all_the_remaining_have_passed() -> None:
    story = "p1 3s\np2 -\np3 4s\np4 -\np1 5s\n"
    refusal = refused(f"{story}p2 6s", ruleset="thirteen").refusal
    assert (refusal.code, refusal.clause) == (Code.LOCKED_OUT, "T-PASS")
    assert turn(after(f"{story}p3 -\np1 6c\np2 7s", ruleset="thirteen")) == "p3 answers"


def test_whoever_has_control_plays_any_legal_combination() -> None:
    assert turn(after(f"p1 3s\np2 -\np3 -\np4 -\np1 {DS3}", ruleset="thirteen")) == "p2 answers"


@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("Ts", "9h"),
        ("8d 8s", "5h 5d"),
        ("9s 9h", "9c 9d"),
        ("5s 5c 5d", "4h 4d 4c"),
        ("Ts Jd Qh", "8s 9d Tc"),
        ("7s 8c 9h", "7h 8d 9c"),
        ("2h", "As"),
        ("Ts Tc Js Jh Qs Qd", "2h"),
        ("5s 5c 5d 5h", "2h"),
        ("9h 9d Ts Tc Js Jh Qs Qd", "2c 2d"),
        ("8s 8h 9h 9d Ts Tc Js Jh Qs Qd", "2s 2c 2d"),
    ],
)
def test_an_example_of_the_survey_beats_what_it_says(higher: str, lower: str) -> None:
    assert beats("thirteen", higher, lower)
    assert not beats("thirteen", lower, higher)


ANY_LENGTH = ["combinations.equal_length=no"]


@pytest.mark.parametrize(
    ("run", "answer", "any_length"),
    [
        ("3s 4s 5s", "6d 7d 8d 9d", True),
        ("3s 4s 5d 6d", "4h 5h 6h", True),
        # Not with a lower top, and not where pairs are in sequence.
        ("3s 4s 5d 6d", "4c 5c 6c", False),
        ("3s 3c 4s 4c 5s 5c", "6s 6c 7s 7c 8s 8c 9s 9c", False),
    ],
)
def test_t_compare_a_table_may_let_a_run_be_answered_by_one_of_another_length(
    run: str, answer: str, any_length: bool
) -> None:
    story = f"p1 {run}\np2 {answer}"
    assert refused(story, ruleset="thirteen").refusal.clause in ("T-COMPARE", "T-BOMB")
    offered = legal_cards(after(f"p1 {run}", ruleset="thirteen", rules=ANY_LENGTH), 1)
    if any_length:
        assert turn(after(story, ruleset="thirteen", rules=ANY_LENGTH)) == "p3 answers"
        assert offered & cards(answer) == cards(answer)
    else:
        assert refused(story, ruleset="thirteen", rules=ANY_LENGTH).refusal.code == Code.DOES_NOT_BEAT
    assert "combinations.equal_length" in PRESETS["thirteen"].open


def test_runs_of_any_length_change_nothing_where_there_are_no_runs() -> None:
    combinations = replace(PRESETS["thirteen"].combinations, sequence_from=13, equal_length=False)
    ruleset = replace(PRESETS["thirteen"], combinations=combinations)
    assert compiled(ruleset).index.read(cards("3s 4s 5s")) is None


def test_2s_are_in_no_run_and_an_ace_ends_one() -> None:
    assert read("thirteen", "Qs Ks As") is not None
    for no_run in ("Ks As 2s", "As 2s 3s", "5s 6s", "Ks Kc As Ac 2s 2c"):
        assert read("thirteen", no_run) is None


def test_bombs_lie_on_as_many_2s_as_they_are_large() -> None:
    one, two, three = TWOS
    beaten = {
        DS3: [one],
        "4s 4c 4d 4h": [one],
        DS4: [one, two],
        DS5: [one, two, three],
        DS6: [one, two, three],
    }
    for bomb, twos in beaten.items():
        assert beaten_by("thirteen", bomb, (*TWOS, "2s 2c 2d 2h", "Ah", "As Ah", "3s 4s 5s")) == twos


def test_a_bomb_is_beaten_by_a_higher_one_of_its_own_kind_only() -> None:
    bombs = (
        "3s 3c 4s 4c 5s 5c",
        DS3,
        "4d 4h 5d 5h 6d 6h 7d 7h",
        DS4,
        "3s 3c 4s 4c 5s 5c 6s 6c 7s 7c",
        DS5,
        "3s 3c 3d 3h",
        "2s 2c 2d 2h",
    )
    assert beats_between("thirteen", bombs) == {
        bombs[1]: [bombs[0]],
        bombs[3]: [bombs[2]],
        bombs[5]: [bombs[4]],
        bombs[7]: [bombs[6]],
    }


@pytest.mark.slow
def test_combinations_of_thirteen_are_as_many_as_can_be_counted() -> None:
    assert counted("thirteen", 4) == Counter({(4, 1): 13, (1, 4): 9 * 4**4})
    assert counted("thirteen", 6) == Counter({(1, 6): 7 * 4**6, (2, 3): 10 * 6**3})
    assert [length for length in range(2, 7) if read("thirteen", " ".join(DS6.split()[: 2 * length]))] == [
        3,
        4,
        5,
        6,
    ]


@pytest.mark.parametrize(
    ("hand", "win"),
    [
        ("2s 2c 2d 2h 3s 5s 7s 9s Js Ks 4h 6h 8h", "four-twos"),
        ("3s 3c 5s 5c 7s 7c 9s 9c Js Jc Ks Kc 4h", "six-pairs"),
        (f"{run('s')} Ah", "dragon"),
        # The variations are not in the list
        ("3s 3c 3d 3h 5s 7s 9s Js Ks 4c 6c 8c Tc", None),
        ("3s 3c 4s 4c 5s 5c 6s 6c 9d Jd Kd 2h Ah", None),
        ("3s 3c 3d 4s 4c 4d 5s 5c 5d 9d Jd Kd 2h", None),
    ],
)
def test_four_2s_six_pairs_and_the_dragon_win_at_once(hand: str, win: str | None) -> None:
    assert wins_at_once("thirteen", hand, opening=True) == win


def test_an_instant_win_ranks_and_pays_nothing() -> None:
    round = after(f"p2 claims {run('s')} 2s", ruleset="thirteen")
    assert (round.over, paid(round)) == (True, [])


def test_the_first_to_shed_all_thirteen_wins_and_the_game_goes_on_until_all_but_one_are_out() -> None:
    round = after(IN_ORDER, ruleset="thirteen")
    assert (round.over, tags(round.places), paid(round)) == (True, "p1 p2 p3 p4", [])


# Points


def test_points_differ_from_thirteen_in_what_is_paid_only() -> None:
    points, thirteen = PRESETS["thirteen-points"], PRESETS["thirteen"]
    assert points.parent == "thirteen"
    assert differences(points, thirteen) == {"payments", "instant_wins"}
    assert points.instant_wins == replace(thirteen.instant_wins, points=1)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_first_place_receives_x_from_every_loser_and_there_is_no_other_place(players: int) -> None:
    round = after(one_by_one(SUITS[:players]), players=players, ruleset="thirteen-points")
    assert round.places == list(range(players))
    placed = [line for line in paid(round) if "placement" in line]
    assert placed == [f"p{payer} p1 1 placement T-PLACE" for payer in range(2, players + 1)]


@pytest.mark.parametrize(
    ("left", "points"),
    [
        ("2s", 1),
        ("2c", 1),
        ("2d", 2),
        ("2h", 2),
        ("2s 2c 2d 2h", 6),
        (DS3, 2),
        ("4s 4c 4d 4h", 2),
        (DS4, 2),
        (DS5, 2),
    ],
)
def test_an_unused_black_2_costs_x_a_red_one_2x_and_a_bomb_2x(left: str, points: int) -> None:
    assert compiled(PRESETS["thirteen-points"]).hand_values.total(cards(left)) == points


def test_what_is_unused_is_paid_to_the_winner() -> None:
    round = after(IN_ORDER, ruleset="thirteen-points")
    assert paid(round)[-1] == "p4 p1 2 hoarding-penalty T-HOARD"
    assert net(round) == [3 + 2, -1, -1, -1 - 2]


@pytest.mark.parametrize(("twos", "points"), [("2s", 1), ("2h", 1), ("2s 2h", 2)])
def test_cutting_a_2_black_or_red_is_paid_x_at_once(twos: str, points: int) -> None:
    round = after(f"round 1 lead p1\np1 {twos}\np2 {DS4}", ruleset="thirteen-points")
    assert paid(round) == [f"p1 p2 {points} bomb-bonus T-CHOP"]


def test_each_bomb_is_worth_2x_if_it_gets_bombed() -> None:
    round = after(f"round 1 lead p1\np1 2h\np2 3d 3h 4d 4h 5d 5h\np3 {DS3}", ruleset="thirteen-points")
    assert paid(round) == ["p1 p2 1 bomb-bonus T-CHOP", "p2 p3 2 bomb-bonus T-CHOP"]


@pytest.mark.parametrize(
    ("bomb", "higher"),
    [
        ("7s 7c 8s 8c 9s 9c Ts Tc Js Jc Qs Qc", "7d 7h 8d 8h 9d 9h Td Th Jd Jh Qd Qh"),
        ("2s 2c 2d 2h", "4s 4c 4d 4h !"),
    ],
)
def test_a_bomb_that_others_could_be_made_of_is_one_bomb(bomb: str, higher: str) -> None:
    round = after(f"round 1 lead p1\np1 {bomb}\np2 {higher}", ruleset="thirteen-points")
    assert paid(round) == ["p1 p2 2 bomb-bonus T-CHOP"]


def test_variation_cutting_another_cut_doubles_what_it_received() -> None:
    story = f"round 1 lead p1\np1 2h\np2 3d 3h 4d 4h 5d 5h\np3 {DS3}\np4 9d 9h Td Th Jd Jh"
    round = after(story, ruleset="thirteen-points", rules=["payments.chain=doubling"])
    assert [line.split()[2] for line in paid(round)] == ["1", "2", "4"]


def test_a_cut_is_paid_by_a_player_who_has_gone_out_too() -> None:
    story = f"round 1 lead p1\np1 {run('s')}\np2 -\np3 -\np4 -\np1 2s\np2 3c 3d 4c 4d 5c 5d"
    assert paid(after(story, ruleset="thirteen-points")) == ["p1 p2 1 bomb-bonus T-CHOP"]


@pytest.mark.parametrize(("full", "paid_by_p2"), [(13, "1 placement T-PLACE"), (10, "2 placement T-FULL")])
def test_optional_rule_2x_from_players_with_thirteen_or_ten_cards(full: int, paid_by_p2: str) -> None:
    story = """round 1 lead p1
        p1 3s\np2 4c\np3 -\np4 -\np1 5s\np2 6c\np1 7s\np2 8c\np1 9s\np2 -
        p1 Ts Js Qs Ks As\np2 -\np3 -\np4 -
        p1 6d 7d 8d 9d"""
    rules = ["ending.at_first_out=yes", "payments.full_hand=2", f"payments.full_from={full}"]
    round = after(story, ruleset="thirteen-points", rules=rules)
    assert round.cards_left == [0, 10, 13, 13]
    assert [line for line in paid(round) if "placement" in line] == [
        f"p2 p1 {paid_by_p2}",
        "p3 p1 2 placement T-FULL",
        "p4 p1 2 placement T-FULL",
    ]


def test_what_the_points_leave_open_is_the_tables_choice() -> None:
    assert set(PRESETS["thirteen-points"].open) == {
        *PRESETS["thirteen"].open,
        "ending.at_first_out",
        "instant_wins.points",
        "instant_wins.several",
        "payments.full_hand",
        "payments.full_from",
        "payments.captured",
        "payments.hoard_payee",
        "payments.chain",
        "payments.chop_free_if_out",
    }


# Kneeling


def test_kneeling_is_played_instead_of_points() -> None:
    kneeling, thirteen = PRESETS["thirteen-kneeling"], PRESETS["thirteen"]
    assert differences(kneeling, thirteen) == {"deal", "kneeling"}
    assert (kneeling.kneeling.last, kneeling.kneeling.chopped) == (True, True)
    assert paid(after(IN_ORDER, ruleset="thirteen-kneeling")) == []


def test_the_third_place_deals() -> None:
    assert PRESETS["thirteen-kneeling"].deal.dealer is Dealer.THIRD


def test_what_kneeling_leaves_open_is_the_tables_choice() -> None:
    assert {"deal.players", "kneeling"} <= set(PRESETS["thirteen-kneeling"].open)


# Asian Deuces


def test_asian_deuces_only_lets_the_winner_choose_how_cards_are_cleared() -> None:
    assert differences(PRESETS["asian-deuces"], PRESETS["thirteen"]) == {"customs"}
    assert PRESETS["asian-deuces"].customs == ("winner-chooses-clearing",)
    assert tags(after(IN_ORDER, ruleset="asian-deuces").places) == "p1 p2 p3 p4"


def test_how_cards_are_cleared_is_noted_round_by_round_and_pays_nobody() -> None:
    noted = f"round 1 opening\nnote clears p1 each-pile\n{IN_ORDER}\nround 2\nnote clears p1 at-end\np2 3s"
    night = told(noted, ruleset="asian-deuces")
    assert night.notes == [Clears(0, Clearing.EACH_PILE), Clears(0, Clearing.AT_END)]
    assert [entry for entry in night.entries if entry not in night.notes] == night.rounds
    assert [paid(round) for round in night.rounds] == [[], []]


# The draw pile

DRAW = "draw-pile"


def drawn(story: str, *, rules: tuple[str, ...] = ()) -> list[int]:
    return after(story, players=3, ruleset=DRAW, rules=rules).cards_left


def test_a_draw_pile_does_not_change_the_rules_of_play() -> None:
    assert differences(PRESETS[DRAW], PRESETS["thirteen"]) == {"deal"}
    assert PRESETS[DRAW].deal.players == (3,)
    assert "passing.locks" in PRESETS[DRAW].open


def test_three_players_are_dealt_thirteen_and_thirteen_are_to_draw() -> None:
    round = after("", players=3, ruleset=DRAW)
    assert (round.cards_left, round.to_draw) == ([13, 13, 13], 13)
    assert refused("p1 3s", ruleset=DRAW).refusal.code == Code.WRONG_SEAT_COUNT


def test_t_draw_whoever_passes_picks_up_a_card() -> None:
    assert drawn("p1 3s\np2 -\np3 4s\np1 -") == [13, 14, 12]


def test_a_pass_that_a_play_implies_picks_up_a_card_too() -> None:
    assert drawn("p1 3s\np3 4s") == [12, 14, 12]


def test_a_pass_that_stood_picks_up_a_card_too() -> None:
    assert drawn("p1 3s\np3 - !") == [12, 13, 14]
    assert drawn("round 1 lead p1\np1 - !") == [14, 13, 13]


def test_a_pass_locks_although_a_card_was_drawn() -> None:
    refusal = refused("p1 3s\np2 -\np3 4s\np1 5s\np2 6s", players=3, ruleset=DRAW).refusal
    assert (refusal.code, refusal.clause) == (Code.LOCKED_OUT, "T-PASS")
    assert drawn("p1 3s\np2 -\np3 4s\np1 5s\np2 6s", rules=("passing.locks=no",)) == [11, 13, 12]


SEVEN_PILES = "".join(f"p1 {card}\np2 -\np3 -\n" for card in ("3s", "4s", "5s", "6s", "7s", "8s", "9s"))


def test_when_there_are_no_more_cards_to_draw_it_is_plain_thirteen() -> None:
    round = after(SEVEN_PILES, players=3, ruleset=DRAW)
    assert (round.cards_left, round.to_draw, round.drawn) == ([6, 20, 19], 0, 13)


def test_a_player_may_lay_as_many_cards_as_were_dealt_and_drawn() -> None:
    story = f"p1 3s\np2 -\np3 -\np1 4s\np2 5d !\np3 -\np1 -\np2 {run('c')}\np3 -\np1 -\n"
    assert drawn(f"{story}p2 6d") == [13, 0, 16]
    refusal = refused(f"{story}p2 6d 6h", players=3, ruleset=DRAW).refusal
    assert (refusal.code, refusal.count, refusal.clause) == (Code.TOO_MANY_CARDS, 1, "T-SEEN")


def test_a_low_card_that_may_have_been_drawn_proves_nothing() -> None:
    story = "p1 3c\np2 -\np3 -\np1 4s\np2 -\np3 -\np1 5s\n"
    assert found(after(f"{story}p2 -\np3 -\np1 3s", players=3, ruleset=DRAW)) == [
        "opening-not-lowest T-OPEN 10"
    ]
    story = "p1 3c\np2 -\np3 4s\np1 -\np3 5s\np1 6s\np2 -\np3 -\n"
    assert found(after(f"{story}p1 3s", players=3, ruleset=DRAW)) == []


def test_cards_that_are_still_to_be_drawn_may_be_in_nobodys_hand() -> None:
    assert deduced_player(after(SEVEN_PILES, players=3, ruleset=DRAW)) is None
    round = after(SEVEN_PILES, players=3, ruleset=DRAW)
    assert round.deals_all
    assert not after("p1 3s", players=3, ruleset=DRAW).deals_all
    assert legal_cards(round, 0) == round.unseen


def test_the_last_hand_is_deduced_once_every_card_has_been_drawn() -> None:
    story = f"{SEVEN_PILES}p1 Ts Js Qs Ks As\np2 -\np3 -\np1 2s\np2 -\np3 -\n"
    story += f"p2 {run('c')}\np3 -\np2 3d 4d 5d 6d 7d 8d 9d\np3 -\np2 2c"
    round = after(story, players=3, ruleset=DRAW, rules=["payments.card=1"])
    assert round.over
    assert tags(round.places) == "p1 p2 p3"
    assert deduced_player(round) == 2
    assert paid(round) == ["p3 p1 19 card-count T-CARDS"]

"""Thirteen elsewhere: each parameter in which a place differs, and each example that the source prints."""

import pytest

from ledger.game.errors import Code
from ledger.game.legal_cards import legal_cards
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.model import Dealer
from tests.game.rulesets.asking import beaten_by, beats, one_by_one, read
from tests.game.table import after, cards, found, net, paid, refused, run, tags, told, turn

DS3, DS4, DS5 = "6s 6c 7s 7c 8s 8c", "6s 6c 7s 7c 8s 8c 9s 9c", "6s 6c 7s 7c 8s 8c 9s 9c Ts Tc"
FOURS = "4s 4c 4d 4h"
TWOS = ("2h", "2d 2h", "2c 2d 2h")
ONE, PAIR, THREE = TWOS

SUITS = [(run(suit), f"2{suit}") for suit in "scdh"]
IN_ORDER = one_by_one(SUITS)
"""Four players of one suit each: they go out as they sit."""


def test_every_place_that_pays_nothing_ranks_all_the_same() -> None:
    unanswered = "\n".join(line for line in IN_ORDER.splitlines() if not line.endswith("-"))
    for preset in ("hawaii", "akita", "melbourne", "interns"):
        round = after(unanswered if preset == "akita" else IN_ORDER, ruleset=preset)
        assert (tags(round.places), paid(round)) == ("p1 p2 p3 p4", [])


# Hawaii


def test_hawaii_two_or_four_play() -> None:
    assert after("p1 4s", players=2, ruleset="hawaii").hand_size == 13
    assert refused("p1 4s", players=3, ruleset="hawaii").refusal.code == Code.WRONG_SEAT_COUNT


@pytest.mark.parametrize("play", ["3s", "3s 3c", "3s 4c 5s", run("s")])
def test_hawaii_opens_with_the_lowest_card_as_a_single_a_pair_or_a_sequence(play: str) -> None:
    round = after(f"p1 {play}", ruleset="hawaii")
    assert turn(round) == "p2 answers"


@pytest.mark.parametrize("play", ["3s 3c 3d", "3s 3c 3d 3h", "3s 3c 4s 4c 5s 5c"])
def test_hawaii_does_not_open_with_anything_else(play: str) -> None:
    refusal = refused(f"p1 {play}", ruleset="hawaii").refusal
    assert (refusal.code, refusal.clause) == (Code.OPENING_FORM, "HI-OPEN")
    before = told("", ruleset="hawaii").rounds[0]
    assert not legal_cards(before, 0) & cards("2s")


def test_hawaii_opens_every_round_with_the_lowest_card() -> None:
    assert found(after(f"{IN_ORDER}\nround 2 lead p1 !", ruleset="hawaii")) == ["wrong-leader HI-OPEN 0"]
    round = after(f"{IN_ORDER}\nround 2\np3 3s\n", ruleset="hawaii")
    assert turn(round) == "p4 answers"


def test_hawaii_only_a_bomb_beats_a_2_and_any_bomb_one_2_only() -> None:
    for bomb in (DS3, FOURS, DS4, DS5, "6s 6c 7s 7c 8s 8c 9s 9c Ts Tc Js Jc"):
        assert beaten_by("hawaii", bomb, TWOS) == [ONE]
    for plain in ("4s 5s 6s", "4s 4c 4d", "Ah"):
        assert beaten_by("hawaii", plain, TWOS) == []


def test_hawaii_four_of_a_kind_is_stronger_than_three_pairs() -> None:
    assert beats("hawaii", FOURS, DS3)
    assert not beats("hawaii", DS3, "3s 3c 3d 3h")
    assert not beats("hawaii", FOURS, DS4)
    assert beats("hawaii", "7d 7h 8d 8h 9d 9h", DS3)


def test_hawaii_has_no_locks_and_no_2_in_a_sequence() -> None:
    assert beats("hawaii", "5s 6c 7s", "4s 5s 6s")
    assert turn(after("p1 3s 4s 5s\np2 6s 7c 8d", ruleset="hawaii")) == "p3 answers"
    assert read("hawaii", "Ks As 2s") is None


# Akita

BOMBS = (DS3, FOURS, "2s 2c 2d 2h", run("s"))


def test_akita_a_pair_is_beaten_by_the_higher_top_card_whatever_its_suits() -> None:
    assert beats("akita", "4s 4h", "4c 4d")
    assert beats("akita", "5s 5c", "4d 4h")


def test_akita_bombs_beat_anything_and_2s_and_each_other_either_way_round() -> None:
    anything = ("3s", "As", *TWOS, "5d 5h", "5c 5d 5h", "9d Td Jd", "9h Tc Jd Qh", DS4, DS5)
    for bomb in BOMBS:
        assert beaten_by("akita", bomb, anything) == list(anything)
        assert all(beats("akita", bomb, other) for other in BOMBS if other != bomb)
    assert beats("akita", "3s 3c 3d 3h", "5s 5c 5d 5h")
    assert beats("akita", "3s 3c 4s 4c 5s 5c", "7d 7h 8d 8h 9d 9h")


def test_akita_no_more_than_three_pairs_are_a_bomb() -> None:
    for longer in (DS4, DS5):
        combination = read("akita", longer)
        assert combination is not None
        assert not combination.bomb
        assert beaten_by("akita", longer, (*TWOS, "3s", FOURS)) == []
    assert read("akita", "6s 6c 7s 7c 8s 8c 9s 9c Ts Tc Js Jc") is None
    six_pairs = after("p1 3s\np2 2s\np3 6s 6c 7s 7c 8s 8c\np3 9s 9c Ts Tc Js Jc", ruleset="akita")
    assert turn(six_pairs) == "p4 answers"


def test_akita_2s_are_in_fours_of_a_kind_only() -> None:
    assert read("akita", "Ks As 2s") is None
    assert read("akita", "Ks Kc As Ac 2s 2c") is None
    assert read("akita", "2s 2c 2d 2h") is not None


def test_akita_a_triple_beats_a_single_ace_and_no_other_single() -> None:
    assert beaten_by("akita", "3s 3c 3d", ("Kh", "As", "Ah", "2s", "As Ah")) == ["As", "Ah"]
    round = after("p1 3s\np2 Ah\np3 4s 4c 4d\np4 5s 5c 5d", ruleset="akita")
    assert turn(round) == "p1 answers"
    assert not round.chops


def test_akita_a_suited_sequence_locks_and_suits_decide() -> None:
    assert beats("akita", "3c 4c 5c", "3s 4s 5s")
    assert refused("p1 3s 4s 5s\np2 6s 7c 8d", ruleset="akita").refusal.code == Code.SUIT_LOCKED
    assert turn(after("p1 3s 4s 5s\np2 3c 4c 5c", ruleset="akita")) == "p3 answers"
    later = "p1 3s 4c 5c\np2 6s 7s 8s\np3 9s Tc Jd"
    refusal = refused(later, ruleset="akita").refusal
    assert (refusal.code, refusal.clause) == (Code.SUIT_LOCKED, "AK-SUIT-LOCK")


def test_akita_a_bomb_comes_on_a_locked_pile_too_and_the_next_pile_is_free() -> None:
    round = after(
        "p1 3s 4s 5s\np2 6s 6c 7s 7c 8s 8c\np3 9s 9c 9d 9h\np3 Ts Jc Qd\np4 Jd Qs Ks", ruleset="akita"
    )
    assert turn(round) == "p1 answers"
    mixed = " ".join(rank + suit for rank, suit in zip("3456789TJQKA", "cdhcdhcdhcdh", strict=True))
    long = after(f"p1 {run('s')}\n", ruleset="akita")
    assert legal_cards(long, 1) & cards("3c 4d") == cards("3c 4d")
    assert turn(after(f"p1 {run('s')}\np2 {mixed}", ruleset="akita")) == "p3 answers"


def test_akita_a_pass_locks_nobody_out() -> None:
    round = after("p1 3s\np2 -\np3 5s\np4 -\np1 -\np2 6s\np3 -\np4 7s", ruleset="akita")
    assert turn(round) == "p1 answers"


def test_akita_what_a_player_goes_out_with_is_not_answered() -> None:
    round = after(f"p1 {run('s')}\np1 3c", ruleset="akita")
    assert turn(round) == "p2 leads"
    assert turn(after(f"p1 {run('s')}\np1 3c\np2 4c", ruleset="akita")) == "p3 answers"


def test_akita_the_loser_deals() -> None:
    assert PRESETS["akita"].deal.dealer is Dealer.LAST


# Melbourne


def test_melbourne_the_lowest_card_opens_and_the_winner_leads_after_that() -> None:
    assert turn(told(f"{IN_ORDER}\nround 2", ruleset="melbourne").rounds[-1]) == "p1 leads"
    assert turn(after("p1 3s 4c 5d", ruleset="melbourne")) == "p2 answers"


def test_melbourne_somebody_new_in_the_last_seat_brings_the_lowest_card_back() -> None:
    story = f"round 1 opening p1 p2 p3 p4\n{IN_ORDER}\nround 2 p1 p2 p3 p5"
    assert turn(told(story, players=5, ruleset="melbourne").rounds[-1]) == "anyone leads"
    fewer = f"round 1 opening p1 p2 p3 p4\n{IN_ORDER}\nround 2 p1 p2 p3"
    assert turn(told(fewer, players=5, ruleset="melbourne").rounds[-1]) == "p1 leads"


def test_melbourne_a_pass_locks_even_a_chop_out() -> None:
    story = f"p1 3s\np2 -\np3 2s\np4 -\np1 -\np2 {DS3}"
    assert refused(story, ruleset="melbourne").refusal.code == Code.LOCKED_OUT
    early = f"p1 3s\np2 2s\np4 {DS3}"
    assert refused(early, ruleset="melbourne", strict=True).refusal.code == Code.NOT_YOUR_TURN


def test_melbourne_pairs_are_of_any_colours() -> None:
    assert beats("melbourne", "8s 8d", "7s 7c")


def test_melbourne_a_police_asks_for_one_suit_but_not_for_which() -> None:
    story = "p1 3s\np2 9s\np2 4d 5d 6d\np3 {answer}"
    assert turn(after(story.format(answer="6s 7s 8s"), ruleset="melbourne")) == "p4 answers"
    refusal = refused(story.format(answer="6s 7s 8c"), ruleset="melbourne").refusal
    assert (refusal.code, refusal.clause) == (Code.SUIT_LOCKED, "ME-SUIT-LOCK")


def test_melbourne_the_top_card_alone_decides_between_sequences_of_the_same_cards() -> None:
    assert beats("melbourne", "Js Qs Kd", "Jh Qh Kc")
    assert not beats("melbourne", "Jh Qh Kc", "Js Qs Kd")


def test_melbourne_single_aces_and_2s_are_chopped_and_nothing_above_singles() -> None:
    tops = ("As", *TWOS, "Ad Ah", "Kh")
    assert beaten_by("melbourne", "5s 5c 5d", tops) == ["As"]
    assert beaten_by("melbourne", "Ts Tc Js Jc Qs Qc", tops) == [ONE]
    assert beaten_by("melbourne", FOURS, tops) == [ONE]
    for plain in (DS4, DS5):
        assert beaten_by("melbourne", plain, tops) == []
    assert beats("melbourne", "7d 7h 8d 8h 9d 9h Ts Tc", DS4)


def test_melbourne_a_chop_beats_its_own_kind_only() -> None:
    assert not beats("melbourne", "Ts Tc Js Jc Qs Qc", "5s 5c 5d 5h")
    assert not beats("melbourne", "5s 5c 5d 5h", "6s 6c 7s 7c 8s 8c")
    assert beats("melbourne", "6s 6c 6d 6h", "5s 5c 5d 5h")


def test_melbourne_final_cards_may_be_beaten_and_else_the_next_player_leads() -> None:
    out = f"p1 {run('s')}\np1 9c"
    assert turn(after(out, ruleset="melbourne")) == "p2 answers"
    assert turn(after(f"{out}\np2 Tc", ruleset="melbourne")) == "p3 answers"
    assert turn(after(f"{out}\np2 -\np3 -\np4 -", ruleset="melbourne")) == "p2 leads"


# Amsterdam


def test_amsterdam_three_or_four_play() -> None:
    assert refused("p1 4s", players=2, ruleset="amsterdam").refusal.code == Code.WRONG_SEAT_COUNT
    assert PRESETS["amsterdam"].deal.four_hands


def test_amsterdam_red_threes_beat_every_combination_but_a_chop() -> None:
    anything = ("As", *TWOS, "5d 5h", "5c 5d 5h", "9d Td Jd", DS4, DS5)
    for trump in ("3d", "3h"):
        assert beaten_by("amsterdam", trump, (*anything, DS3, FOURS)) == list(anything)
    assert beats("amsterdam", "3h", "3d")
    assert not beats("amsterdam", "3d", "3h")
    for other in ("2h", DS3, FOURS):
        assert not beats("amsterdam", other, "3d")
        assert not beats("amsterdam", other, "3h")


def test_amsterdam_what_is_refused_on_a_red_three_cites_the_trumps() -> None:
    refusal = refused(f"p1 3s\np2 2h\np3 3d\np4 {FOURS}", ruleset="amsterdam").refusal
    assert (refusal.code, refusal.clause) == (Code.DOES_NOT_BEAT, "AM-TRUMP")


def test_amsterdam_red_threes_are_threes_in_pairs_and_sequences() -> None:
    assert beats("amsterdam", "4s 4c", "3d 3h")
    assert beats("amsterdam", "4s 5s 6s", "3d 4c 5c")


def test_amsterdam_nothing_but_the_other_red_three_is_offered_on_a_red_three() -> None:
    round = after("p1 3s\np2 2h\np3 3d", ruleset="amsterdam")
    assert legal_cards(round, 3) == cards("3h")
    assert legal_cards(after("p1 3s\np2 2h\np3 3d\np4 3h", ruleset="amsterdam"), 0) == 0


def test_amsterdam_a_chop_is_played_on_a_single_2_only_and_never_led() -> None:
    tops = (*TWOS, "Ah", "5c 5d 5h")
    assert beaten_by("amsterdam", FOURS, tops) == [ONE]
    assert beaten_by("amsterdam", DS3, tops) == [ONE]
    refusal = refused(f"p1 3s\np2 9s\np2 {DS3}", ruleset="amsterdam").refusal
    assert (refusal.code, refusal.clause) == (Code.OPENING_FORM, "AM-BOMB")


def test_amsterdam_of_two_chops_the_higher_top_card_is_higher() -> None:
    assert beats("amsterdam", "9s 9c 9d 9h", DS3)
    assert beats("amsterdam", DS3, FOURS)
    assert not beats("amsterdam", FOURS, DS3)
    assert beats("amsterdam", "6d 6h 7d 7h 8d 8h", DS3)
    round = after(f"p1 3s\np2 2h\np3 {FOURS}", ruleset="amsterdam")
    offered = legal_cards(round, 3)
    assert offered & cards("5s 6s 9s") == cards("5s 6s 9s")
    assert not offered & cards("3c 3d 2s")
    assert legal_cards(after(f"p1 3s\np2 2h\np3 {DS3}", ruleset="amsterdam"), 3) & cards("5s 6d 3d") == cards(
        "6d"
    )


def test_amsterdam_a_chop_costs_1_a_double_chop_2_a_triple_chop_3() -> None:
    story = f"p1 3s\np2 2h\np3 {FOURS}\np4 {DS3}\np1 9s 9c 9d 9h"
    assert paid(after(story, ruleset="amsterdam")) == [
        "p2 p3 1 bomb-bonus AM-CHOP",
        "p3 p4 2 bomb-bonus AM-CHOP",
        "p4 p1 3 bomb-bonus AM-CHOP",
    ]


def test_amsterdam_a_player_who_is_out_pays_for_the_last_2_all_the_same() -> None:
    assert paid(after(f"p1 {run('s')}\np1 2s\np2 Jc Jd Qc Qd Kc Kd", ruleset="amsterdam")) == [
        "p1 p2 1 bomb-bonus AM-CHOP"
    ]


@pytest.mark.parametrize(("players", "loser"), [(4, "p4"), (3, "p3")])
def test_amsterdam_the_loser_gives_the_winner_1(players: int, loser: str) -> None:
    assert paid(after(one_by_one(SUITS[:players]), players=players, ruleset="amsterdam")) == [
        f"{loser} p1 1 placement AM-PLACE"
    ]


def test_amsterdam_has_no_instant_wins() -> None:
    assert refused(f"p1 claims {run('s')} 2s", ruleset="amsterdam").refusal.code == Code.NOT_AN_INSTANT_WIN


# UT Pike, OC interns


def test_interns_four_hands_whoever_plays_and_a_newcomer_deals() -> None:
    deal = PRESETS["interns"].deal
    assert (deal.players, deal.four_hands, deal.dealer) == ((2, 3, 4), True, Dealer.NEWCOMER_ELSE_LAST)


def test_interns_the_pair_with_the_highest_card_is_higher() -> None:
    assert beats("interns", "Ks Kh", "Kc Kd")


def test_interns_a_lock_beats_no_higher_top_card_and_no_other_length() -> None:
    assert not beats("interns", "4s 5s 6s", "7d 8c 9h")
    assert not beats("interns", "4s 5s 6s 7s", "3d 4c 5h")
    refusal = refused("p1 3s 4s 5s\np2 6c 7c 8d", ruleset="interns").refusal
    assert refusal.code == Code.SUIT_LOCKED


def test_interns_three_pairs_alone_are_a_bomb() -> None:
    assert beaten_by("interns", DS3, (*TWOS, "Ah", FOURS)) == [ONE]
    for plain in (FOURS, DS4, DS5):
        assert beaten_by("interns", plain, (*TWOS, DS3)) == []
    assert beats("interns", "7d 7h 8d 8h 9d 9h", DS3)
    assert turn(after(f"p1 3s\np2 9s\np2 {DS3}", ruleset="interns")) == "p3 answers"


def test_interns_a_pass_locks() -> None:
    story = "p1 3s\np2 -\np3 5s\np4 -\np1 -\np2 6s"
    assert refused(story, ruleset="interns").refusal.code == Code.LOCKED_OUT


def test_interns_after_the_last_cards_of_a_player_the_next_one_has_the_power() -> None:
    out = f"p1 {run('s')}\np1 9c"
    assert turn(after(f"{out}\np2 -\np3 -\np4 -", ruleset="interns")) == "p2 leads"
    assert turn(after(f"{out}\np3 Tc\np4 -", ruleset="interns")) == "p3 leads"


def test_interns_have_no_instant_wins() -> None:
    assert PRESETS["interns"].instant_wins.hands == ()


# Double deck


def test_double_deck_eight_players_share_two_packs() -> None:
    ruleset = PRESETS["double-deck"]
    assert ruleset.deal.players == (8,)
    assert ruleset.deals_all(8)
    refusal = refused("p1 3s", players=4, ruleset="double-deck").refusal
    assert refusal.code == Code.WRONG_SEAT_COUNT


def test_double_deck_the_blue_three_of_spades_opens() -> None:
    assert turn(after("p5 3s", players=8, ruleset="double-deck")) == "p6 answers"
    assert turn(after("p5 3s 3s'", players=8, ruleset="double-deck")) == "p6 answers"
    refusal = refused("p5 3s'", players=8, ruleset="double-deck").refusal
    assert (refusal.code, refusal.card) == (Code.MUST_OPEN_LOWEST, "3s")


def test_double_deck_in_a_tie_the_red_back_wins() -> None:
    assert beats("double-deck", "9h'", "9h")
    assert not beats("double-deck", "9h", "9h'")
    assert beats("double-deck", "9s 9h'", "9s' 9h")
    assert beats("double-deck", "7s 8s 9s'", "7h 8h 9s")
    assert beats("double-deck", "Ts", "9h'")


def test_double_deck_the_same_card_of_the_two_packs_is_a_pair() -> None:
    assert read("double-deck", "9h 9h'") is not None
    assert read("double-deck", "9h 9h' 9s 9s' 9c") is None


def test_double_deck_the_blue_king_of_diamonds_kills_any_single_card() -> None:
    singles = ("3s", "Kh'", "2s", "2h'")
    assert beaten_by("double-deck", "Kd", singles) == list(singles)
    assert beaten_by("double-deck", "Kd", ("5s 5c", DS3, "5s 6s 7s")) == []
    assert beaten_by("double-deck", "Kd'", singles) == ["3s"]
    for other in ("2h'", "Kd'", FOURS, DS3):
        assert not beats("double-deck", other, "Kd")


def test_double_deck_bombs_are_those_of_thirteen() -> None:
    assert beaten_by("double-deck", FOURS, TWOS) == [ONE]
    assert beaten_by("double-deck", DS3, TWOS) == [ONE]
    assert beaten_by("double-deck", DS4, TWOS) == [ONE, PAIR]
    assert beaten_by("double-deck", DS5, TWOS) == [ONE, PAIR, THREE]


def test_double_deck_a_round_of_eight_is_played_to_its_end() -> None:
    red = [(" ".join(f"{card}'" for card in row.split()), f"{last}'") for row, last in SUITS]
    round = after(one_by_one([*SUITS, *red]), players=8, ruleset="double-deck")
    assert tags(round.places) == "p1 p2 p3 p4 p5 p6 p7 p8"
    assert net(round) == [0] * 8

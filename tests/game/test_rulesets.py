"""Rulesets to data and back, and the presets."""

from dataclasses import replace

import pytest

from ledger.game import notation
from ledger.game.night import Night, Terms
from ledger.game.patterns import Pattern
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.compiled import compiled
from ledger.game.rulesets.overlays.edits import agree
from ledger.game.rulesets.overrides import own_rules, with_rules
from ledger.game.rulesets.paying import PlacePayment
from ledger.game.rulesets.serialization import Data, from_data, to_data
from ledger.game.rulesets.southern import CLASSIC, WINNER_TAKES_ALL
from ledger.game.rulesets.validation import validated
from tests.game.table import cards


def test_a_preset_is_found_by_its_id() -> None:
    assert all(PRESETS[name].id == name for name in PRESETS)
    assert PRESETS["southern-classic"] == CLASSIC
    assert PRESETS["southern-winner-takes-all"] == WINNER_TAKES_ALL


def test_data_says_cards_ranks_and_words_in_words() -> None:
    data = to_data(CLASSIC)
    assert data["instant_wins"]["hands"][-1]["bomb_with"] == "3s"
    assert data["combinations"]["top_of_sequences"] == "ace"
    assert data["deal"].items() >= {"hand": 13, "packs": 1, "direction": "anticlockwise"}.items()
    assert data["deal"]["players"] == [2, 3, 4]


def changed(*path: str | int, to: object) -> Data:
    data = to_data(CLASSIC)
    place: object = data
    for step in path[:-1]:
        place = place[step]  # type: ignore[index]
    place[path[-1]] = to  # type: ignore[index]
    return data


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        ([], "a mapping"),
        ({}, "missing: "),
        ({**to_data(CLASSIC), "colour": 1}, "no such field: colour"),
        (changed("deal", to=13), "deal: a mapping"),
        (changed("deal", "hand", to="13"), "hand: int"),
        (changed("deal", "hand", to=True), "hand: int"),
        (changed("deal", "players", to=4), "players: a list"),
        (changed("deal", "players", 0, to="two"), "players.0: int"),
        (changed("deal", "direction", to="up"), "Direction"),
        (changed("deal", "packs", to=0), "packs"),
        (changed("passing", "locks", to=1), "locks: bool"),
        (changed("id", to=None), "id: str"),
        (changed("combinations", "top_of_sequences", to="joker"), "no such rank"),
        (changed("combinations", "top_of_sequences", to=11), "no such rank"),
        (changed("instant_wins", "hands", -1, "bomb_with", to="3x"), "not a card"),
        (changed("instant_wins", "hands", -1, "bomb_with", to=3), "a mapping"),
    ],
)
def test_data_that_is_no_ruleset_is_refused_with_its_place(data: Data, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        from_data(data)


def test_a_night_under_a_preset_of_before_is_written_as_it_was_agreed_on() -> None:
    """Presets change with the program, but a night keeps its agreed rules."""
    hands = PRESETS["casual"].instant_wins.hands[1:]
    casual = replace(PRESETS["casual"], instant_wins=replace(PRESETS["casual"].instant_wins, hands=hands))
    night = Night(Terms(with_rules(casual, [("passing.locks", "no")])), ("An", "Bình"))
    assert notation.read(notation.write(night)).terms == night.terms
    assert own_rules(replace(casual, id="gone")) == []


@pytest.mark.parametrize(
    ("win", "hand", "meets"),
    [
        ("all-of-it:pairs=2:block=3", "3s 3c 3d 4s 4c", True),
        ("all-of-it:pairs=3:block=3", "3s 3c 3d 4s 4c", False),
        ("a-rank:block=2@A", "As Ac", True),
        ("a-rank:block=2@A", "Ks Kc", False),
        ("up-to-a-rank:block=1x3@K", "Js Qs Ks", True),
        ("a-bomb:bomb_with=4h", "3s 3c 4s 4h 5s 5c", True),
        ("a-bomb:bomb_with=4d", "3s 3c 4s 4h 5s 5c", False),
    ],
)
def test_an_instant_win_makes_every_demand_of_its_row(win: str, hand: str, meets: bool) -> None:
    rules = compiled(with_rules(CLASSIC, [("instant_wins.hands", win)]))
    assert (rules.instant_win(cards(hand), opening=True) is not None) is meets


def test_s_deal_only_four_players_are_dealt_the_whole_deck() -> None:
    assert [players for players in (2, 3, 4) if CLASSIC.deals_all(players)] == [4]


def test_what_is_agreed_on_beside_the_play_is_agreed_on_once() -> None:
    once = agree(CLASSIC, "no-trading")
    assert once.customs == ("no-trading",)
    assert agree(once, "no-trading") is once
    assert agree(once, "trading", instead_of=("no-trading",)).customs == ("trading",)


def test_turns_can_be_counted_where_a_pass_locks_and_nobody_comes_in_out_of_turn() -> None:
    assert CLASSIC.counts_turns
    assert PRESETS["thirteen"].counts_turns
    passing = CLASSIC.passing
    for other in (
        replace(passing, locks=False),
        replace(passing, forward=True),
        replace(passing, any_time=(Pattern(4),)),
    ):
        assert not replace(CLASSIC, passing=other).counts_turns
    assert not PRESETS["akita"].counts_turns


def test_a_place_pays_a_better_one() -> None:
    backwards = (PlacePayment(players=4, payer=1, payee=4, points=2),)
    with pytest.raises(ValueError, match="better"):
        validated(replace(CLASSIC, payments=replace(CLASSIC.payments, places=backwards)))

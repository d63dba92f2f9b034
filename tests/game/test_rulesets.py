"""A ruleset as data, both ways, and what the presets say."""

import json
from dataclasses import replace

import pytest

from ledger.game import notation
from ledger.game.cards import Card, Rank
from ledger.game.night import Night
from ledger.game.patterns import Pattern, Target
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.compiled import compiled
from ledger.game.rulesets.model import InstantWin, InstantWins, PlacePayment, Ruleset
from ledger.game.rulesets.overlays.edits import agree
from ledger.game.rulesets.overrides import own_rules, rules_of, unsaid_rules, with_rule
from ledger.game.rulesets.serialization import Data, from_data, to_data
from ledger.game.rulesets.southern import CLASSIC, WINNER_TAKES_ALL
from ledger.game.rulesets.validation import validated
from tests.game.table import cards


@pytest.mark.parametrize("ruleset", PRESETS.values(), ids=list(PRESETS))
def test_a_ruleset_is_the_same_after_it_was_data(ruleset: Ruleset) -> None:
    data = json.loads(json.dumps(to_data(ruleset)))
    assert from_data(data) == ruleset


def test_a_preset_is_found_by_its_id() -> None:
    assert all(PRESETS[name].id == name for name in PRESETS)
    assert PRESETS["southern-classic"] == CLASSIC
    assert PRESETS["southern-winner-takes-all"] == WINNER_TAKES_ALL


def test_data_says_cards_ranks_and_words_in_words() -> None:
    data = to_data(CLASSIC)
    assert data["instant_wins"]["hands"][-1]["bomb_with"] == "3s"
    assert data["combinations"]["top_of_sequences"] == "ace"
    assert (
        data["deal"]
        | {
            "players": [2, 3, 4],
            "hand": 13,
            "packs": 1,
            "direction": "anticlockwise",
        }
        == data["deal"]
    )


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


def test_a_house_rule_replaces_one_field() -> None:
    ruleset = with_rule(CLASSIC, "passing.locks", "no")
    assert ruleset == replace(CLASSIC, passing=replace(CLASSIC.passing, locks=False))
    assert rules_of(ruleset, CLASSIC) == [("passing.locks", "no")]
    assert rules_of(with_rule(ruleset, "passing.locks", "yes"), CLASSIC) == []
    assert rules_of(with_rule(CLASSIC, "instant_wins.points", "3"), CLASSIC) == [("instant_wins.points", "3")]


@pytest.mark.parametrize(
    ("ruleset", "unsaid"),
    [
        (replace(CLASSIC, bombs=()), ["bombs"]),
        (replace(CLASSIC, passing=replace(CLASSIC.passing, late=())), ["passing.late"]),
        (
            replace(CLASSIC, combinations=replace(CLASSIC.combinations, top_of_sequences=Rank.TWO)),
            ["combinations.top_of_sequences"],
        ),
        (replace(CLASSIC, open=()), []),
    ],
)
def test_a_difference_that_no_line_can_say_is_named(ruleset: Ruleset, unsaid: list[str]) -> None:
    laid = with_rule(ruleset, "passing.locks", "no")
    assert rules_of(laid, CLASSIC) == [("passing.locks", "no")]
    assert unsaid_rules(laid, CLASSIC) == unsaid
    assert own_rules(laid) == [("passing.locks", "no")]
    assert own_rules(replace(laid, id="gone")) == []


def test_a_night_under_a_preset_of_before_is_written_with_what_its_lines_cannot_say() -> None:
    """Presets change with the program; a night keeps the rules that it agreed on."""
    hands = PRESETS["casual"].instant_wins.hands[1:]
    casual = replace(PRESETS["casual"], instant_wins=replace(PRESETS["casual"].instant_wins, hands=hands))
    text = notation.write(Night(with_rule(casual, "passing.locks", "no"), ("An", "Bình")))
    assert "rule passing.locks=no\n; " in text
    assert "instant_wins.hands\n" in text
    assert notation.read(text).ruleset == with_rule(PRESETS["casual"], "passing.locks", "no")


@pytest.mark.parametrize(
    ("win", "hand", "meets"),
    [
        (InstantWin("all of it", pairs=2, block=Target(Pattern(3))), "3s 3c 3d 4s 4c", True),
        (InstantWin("all of it", pairs=3, block=Target(Pattern(3))), "3s 3c 3d 4s 4c", False),
        (InstantWin("a rank", block=Target(Pattern(2), Rank.ACE)), "As Ac", True),
        (InstantWin("a rank", block=Target(Pattern(2), Rank.ACE)), "Ks Kc", False),
        (InstantWin("up to a rank", block=Target(Pattern(1, 3), Rank.KING)), "Js Qs Ks", True),
        (InstantWin("a bomb", bomb_with=Card.read("4h")), "3s 3c 4s 4h 5s 5c", True),
        (InstantWin("a bomb", bomb_with=Card.read("4d")), "3s 3c 4s 4h 5s 5c", False),
    ],
)
def test_an_instant_win_makes_every_demand_of_its_row(win: InstantWin, hand: str, meets: bool) -> None:
    ruleset = replace(CLASSIC, instant_wins=InstantWins((win,), 2))
    assert (compiled(ruleset).instant_win(cards(hand), opening=True) == win) is meets


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

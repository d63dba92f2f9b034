"""Presets, and the data that a night stores of its rules: values other than defaults, which never change."""

import json
import typing
from collections.abc import Iterator
from dataclasses import MISSING, fields, is_dataclass, replace
from enum import Enum, StrEnum

import pytest

from ledger.game import notation
from ledger.game.cards import Card
from ledger.game.night import Night
from ledger.game.patterns import Pattern
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.compiled import compiled
from ledger.game.rulesets.model import Ruleset
from ledger.game.rulesets.overlays.edits import agree
from ledger.game.rulesets.overrides import own_rules, with_rules
from ledger.game.rulesets.serialization import from_data, to_data
from ledger.game.rulesets.southern import CLASSIC, WINNER_TAKES_ALL
from ledger.game.terms import Terms
from tests.case_files import CASES, lines_below_headings, told
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
        *((*case, True) for case in told("ruleset-data.txt", "instant wins")),
        *((*case, False) for case in told("ruleset-data.txt", "no instant wins")),
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


DEFAULTS = CASES / "defaults.txt"

each_preset = pytest.mark.parametrize("ruleset", PRESETS.values(), ids=list(PRESETS))


def defaults(group: type) -> Iterator[str]:
    """Every default of a class and of the classes in it: `Deal.backs = False`."""
    for field in fields(group):
        if field.default is not MISSING:
            empty = is_dataclass(field.default) and field.default == type(field.default)()  # type: ignore[misc]
            default = f"{type(field.default).__name__}()" if empty else field.default
            yield f"{group.__name__}.{field.name} = {default!s}".rstrip()
    for hint in typing.get_type_hints(group).values():
        for inner in (hint, *typing.get_args(hint)):
            if is_dataclass(inner) and isinstance(inner, type):
                yield from defaults(inner)


def test_no_default_changes_for_old_nights_leave_them_out() -> None:
    """Changing a line of the file would change the rules of recorded nights: add a field instead."""
    assert sorted(set(defaults(Ruleset))) == DEFAULTS.read_text(encoding="utf-8").splitlines()


def in_full(value: object) -> object:
    """A value as data with all fields, as older versions wrote it."""
    match value:
        case Card():
            return str(value)
        case StrEnum():
            return value.value
        case Enum():
            return value.name.lower()
        case tuple():
            return list(map(in_full, value))
        case _ if is_dataclass(value):
            return {field.name: in_full(getattr(value, field.name)) for field in fields(value)}
    return value


@each_preset
def test_data_that_spells_out_every_default_means_the_same(ruleset: Ruleset) -> None:
    assert from_data(in_full(ruleset)) == ruleset  # type: ignore[arg-type]


@each_preset
def test_a_ruleset_is_the_same_after_it_was_data_and_has_one_memory(ruleset: Ruleset) -> None:
    data = to_data(ruleset)
    again = from_data(json.loads(json.dumps(data)))
    assert from_data(data) == again == ruleset
    assert compiled(from_data(data)) is compiled(again)


def read_cases() -> Iterator[tuple[str, object, str]]:
    """A place in the data, another value there, and what is complained of."""
    for heading, line in lines_below_headings("ruleset-data.txt"):
        if heading == "no ruleset":
            place, value, complaint = line.split(" => ")
            yield place, json.loads(value), complaint


@pytest.mark.parametrize(
    ("place", "value", "complaint"), [*read_cases(), ("deal.hand", 10**300, "hand: a whole number from 0")]
)
def test_data_that_no_table_could_play_by_are_no_ruleset(place: str, value: object, complaint: str) -> None:
    data: typing.Any = to_data(PRESETS["southern-classic"])
    *way, last = place.split(".")
    inner = data
    for step in way:
        inner = inner[int(step) if isinstance(inner, list) else step]
    inner[int(last) if isinstance(inner, list) else last] = value
    with pytest.raises(ValueError, match=complaint):
        from_data(data)


@pytest.mark.parametrize(("data", "complaint"), [([], "a mapping"), ({}, "missing: ")])
def test_what_is_not_all_of_the_data_is_no_ruleset(data: typing.Any, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        from_data(data)


def test_bombs_of_fewer_suits_than_their_shape_are_led_like_it() -> None:
    data: typing.Any = to_data(PRESETS["amsterdam"])
    data["bombs"][0]["shape"]["suits"] = "one_colour"
    with pytest.raises(ValueError, match="bombs may be led"):
        from_data(data)


def values_and_defaults(value: object, data: object) -> Iterator[tuple[object, object]]:
    """The value and default of each field that the data contains."""
    if isinstance(value, tuple) and isinstance(data, list):
        for pair in zip(value, data, strict=True):
            yield from values_and_defaults(*pair)
    elif is_dataclass(value) and isinstance(data, dict):
        for field in fields(value):
            if field.name in data:
                held = getattr(value, field.name)
                yield held, field.default
                yield from values_and_defaults(held, data[field.name])


@each_preset
def test_data_says_nothing_that_is_at_its_default(ruleset: Ruleset) -> None:
    pairs = list(values_and_defaults(ruleset, to_data(ruleset)))
    assert len(pairs) > 30
    assert all(held != default for held, default in pairs)


def test_a_night_carries_a_few_thousand_letters_of_rules() -> None:
    sizes = {
        name: len(json.dumps(to_data(ruleset), separators=(",", ":"))) for name, ruleset in PRESETS.items()
    }
    assert max(sizes, key=lambda name: sizes[name]) == "pro-play"
    assert sizes["pro-play"] < 20_000
    assert all(size < 7_000 for name, size in sizes.items() if name != "pro-play")

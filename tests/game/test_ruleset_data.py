"""The data that a night stores of its ruleset: values other than defaults, which therefore never change."""

import json
import typing
from collections.abc import Iterator
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum, StrEnum

import pytest

from ledger.game.cards import Card
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.compiled import compiled
from ledger.game.rulesets.model import Ruleset
from ledger.game.rulesets.serialization import from_data, to_data
from tests.case_files import CASES

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


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("deal", "players"), [0, 2, 3, 4]),
        (("deal", "players"), [13]),
        (("deal", "players"), []),
        (("deal", "hand"), 10**300),
        (("payments", "left"), -1),
        (("payments", "places", 0, "points"), 10_000),
        (("id",), "<b>"),
        (("id",), "x" * 65),
        (("customs",), ["a\nb"]),
    ],
)
def test_data_that_no_table_could_play_by_are_no_ruleset(place: tuple[str | int, ...], value: object) -> None:
    data: typing.Any = to_data(PRESETS["southern-classic"])
    *way, last = place
    inner = data
    for step in way:
        inner = inner[step]
    inner[last] = value
    with pytest.raises(ValueError, match=r"\w"):
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

"""What numbers that are paid, and ways to count, are declared to need: without it they change no payment."""

from enum import StrEnum
from operator import attrgetter
from random import Random

import pytest

from ledger.game.rulesets import PRESETS, Ruleset
from ledger.game.rulesets.model import DECLARED, unmet
from ledger.game.rulesets.overlays.schemes import SCHEMES, lay
from ledger.game.rulesets.serialization import PLAIN, fields_of_lines, with_field
from ledger.game.rulesets.southern import CLASSIC
from tests.game.mattering import Case, cases

PATHS = {path: fields_of_lines()[path] for path in DECLARED}
OTHERS = {
    "payments.places": "none 1/-1,1/0/-1,2/1/-1/-2",
    "payments.special_sets": "none 1@2:3,2x3:5,4:7",
    "payments.captured": "none 1@2:9,2x3:8,4:6",
    "payments.sheets": "none 3/2/1 4/3/2/1,2/1",
    "payments.full_from": "0 5",
    "ending.at_first_out": "no yes",
    "ending.knock_out": "no yes",
}
PLAYED = [case for case in cases().values() if case.path in DECLARED]


def values(path: str) -> list[str]:
    """Some values of a field."""
    if path in OTHERS:
        return OTHERS[path].split()
    if PATHS[path] is int:
        return [str(DECLARED[path].least), str(DECLARED[path].least + 1)]
    return ["no", "yes"] if PATHS[path] is bool else list(PATHS[path])


def any_way_to_pay(chance: Random, ruleset: Ruleset) -> Ruleset:
    for path in (*DECLARED, *OTHERS):
        ruleset = with_field(ruleset, path, chance.choice(values(path)))
    return ruleset


def paid(case: Case, ruleset: Ruleset) -> object:
    """What is paid in the round of a case, and scored beside it, by other rules; None if they refuse it: an idle
    price of an unplayed hand still has a result say who has played nothing."""
    results = case.results(ruleset)
    return None if results["verdict"] else (results["payments"], results["sheet"])


@pytest.mark.parametrize("case", PLAYED, ids=lambda case: case.field)
def test_where_a_field_matters_it_has_what_it_needs(case: Case) -> None:
    assert not any(unmet(case.before, case.path))


@pytest.mark.parametrize("case", PLAYED, ids=lambda case: case.field)
def test_without_what_it_needs_a_field_changes_no_payment(case: Case) -> None:
    """In the rounds in which each of them matters, under random ways to pay."""
    chance, idle = Random(case.field), set[str]()
    for _ in range(6):
        ruleset = any_way_to_pay(chance, case.before)
        before = paid(case, ruleset)
        for path in (path for path in DECLARED if any(unmet(ruleset, path))):
            others = (with_field(ruleset, path, value) for value in values(path))
            for other in (other for other in others if other != ruleset and any(unmet(other, path))):
                idle.add(path)
                assert None in (before, now := paid(case, other)) or now == before, path
    assert len(idle) > len(DECLARED) // 3


@pytest.mark.parametrize("path", DECLARED)
def test_what_a_field_needs_is_a_field_or_a_value_of_one(path: str) -> None:
    for need in DECLARED[path].needs:
        for line in need.split("|"):
            field, equals, text = line.partition("=")
            whole = field if "." in field else f"{path.partition('.')[0]}.{field}"
            assert (
                with_field(CLASSIC, whole.removesuffix("!"), text) if equals else whole in fields_of_lines()
            )


def test_a_choice_that_needs_a_number_says_which() -> None:
    counting = with_field(CLASSIC, "payments.chain", "counting")
    assert [*unmet(counting, "payments.chain")] == [("payments.chop_unit", "payments.chain!=counting")]
    assert not any(unmet(with_field(counting, "payments.chop_unit", "2"), "payments.chain"))


@pytest.mark.parametrize("preset", PRESETS.values(), ids=lambda preset: preset.id)
def test_a_preset_and_a_scheme_bring_the_numbers_that_their_ways_to_count_need(preset: Ruleset) -> None:
    for ruleset in (preset, *(lay(preset, scheme) for scheme in SCHEMES)):
        for path in DECLARED:
            way, usual = attrgetter(path)(ruleset), attrgetter(path)(PLAIN)
            if isinstance(way, bool | StrEnum) and way and way != usual:
                numbers = [ways for ways in unmet(ruleset, path) if any("=" not in line for line in ways)]
                assert not numbers, (ruleset.scheme, path)

"""What fields are declared to need: without it they change no payment, and with it something that is seen."""

import importlib
from dataclasses import replace
from enum import StrEnum
from operator import attrgetter
from random import Random

import pytest

from ledger.game.agreed import Need
from ledger.game.rulesets import PRESETS, Ruleset, needs
from ledger.game.rulesets.model import DECLARED
from ledger.game.rulesets.needs import FACTS, is_set, unmet
from ledger.game.rulesets.overlays.schemes import SCHEMES, lay
from ledger.game.rulesets.serialization import PLAIN, fields_of_lines, with_field
from ledger.game.rulesets.southern import CLASSIC
from ledger.language import LANGUAGES, speaker
from tests.game.mattering import Case, cases
from tests.game.rulesets.effects import is_told_truly, observed, paid, values
from tests.soaking import further

PAYING = [path for path in fields_of_lines() if path.startswith(("payments.", "instant_wins.", "ending."))]
PLAYED = [case for case in cases().values() if case.story and case.path in fields_of_lines()]
SEEN = [path for path in fields_of_lines() if observed(path)]


def any_way_to_pay(chance: Random, ruleset: Ruleset) -> Ruleset:
    for path in PAYING:
        ruleset = with_field(ruleset, path, chance.choice(values(path)))
    return ruleset


@pytest.mark.parametrize("case", PLAYED, ids=lambda case: case.field)
def test_where_a_field_matters_it_has_what_it_needs(case: Case) -> None:
    assert not all(any(unmet(ruleset, case.path)) for ruleset in (case.before, case.after))


@pytest.mark.parametrize(
    "case", [case for case in PLAYED if case.path in PAYING], ids=lambda case: case.field
)
def test_without_what_it_needs_a_field_changes_no_payment(case: Case) -> None:
    """In the rounds in which each of them matters, under random ways to pay."""
    chance, idle = Random(case.field), set[str]()
    for _ in range(2):
        ruleset = any_way_to_pay(chance, case.before)
        before = paid(case, ruleset)
        for path in (path for path in PAYING if any(unmet(ruleset, path))):
            others = (with_field(ruleset, path, value) for value in values(path))
            for other in (other for other in others if other != ruleset and any(unmet(other, path))):
                idle.add(path)
                assert None in (before, now := paid(case, other)) or now == before, path
    assert len(idle) > 5


@pytest.mark.parametrize("seed", further(range(1_500), plain=20))
def test_a_field_changes_what_is_seen_or_says_what_it_needs(seed: int) -> None:
    """Under random rules; a round is looked for in which the change of that one field is seen."""
    chance = Random(seed)
    path = chance.choice(SEEN)
    assert is_told_truly(path, chance), path


def test_a_way_to_count_without_its_number_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    chain = DECLARED["payments.chain"]
    less = tuple(ways for ways in chain.needs if Need("payments.chop_unit") not in ways)
    monkeypatch.setitem(DECLARED, "payments.chain", replace(chain, needs=less))
    assert not all(is_told_truly("payments.chain", Random(seed)) for seed in range(40))


@pytest.mark.parametrize("path", DECLARED)
def test_what_a_field_needs_is_a_field_or_a_value_of_one_or_a_fact_that_has_words(path: str) -> None:
    for need in (need for ways in DECLARED[path].needs for need in ways):
        if need.name in FACTS:
            assert all(speaker(language).knows(f"need {need.name}") for language in LANGUAGES)
        elif need.value is None:
            assert need.name in fields_of_lines()
        else:
            assert is_set(with_field(CLASSIC, need.name, need.value), need._replace(but=False))


@pytest.mark.parametrize("need", ["payments.crad", "payments.chain=cuting", "bom", "card"])
def test_a_need_that_is_nothing_stops_the_program(need: str, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = replace(DECLARED["payments.chain"], needs=((Need.read(need),),))
    monkeypatch.setitem(DECLARED, "payments.chain", wrong)
    with pytest.raises((AttributeError, LookupError, ValueError)):
        importlib.reload(needs)
    monkeypatch.undo()
    importlib.reload(needs)


def test_a_choice_that_needs_a_number_says_which() -> None:
    counting = with_field(CLASSIC, "payments.chain", "counting")
    assert [*unmet(counting, "payments.chain")] == [
        (Need("payments.chop_unit"), Need("payments.chain", "counting", but=True))
    ]
    assert not any(unmet(with_field(counting, "payments.chop_unit", "2"), "payments.chain"))


@pytest.mark.parametrize("preset", PRESETS.values(), ids=lambda preset: preset.id)
def test_a_preset_and_a_scheme_bring_the_numbers_that_their_ways_to_count_need(preset: Ruleset) -> None:
    for ruleset in (preset, *(lay(preset, scheme) for scheme in SCHEMES)):
        for path in (path for path in PAYING if path.startswith("payments.")):
            way, usual = attrgetter(path)(ruleset), attrgetter(path)(PLAIN)
            if isinstance(way, bool | StrEnum) and way and way != usual:
                numbers = [
                    ways
                    for ways in unmet(ruleset, path)
                    if any(need.value is None and fields_of_lines().get(need.name) is int for need in ways)
                ]
                assert not numbers, (ruleset.scheme, path)

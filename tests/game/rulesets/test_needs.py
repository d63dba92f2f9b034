"""What fields are declared to need: without it they change no payment, and with it something that is seen."""

from dataclasses import replace
from enum import StrEnum
from operator import attrgetter
from random import Random

import pytest

from ledger.game.rulesets import PRESETS, Ruleset
from ledger.game.rulesets.model import DECLARED
from ledger.game.rulesets.needs import FACTS, unmet
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
    less = tuple(need for need in chain.needs if "chop_unit" not in need)
    monkeypatch.setitem(DECLARED, "payments.chain", replace(chain, needs=less))
    assert not all(is_told_truly("payments.chain", Random(seed)) for seed in range(40))


@pytest.mark.parametrize("path", DECLARED)
def test_what_a_field_needs_is_a_field_or_a_value_of_one_or_a_fact_that_has_words(path: str) -> None:
    for need in DECLARED[path].needs:
        for line in need.split("|"):
            field, equals, text = line.partition("=")
            field = field.removesuffix("!")
            if field in FACTS:
                assert all(speaker(language).knows(f"need {field}") for language in LANGUAGES)
                continue
            whole = field if field in fields_of_lines() else f"{path.partition('.')[0]}.{field}"
            assert with_field(CLASSIC, whole, text) if equals else whole in fields_of_lines()


def test_a_choice_that_needs_a_number_says_which() -> None:
    counting = with_field(CLASSIC, "payments.chain", "counting")
    assert [*unmet(counting, "payments.chain")] == [("payments.chop_unit", "payments.chain!=counting")]
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
                    if any(fields_of_lines().get(line) is int for line in ways)
                ]
                assert not numbers, (ruleset.scheme, path)

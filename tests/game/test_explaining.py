"""Explanations of recorded nights, and that every reason occurs; `explaining.txt` and `resting.txt` in
`tests/cases/rounds` cover their steps and what they rest on."""

from collections.abc import Callable

import pytest

from ledger.game.explaining import About, WhyNot, explain
from ledger.game.payments import StepKind
from ledger.game.round import Round
from tests.game.rulesets.laws import is_explained
from tests.game.short_rounds import cases
from tests.game.test_statistics import record as recorded


@pytest.mark.parametrize(
    "record", ["by-hand-04-results-voids-and-a-newcomer", "by-hand-05-results-where-the-winner-takes-all"]
)
def test_every_round_of_the_records_with_results_and_voids_is_explained(record: str) -> None:
    night = recorded(record)
    assert any(round.result is not None for round in night.rounds)
    for round in night.rounds:
        is_explained(round)


def provoked() -> dict[WhyNot, Callable[[], Round]]:
    """Reason for no payment -> the first case that has it."""
    found: dict[WhyNot, Callable[[], Round]] = {}
    for case in cases():
        if case.place.startswith("explaining"):
            for one in explain(case.played()).why_not:
                found.setdefault(one.reason, case.played)
    return found


PROVOKED = provoked()


def test_every_reason_for_no_payment_comes_about() -> None:
    assert set(PROVOKED) == set(WhyNot)


def test_every_kind_of_step_and_everything_to_be_asked_about_comes_about() -> None:
    explained = [explain(case.played()) for case in cases() if case.place.startswith("explaining")]
    assert {step.kind for one in explained for why in one.why for step in why.steps} == set(StepKind)
    assert {why_not.about for one in explained for why_not in one.why_not} == set(About)

"""A night under other rules; `tests/cases/rounds/comparing.txt` covers the moves that they judge differently, and
their payments."""

import json
from pathlib import Path

import pytest

from ledger.game.comparison import compare
from ledger.game.night import totals
from ledger.game.payments import post
from ledger.game.report import Outcome, as_data
from ledger.game.rulesets import PRESETS
from ledger.game.scoring import payments
from ledger.game.side_by_side import report_comparison, score_under
from tests.game.table import replay_story
from tests.game.test_records import NIGHTS, WORDS, name, replayed

TAKES_ALL = "southern-winner-takes-all"


@pytest.mark.parametrize("path", NIGHTS, ids=name)
def test_a_night_under_its_own_rules_is_the_same_night(path: Path) -> None:
    """Of a night whose table changed its rules, the rounds under those that it began with."""
    night = replayed(path)
    comparison = compare(night, night.ruleset)
    own = [one for one in comparison.rounds if one.here.ruleset == night.ruleset]
    for one in own:
        assert one.there is not None
        assert post(payments(one.there)) == post(payments(one.here))
    if len(own) == len(night.rounds):
        assert comparison.first is None
        assert comparison.totals() == (totals(night), totals(night))


@pytest.mark.parametrize("preset", PRESETS)
def test_whatever_the_rules_each_side_sums_to_zero(preset: str) -> None:
    for path in NIGHTS[:12]:
        comparison = compare(replayed(path), PRESETS[preset])
        here, there = comparison.totals()
        assert sum(here) == sum(there) == 0
        json.dumps(as_data(report_comparison(comparison, lambda ruling, names: "")))


def test_the_result_that_ends_a_comparison_is_named_by_its_line() -> None:
    comparison = compare(replay_story("result p1 p2 p3 p4", ruleset="core"), PRESETS["southern-classic"])
    stopped = report_comparison(comparison, lambda ruling, names: "x").stopped
    assert comparison.stopped is not None
    assert stopped is not None
    assert comparison.stopped.there.refusal is not None
    assert (comparison.stopped.there.refusal.expected, stopped.line) == ((), "result p1 p2 p3 p4")


def test_a_text_that_cannot_be_scored_is_answered_as_always() -> None:
    report = score_under("tienlen 2", PRESETS[TAKES_ALL], WORDS, lambda ruling, names: "")
    assert report.outcome is Outcome.UNREADABLE

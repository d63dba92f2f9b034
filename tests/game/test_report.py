"""The data that scoring a text returns (`tests/cases/reports.json`)."""

import json
from typing import Any

import pytest

from ledger.game.report import AsReplay, NightReport, NoScore, Outcome, Report, Words, as_data, score
from ledger.game.rulesets import PRESETS
from ledger.game.side_by_side import score_under
from tests.case_files import CASES
from tests.game.short_rounds import story_of
from tests.game.table import page

WORDS = Words(
    refusal=lambda refusal, names: f"{names[refusal.player or 0]}: {refusal.code}",
    finding=lambda finding, names: f"{names[finding.player or 0]}: {finding.code}",
    disagreement=lambda missing, unexpected: f"missing: {missing}, unexpected: {unexpected}",
    unreadable=lambda expected: f"expected {expected}",
    idle=lambda rule: f"idle: {rule.path}",
)
REPORTS: dict[str, dict[str, Any]] = json.loads((CASES / "reports.json").read_text(encoding="utf-8"))
"""What is reported -> the story, how many play, whether every pass must be written, the outcome and the data."""


@pytest.mark.parametrize("case", REPORTS.values(), ids=list(REPORTS))
def test_a_text_is_reported_as_its_case_says(case: dict[str, Any]) -> None:
    players = case.get("players", 4)
    text = page(story_of(case["story"], players=players), players=players)
    report: Report[Any] = (
        score_under(text, PRESETS[case["under"]], WORDS, lambda ruling, names: f"over: {ruling.over}")
        if "under" in case
        else score(text, WORDS, strict=case.get("strict", False))
    )
    assert (report.outcome, as_data(report.answer)) == (Outcome[case["outcome"]], case["data"])
    assert (report.night is not None) is case.get("night", report.outcome is Outcome.SCORED)


def test_an_unreadable_text_is_reported_with_its_line() -> None:
    report = score("tienlen 1\nruleset western", WORDS)
    assert report.outcome is Outcome.UNREADABLE
    error = as_data(report.answer)["error"]
    assert (error["line"], error["code"]) == (2, "notation")
    assert error["message"].startswith("expected a preset's id")


def test_an_error_in_a_replay_made_from_another_text_has_the_line_of_that_text() -> None:
    lines = tuple(range(11, 99))
    whole = page(story_of(REPORTS["passes left out"]["story"], players=4), players=4)
    assert isinstance(AsReplay(whole, lines).scored(lambda text: score(text, WORDS)).answer, NightReport)
    report = AsReplay("x\n" + whole, lines).scored(lambda text: score(text, WORDS))
    assert isinstance(report.answer, NoScore)
    assert report.answer.error.line == 11

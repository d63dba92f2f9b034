"""`tienlen rules`: every ruleset on one line, and each in full."""

import pytest

from ledger.game.rulesets import PRESETS
from ledger.language import LANGUAGES, overviews, rules_text, speaker
from tests.cli.commands import tienlen


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_ruleset_has_a_line(language: str) -> None:
    ran = tienlen("rules", "--language", language)
    lines = ran.out.splitlines()
    assert ran.status == 0
    assert [line.split()[0] for line in lines] == list(PRESETS)
    for line, preset in zip(lines, PRESETS, strict=True):
        assert speaker(language).ruleset(preset) in line
        assert speaker(language).ruleset_line(preset) in line


def test_a_ruleset_is_told_in_full_in_the_language_that_is_asked_for() -> None:
    english, vietnamese = (rules_text(PRESETS["northern"], speaker(language)) for language in ("en", "vi"))
    assert tienlen("rules", "northern").out == english
    assert tienlen("rules", "northern", "--language", "vi").out == vietnamese
    assert tienlen("--language", "vi", "rules", "northern").out == vietnamese


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_ruleset_is_told_side_by_side(language: str) -> None:
    ran = tienlen("rules", "--table", "--language", language)
    assert ran.status == 0
    tables = overviews(speaker(language))
    for table in tables:
        assert table.title in ran.out
        assert all(ran.out.count(f" {preset} ") == len(tables) for preset in PRESETS)

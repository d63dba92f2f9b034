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


def test_the_table_is_of_every_ruleset() -> None:
    ran = tienlen("rules", "northern", "--table")
    assert (ran.status, ran.out) == (2, "")


def test_a_ruleset_that_nobody_knows_is_refused() -> None:
    ran = tienlen("rules", "eastern")
    assert (ran.status, ran.out) == (2, "")
    assert "eastern" in ran.err


def test_the_rules_of_a_table_of_its_own_are_told_and_listed_as_lines() -> None:
    options = ("--rule", "bombs=1x6/one-suit:1@2", "--rule", "triple-beats-ace=yes")
    text = tienlen("rules", "southern-classic", *options).out
    assert "  + A triple beats a single ace\n" in text
    assert "Sequence of six of one suit  a single 2 and a lower" in text
    lines = tienlen("rules", "southern-classic", "--lines", *options).out
    assert "rule payments.places=2/1/-1/-2," in lines
    assert "rule bombs=1x6/one-suit:1@2\n" in lines
    ran = tienlen("rules", "southern-classic", "--rule", "bombs=4")
    assert (ran.status, "bombs takes shape:beats" in ran.err) == (2, True)
    assert tienlen("rules", "--lines").status == 2

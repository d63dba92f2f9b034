"""Every ruleset in a comparison, generated from the data."""

from dataclasses import replace

import pytest

from ledger.game.rulesets import PRESETS
from ledger.language import LANGUAGES, overviews, speaker
from ledger.language.rules import overview
from tests.case_files import told


def cell(column: str, preset: str, language: str = "en") -> str:
    """The cell of a preset in the column with that heading."""
    (found,) = (
        cells[table.head.index(head)]
        for table in overviews(speaker(language))
        for head in table.head
        for id, cells in table.rows.items()
        if (head, id) == (speaker(language).say(f"column {column}"), preset)
    )
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_preset_has_a_full_row_in_every_table(language: str) -> None:
    for table in overviews(speaker(language)):
        assert list(table.rows) == list(PRESETS)
        assert table.title
        assert all(len(row) == len(table.head) and all(row) for row in table.rows.values())


@pytest.mark.parametrize(("preset", "column", "text"), told("overview.txt", "cells"))
def test_a_cell_says_what_the_preset_plays(preset: str, column: str, text: str) -> None:
    assert cell(column, preset) == text


def test_a_changed_field_changes_its_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    classic = PRESETS["southern-classic"]
    free = replace(classic, passing=replace(classic.passing, locks=False))
    monkeypatch.setattr(overview, "PRESETS", {"southern-classic": free})
    assert cell("locks", "southern-classic") == "no"

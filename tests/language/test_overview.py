"""Every ruleset in a comparison, generated from the data."""

from dataclasses import replace

import pytest

from ledger.game.rulesets import PRESETS
from ledger.language import LANGUAGES, overviews, speaker
from ledger.language.rules import overview as overview


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


@pytest.mark.parametrize(
    ("column", "preset", "text"),
    [
        ("players", "core-double", "5–8"),
        ("players", "hawaii", "2, 4*"),
        ("cards", "core-17", "17"),
        ("cards", "double-deck", "13 (2 × 52)*"),
        ("direction", "southern-classic", "anticlockwise"),
        ("dealer", "thirteen-kneeling", "the third player"),
        ("opening", "thirteen", "every round*"),
        ("locks", "akita", "no"),
        ("late", "southern-classic", "four-pair sequence"),
        ("late", "viet-cong", "–*"),
        ("twos", "pro-play", "yes"),
        ("suit lock", "melbourne", "always"),
        ("one two", "thirteen", "three-pair sequence+, four of a kind"),
        ("one two", "southern-classic", "three-pair sequence, four of a kind, four-pair sequence"),
        ("one two", "viet-cong", "three-pair sequence, four of a kind, four-pair sequence*"),
        ("two twos", "southern-classic", "four of a kind, four-pair sequence"),
        ("two twos", "casual", "three-pair sequence+, four of a kind"),
        ("three twos", "southern-classic", "–"),
        ("end", "card-count", "somebody is out"),
        ("knock-out", "southern-classic", "yes"),
        ("payments", "core-double", "The loser pays everyone"),
        ("payments", "northern", "its own way"),
        ("payments", "melbourne", "Ranks only*"),
        ("instant wins", "core", "–"),
        ("instant wins", "thirteen", "3"),
    ],
)
def test_a_cell_says_what_the_preset_plays(column: str, preset: str, text: str) -> None:
    assert cell(column, preset) == text


def test_a_changed_field_changes_its_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    classic = PRESETS["southern-classic"]
    free = replace(classic, passing=replace(classic.passing, locks=False))
    monkeypatch.setattr(overview, "PRESETS", {"southern-classic": free})
    assert cell("locks", "southern-classic") == "no"

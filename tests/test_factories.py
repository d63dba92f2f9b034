"""The factories make nights of the rulesets."""

from pathlib import Path

import pytest

from ledger.game.rulesets import PRESETS
from tests.factories import NightFactory
from tests.recorder.tables import NAMES, opened

WHOLE_HANDS = {"card-count", "northern", "thirteen-points"}
"""Rulesets that pay for cards that are left, which a result does not tell."""
FEW = [id for id, preset in PRESETS.items() if preset.deal.players[0] <= len(NAMES) and id not in WHOLE_HANDS]


@pytest.mark.parametrize("ruleset", FEW)
def test_a_night_has_the_rounds_that_are_asked_for(
    ruleset: str, tmp_path: Path, empty_database: Path
) -> None:
    with opened(tmp_path / "night.db", empty_database) as recorder:
        table = NightFactory(by=recorder, rounds=2, ruleset=ruleset, players=PRESETS[ruleset].deal.players[0])
        assert [event["kind"] for event in table.log()].count("settle") == 2

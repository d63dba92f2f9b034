"""The factories make nights of the rulesets."""

from pathlib import Path

import pytest

from ledger.game.rulesets import PRESETS
from ledger.recorder import audit
from tests.factories import NightFactory
from tests.groups_of_nights import group_of_nights
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


@pytest.mark.parametrize(("regulars", "members"), [(0, 36), (5, 26)])
def test_a_group_has_the_nights_and_the_players_that_are_asked_for(
    regulars: int, members: int, tmp_path: Path, empty_database: Path
) -> None:
    with opened(tmp_path / "nights.db", empty_database) as recorder:
        group = group_of_nights(recorder, 3, 12, regulars=regulars, entries=2)
        with recorder.snapshot() as snapshot:
            season = snapshot.group(group.id).season()
        assert [night.night for night in season.nights] == list(group.nights)
        assert len(season.standings) == members
        assert all(night.owed and len(night.net) == 12 for night in season.nights)
        assert [*audit(recorder)] == []

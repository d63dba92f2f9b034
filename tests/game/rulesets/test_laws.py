"""The laws, over generated rounds of every preset and every number of players that it takes."""

import pytest

from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.types import Ruleset
from tests.game.rulesets.laws import hold, hold_over_a_night, hold_whatever_stands

SEEDS = range(5)
TABLES = [
    pytest.param(ruleset, players, id=f"{ruleset.id}-{players}")
    for ruleset in PRESETS.values()
    for players in ruleset.deal.players
]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("ruleset", "players"), TABLES)
def test_the_laws_hold_in_every_round(ruleset: Ruleset, players: int, seed: int) -> None:
    hold(ruleset, players, seed)


@pytest.mark.parametrize("seed", SEEDS[:3])
@pytest.mark.parametrize(("ruleset", "players"), TABLES)
def test_whatever_stands_a_round_goes_on_and_sums_to_zero(ruleset: Ruleset, players: int, seed: int) -> None:
    hold_whatever_stands(ruleset, players, seed)


@pytest.mark.parametrize("seed", SEEDS[:1])
@pytest.mark.parametrize(("ruleset", "players"), TABLES)
def test_a_night_is_the_same_after_it_was_text(ruleset: Ruleset, players: int, seed: int) -> None:
    hold_over_a_night(ruleset, players, seed)

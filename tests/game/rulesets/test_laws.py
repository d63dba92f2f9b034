"""The laws, over generated rounds of every preset and every number of players that it takes."""

import pytest
from _pytest.mark import ParameterSet

from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.model import Ruleset
from tests import soaking
from tests.game.rulesets.laws import hold, hold_over_a_night, hold_whatever_stands
from tests.soaking import SEEDS


def rounds(seeds: int) -> list[ParameterSet]:
    """A table of every preset for every number of players, with so many seeds: the first of the fewest players is
    quick, further seeds soak."""
    return [
        pytest.param(
            ruleset,
            players,
            seed,
            id=f"{ruleset.id}-{players}-{seed}",
            marks=(
                pytest.mark.soak(SEEDS)
                if seed
                else pytest.mark.slow
                if players != min(ruleset.deal.players)
                else ()
            ),
        )
        for ruleset in PRESETS.values()
        for players in ruleset.deal.players
        for seed in range(seeds if soaking.asked else 1)
    ]


@pytest.mark.parametrize(("ruleset", "players", "seed"), rounds(5))
def test_the_laws_hold_in_every_round(ruleset: Ruleset, players: int, seed: int) -> None:
    hold(ruleset, players, seed)


@pytest.mark.parametrize(("ruleset", "players", "seed"), rounds(3))
def test_whatever_stands_a_round_goes_on_and_sums_to_zero(ruleset: Ruleset, players: int, seed: int) -> None:
    hold_whatever_stands(ruleset, players, seed)


@pytest.mark.parametrize(("ruleset", "players", "seed"), rounds(1))
def test_a_night_is_the_same_after_it_was_text(ruleset: Ruleset, players: int, seed: int) -> None:
    hold_over_a_night(ruleset, players, seed)

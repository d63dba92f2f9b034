"""The laws over random rounds of every preset with every number of players."""

import pytest
from _pytest.mark import ParameterSet

from ledger.game.patterns import Ties
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.model import Ruleset
from ledger.game.rulesets.overrides import with_rules
from tests import soaking
from tests.game.rulesets.laws import hold, hold_of_hands, hold_over_a_night, hold_whatever_stands
from tests.soaking import SEEDS

RULESETS: dict[str, Ruleset] = {
    **PRESETS,
    **{
        str(ties): with_rules(PRESETS["core-double"], [("combinations.ties", ties), ("deal.equal", "yes")])
        for ties in (Ties.LATER_WINS, Ties.EARLIER_STANDS)
    },
}


def rounds(seeds: int) -> list[ParameterSet]:
    """Every preset with every number of players and `seeds` seeds. Only the fewest players with the first seed are
    quick; further seeds are soak tests."""
    return [
        pytest.param(
            ruleset,
            players,
            seed,
            id=f"{name}-{players}-{seed}",
            marks=pytest.mark.soak(SEEDS) if seed else (),
        )
        for name, ruleset in RULESETS.items()
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


@pytest.mark.parametrize("ruleset", PRESETS.values(), ids=list(PRESETS))
def test_hands_that_are_known_at_the_end_are_what_was_held(ruleset: Ruleset) -> None:
    charged = [
        hold_of_hands(ruleset, players, seed) for players in ruleset.deal.players for seed in range(10)
    ]
    assert any(charged) is (
        ruleset.id in {"southern-classic", "southern-winner-takes-all", "thirteen-points"}
    )

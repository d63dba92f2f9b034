"""Tapping the players of a result in their order. The page is in `tests/cases/pages/table/results.txt`."""

from itertools import combinations, permutations

import pytest

from ledger.game.rulesets import PRESETS
from ledger.web.pages.table.result import tapped


@pytest.mark.parametrize(
    "preset", ["southern-classic", "southern-winner-takes-all", "thirteen-points", "northern"]
)
def test_every_order_can_be_tapped_from_every_other(preset: str) -> None:
    """From any order tapped, tapping the misplaced players leads to the order meant."""
    ruleset, players = PRESETS[preset], ["p1", "p2", "p3", "p4"]

    def after(state: tuple[list[str], list[str]], player: str) -> tuple[list[str], list[str]]:
        return tapped(*state, players, player, ruleset)

    orders: set[tuple[tuple[str, ...], tuple[str, ...]]] = set()
    new: list[tuple[tuple[str, ...], tuple[str, ...]]] = [((), ())]
    while new:
        orders |= set(new)
        reached = [after((list(places), list(out)), one) for places, out in new for one in players]
        new = [state for state in {(tuple(a), tuple(b)) for a, b in reached} if state not in orders]
    for places, out in orders:
        assert not {*places} & {*out}
        assert len({*places}) == len(places)
    wanted = [(one,) for one in players] if ruleset.ending.at_first_out else list(permutations(players))
    assert {places for places, out in orders if not out} >= set(wanted)
    if ruleset.never_played_matters:
        assert {frozenset(out) for _, out in orders} >= {
            frozenset(some) for number in range(3) for some in combinations(players, number)
        }

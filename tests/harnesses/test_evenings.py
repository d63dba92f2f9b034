"""Evenings in virtual time (`scripts/soak evenings`): they find no violation, and find every planted defect."""

import pytest

from tests.soak.phones.evening import DEFECTS, Plan, database, shrunk, spend
from tests.soak.running import scratch
from tests.soaking import PLANTED, further

EVENINGS, WITH_A_DEFECT = 12, 40  # enough for every fault to occur and every defect to be found

FINDS = {
    "phones re-base by themselves": "recorded twice by two phones",
    "phones make a new id for every try": "in conflict with itself",
    "the server forgets ids": "",
    "the server takes what is stale": "recorded twice by two phones",
    "the server asks nobody what they saw": "said of what nobody had seen",
    "the server answers before it keeps": "acknowledged and not recorded",
}
"""Defect -> how its violation begins; empty allows any."""


def test_evenings_hold_whatever_the_weather() -> None:
    with scratch(in_memory=True) as folder, database(folder) as store:
        outcomes = [spend(store, Plan(seed, length=16)) for seed in range(EVENINGS)]
    assert [outcome.found for outcome in outcomes] == [""] * EVENINGS
    stories = "\n".join(line for outcome in outcomes for line in outcome.story)
    for word in ("stale", "killed", " 200 ", "drops", "goes on", "undo", "redo", "settle", "confirm"):
        assert word in stories


def test_the_same_seed_is_the_same_evening() -> None:
    with scratch(in_memory=True) as folder, database(folder) as store:
        first, again = (spend(store, Plan(7, length=12)) for _ in range(2))
    assert first == again


@pytest.mark.parametrize("defect", further(DEFECTS, PLANTED))
def test_evenings_find_what_is_planted(defect: str) -> None:
    with scratch(in_memory=True) as folder, database(folder) as store:
        found = (spend(store, Plan(seed, length=20, defect=defect)).found for seed in range(WITH_A_DEFECT))
        assert any(one and one.startswith(FINDS[defect]) for one in found)


def test_what_is_found_is_told_in_few_lines() -> None:
    with scratch(in_memory=True) as folder, database(folder) as store:
        found = spend(store, Plan(0, length=14, defect="the server takes what is stale"))
    assert found.found
    small = shrunk(found)
    assert small.found
    assert small.plan.length < 14
    assert small.plan.without
    with scratch(in_memory=True) as folder, database(folder) as store:
        assert spend(store, small.plan) == small

"""Journeys whose steps say all: correcting from the table, dictated moves, stepping through a round, what only some
rules have, and settling up."""

import pytest

from tests.browser.journeys import Journey, journeys


@pytest.mark.browser
@journeys(
    "ledger/settling",
    "rounds/mending",
    "rounds/replay",
    "rules/agreeing",
    "table/dictation",
    "table/packs",
    "table/who",
)
def test_a_journey(journey: Journey, steps: list[str]) -> None:
    journey.go(steps)

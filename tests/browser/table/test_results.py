"""A result on a phone: a few taps, nothing recorded before the last, and no tap lost."""

import pytest

from tests.browser.journeys import Journey, journeys
from tests.browser.phones import PHONES
from tests.soaking import further

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("size", further([PHONES["320x568"], PHONES["390x664"]], "larger phones"), ids=str)
@journeys("table/results")
def test_a_result(journey: Journey, steps: list[str], size: tuple[int, int]) -> None:
    journey.go(steps, size)

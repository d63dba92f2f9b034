"""A phone that is six times slower than this machine records a night."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.servers import Served
from tests.soak.storm.slowed import record
from tests.soaking import PLANTED

pytestmark = pytest.mark.browser

LEAK = "addEventListener('queue', () => { for (let i = 0; i < 40; i++) addEventListener('leak', () => i); }, true)"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("slow"), workers=1) as served:
        yield served


def test_a_slow_phone_loses_no_tap_and_holds_no_more_after_a_round_than_before(
    browser: Browser, served: Served
) -> None:
    """In short: `scripts/soak slowed` records sixty rounds, and measures how long its taps take."""
    night = record(browser, served, rounds=1, tapped=3, slower=6)
    assert night.wrong() == []
    assert len(night.drawn) > 2


@pytest.mark.soak(PLANTED)
def test_a_page_that_listens_more_with_every_tap_is_found(browser: Browser, served: Served) -> None:
    night = record(browser, served, rounds=1, tapped=6, slower=1, leak=LEAK)
    assert any(wrong.startswith("listeners grow within a round") for wrong in night.wrong())

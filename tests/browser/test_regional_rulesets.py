"""Rulesets of one place or one club on a phone: chosen on the first page, a round tapped, settled and paid."""

import pytest
from playwright.sync_api import Browser

from tests.browser.tables import REGIONAL, play_through
from tests.browser.tapping import Table

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("table", REGIONAL, ids=lambda table: table.preset)
def test_a_round_is_tapped_settled_and_paid(browser: Browser, server: str, table: Table) -> None:
    play_through(browser, server, table)

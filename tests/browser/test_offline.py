"""The keeper's phone without a network: taps are queued, and recorded once, in order, when it is back."""

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.journeys import NAMES, Journey, journeys
from tests.browser.telling import at_table
from tests.soak.storm.storm import log

pytestmark = pytest.mark.browser


@journeys("shared/offline")
def test_a_keeper_without_a_network(journey: Journey, steps: list[str]) -> None:
    journey.go(steps)


def test_rounds_that_wait_each_go_the_other_way_round_where_the_direction_changes(
    browser: Browser, server: str
) -> None:
    with at_table(browser, server, "round opening", names=NAMES[:4], rules="casual") as keeper:
        page, orders = keeper.page, []
        page.context.set_offline(True)
        for seat, suit in (("p1", "s"), ("p2", "c"), ("p3", "d")):
            orders.append([one.get_attribute("value") for one in page.locator("[name=seat]").all()])
            keeper.choose(seat, [f"{rank}{suit}" for rank in "3456789TJQKA2"])
            keeper.tap(page.locator("button[value=claim]"))
            expect(page.locator("[name=cards]:checked")).to_have_count(0)
            keeper.tap(page.locator("[data-closing]"))
            keeper.tap(page.locator('.closing .pick:has([value=""])'))
            keeper.tap(page.locator(".closing button[value=round]"))
            expect(page.locator(".closing")).to_have_count(0)
        assert orders == [["p1", "p2", "p3", "p4"], ["p4", "p3", "p2", "p1"], ["p1", "p2", "p3", "p4"]]
        page.context.set_offline(False)
        expect(page.locator(".net")).to_have_text("Đã lưu")
        sat = [entry["parts"][0]["seats"] for entry in log(page) if entry["kind"] == "round"]  # type: ignore[index]
        assert sat == [*orders, ["p4", "p3", "p2", "p1"]]

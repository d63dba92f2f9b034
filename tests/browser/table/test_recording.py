"""A whole round recorded by tapping, with and without scripts."""

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import NAMES
from tests.browser.journeys import Journey, journeys
from tests.browser.keeper import first_round
from tests.browser.phones import phone
from tests.browser.telling import Teller

pytestmark = pytest.mark.browser


@journeys("table/recording")
def test_a_table_that_is_tapped_or_typed(journey: Journey, steps: list[str]) -> None:
    journey.go(steps)


def test_a_round_is_recorded_by_tapping_settled_and_paid_without_scripts(
    browser: Browser, server: str
) -> None:
    """With scripts rounds are tapped at the tables of test_every_ruleset.py."""
    with phone(browser, java_script_enabled=False) as context:
        keeper = Teller(context.new_page(), server)
        page = keeper.page
        night = keeper.open_table(NAMES)
        keeper.begin_round()
        plays, paid = first_round("southern-05.tln")
        keeper.record_round(plays[:6])
        with keeper.telling():
            keeper.tell_plays(plays[6:-3])
        keeper.record_round(plays[-3:])
        assert page.url == f"{night}/rounds/1/settle"
        keeper.leave(page.locator("button[value=settle]"))
        page.goto(f"{night}/ledger")
        page.locator("#round-1 summary").tap()
        lines = page.locator("#round-1 .lines li:not(.sum)").all_inner_texts()
        shown = [line.split("\n")[:2] for line in lines]
        who = dict(zip(["p1", "p2", "p3", "p4"], NAMES, strict=True))
        wanted = [
            [f"{who[payer]} →\u00a0{who[payee]}", points] for payer, payee, points, _ in map(str.split, paid)
        ]
        assert shown == wanted
        assert not keeper.trouble


def test_back_to_a_form_that_was_refused_asks_for_its_page(browser: Browser, server: str) -> None:
    """The browser does not ask whether to send the form again, either."""
    with phone(browser) as context:
        page = context.new_page()
        page.goto(server)
        for place in (0, 1):
            page.locator("[name=players]").nth(place).fill("An")
        page.locator("main button.main").tap()
        expect(page.get_by_role("alert")).to_be_visible()
        page.goto(f"{server}/rules")
        again = page.go_back()
        assert again is not None
        assert (again.request.method, again.status, page.url) == ("GET", 200, f"{server}/")

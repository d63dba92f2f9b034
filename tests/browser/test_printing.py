"""On paper: the whole record, black on white, without buttons."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.keeper import first_round
from tests.browser.phones import phone, sideways
from tests.browser.telling import Teller

pytestmark = pytest.mark.browser

NAMES = ["Nguyễn Thị Chi", "Bà ngoại", "Anh Hai Lúa", "Chị Hương"]
PAPER = (680, 900)  # as wide as A4 less its margins, in CSS pixels


@pytest.fixture
def keeper(browser: Browser, server: str) -> Iterator[Teller]:
    """A settled round, on a phone with a dark theme that prints."""
    with phone(browser, PAPER, color_scheme="dark") as context:
        keeper = Teller(context.new_page(), server)
        keeper.sit_down(NAMES)
        keeper.record("round", opening=True)
        keeper.tell_plays(first_round("southern-05.tln")[0])
        yield keeper


def printed(keeper: Teller, place: str) -> None:
    """Open a page as it is printed: black on white, and without what is pressed."""
    page = keeper.page
    page.goto(f"{keeper.server}/n/{keeper.night}{place}")
    page.emulate_media(media="print", color_scheme="dark")
    colours = "(one) => [getComputedStyle(one).backgroundColor, getComputedStyle(one).color]"
    assert page.locator("body").evaluate(colours) == ["rgb(255, 255, 255)", "rgb(0, 0, 0)"]
    for pressed in ("nav", "button", "form", "input", "select", "a.button"):
        assert page.locator(f"{pressed}:visible").count() == 0, pressed
    assert not sideways(page)


def sheets(page: Page) -> int:
    """The number of A4 pages that a page is printed on."""
    return len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4")))


def test_the_pages_of_a_night_are_printed_with_all_payments_and_moves_and_a_dispute_is_one_page(
    keeper: Teller,
) -> None:
    settled, page = keeper.record("settle"), keeper.page
    for place in ("/rounds/1?move=6", "/rounds/1", "/ledger"):
        printed(keeper, place)
        assert page.locator("h1").is_visible()
        assert sheets(page) <= 2, place
        if place == "/rounds/1":
            rows = page.locator("table.moves tbody tr")
            assert page.locator("table.moves tbody tr:visible").count() == rows.count() > 60
    # Three payments and their total.
    assert page.locator(".lines li:visible").count() == page.locator(".lines li").count() == 4
    # The table behind the chart had been folded away.
    assert page.locator("svg.chart").is_visible()
    rows = page.locator("details table tbody tr")
    assert rows.count() == 1
    assert rows.first.bounding_box() is not None
    assert rows.first.evaluate("(row) => row.checkVisibility({ contentVisibilityAuto: true })")
    paid = settled["board"]["round"]["payments"]
    bomb = next(place for place, one in enumerate(paid) if one["reason"] == "bomb-bonus")
    page.request.post(keeper.links["seats"][paid[bomb]["payer"]])
    about = {"seq": settled["seq"], "idx": bomb}
    disputed = keeper.record("dispute", round=1, payment=about, reason="hai đôi thông của tôi lớn hơn")
    printed(keeper, f"/disputes/{disputed['seq']}")
    assert page.locator(".on-paper").is_visible()
    assert sheets(page) == 1


def test_the_ledger_of_six_rounds_is_printed_on_two_sheets(browser: Browser, server: str) -> None:
    with phone(browser, PAPER) as context:
        page = context.new_page()
        page.goto(server)
        page.locator("[form=example]").tap()
        page.wait_for_url("**/ledger")
        page.emulate_media(media="print")
        assert page.locator(".joined > .fold").count() == 7  # six rounds, and what was paid by hand
        assert page.locator(".joined .points:visible").count() == 20
        assert sheets(page) == 2

"""On paper: the whole record, black on white, without buttons."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.keeper import first_round
from tests.browser.phones import SIDEWAYS, night_of, phone
from tests.browser.telling import Teller

pytestmark = pytest.mark.browser

PAPER_WIDTH = 680  # A4 less its margins, in CSS pixels


@pytest.fixture(scope="module")
def night(browser: Browser, server: str) -> Iterator[Page]:
    """A settled night, on a phone with a dark theme."""
    with phone(browser, color_scheme="dark") as context:
        keeper = Teller(context.new_page(), server)
        keeper.sit_down(["An", "Bình", "Chi", "Dũng"])
        keeper.tell_round(first_round("southern-05.tln")[0])
        keeper.look()
        yield keeper.page


@pytest.fixture(scope="module")
def address(night: Page) -> str:
    return night_of(night)


def printed(page: Page, address: str) -> Page:
    page.goto(address)
    page.set_viewport_size({"width": PAPER_WIDTH, "height": 900})
    page.emulate_media(media="print", color_scheme="dark")
    return page


@pytest.mark.parametrize("place", ["/ledger", "/rounds/1", "/rounds/1?move=6"])
def test_a_page_prints_black_on_white_and_without_what_is_pressed(
    night: Page, address: str, place: str
) -> None:
    page = printed(night, address + place)
    colours = "(one) => [getComputedStyle(one).backgroundColor, getComputedStyle(one).color]"
    assert page.locator("body").evaluate(colours) == ["rgb(255, 255, 255)", "rgb(0, 0, 0)"]
    for pressed in ("nav", "button", "form", "input", "select", "a.button"):
        assert page.locator(f"{pressed}:visible").count() == 0, pressed
    assert page.evaluate(SIDEWAYS) <= 0
    assert page.locator("h1").is_visible()
    assert page.pdf(format="A4").startswith(b"%PDF")


def test_the_table_behind_the_chart_is_printed_though_it_was_folded_away(night: Page, address: str) -> None:
    page = printed(night, f"{address}/ledger")
    assert page.locator("svg.chart").is_visible()
    rows = page.locator("details table tbody tr")
    assert rows.count() == 1
    assert rows.first.bounding_box() is not None
    assert rows.first.evaluate("(row) => row.checkVisibility({ contentVisibilityAuto: true })")


def test_a_dispute_of_a_bomb_is_one_page_with_the_day(browser: Browser, server: str) -> None:
    with phone(browser) as context:
        keeper = Teller(context.new_page(), server)
        keeper.sit_down(["Nguyễn Thị Chi", "Bà ngoại", "Anh Hai Lúa", "Chị Hương"])
        keeper.tell("round", opening=True)
        keeper.tell_plays(first_round("southern-05.tln")[0])
        settled = keeper.tell("settle")
        paid = settled["board"]["round"]["payments"]
        bomb = next(place for place, one in enumerate(paid) if one["reason"] == "bomb-bonus")
        page = keeper.page
        page.request.post(keeper.links["seats"][paid[bomb]["payer"]])
        about = {"seq": settled["seq"], "idx": bomb}
        disputed = keeper.tell_outside_play(
            "dispute", round=1, payment=about, reason="hai đôi thông của tôi lớn hơn"
        )
        printed(page, f"{server}/n/{keeper.night}/disputes/{disputed['seq']}")
        assert page.locator(".on-paper").is_visible()
        pages = re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4"))
        assert len(pages) == 1


def test_payments_and_moves_are_all_there(night: Page, address: str) -> None:
    page = printed(night, f"{address}/rounds/1")
    assert (
        page.locator("table.moves tbody tr:visible").count()
        == page.locator("table.moves tbody tr").count()
        > 60
    )
    page = printed(night, f"{address}/ledger")
    # Three payments and their total.
    assert page.locator(".lines li:visible").count() == page.locator(".lines li").count() == 4

"""Stepping through a recorded round with keys, even if the page is replaced meanwhile."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.phones import night_of, phone
from tests.browser.telling import Teller
from tests.recorder.tables import read_story
from tests.stories import A_NIGHT

pytestmark = pytest.mark.browser

NAMES = ["An", "Bình", "Chi", "Dũng"]
LAST = 14
REWRITE = "() => { const main = document.querySelector('main'); main.innerHTML = main.innerHTML; }"


@pytest.fixture(scope="module")
def night(browser: Browser, server: str) -> Iterator[Page]:
    """The keeper's phone; its second round has fourteen moves."""
    with phone(browser) as context:
        teller = Teller(context.new_page(), server)
        teller.sit_down(NAMES)
        for kind, content in read_story(A_NIGHT):
            teller.tell(kind, **content)
        teller.look()
        yield teller.page
        assert teller.trouble == []


@pytest.fixture
def page(night: Page) -> Page:
    """The round after its third move."""
    night.goto(f"{night_of(night)}/rounds/2?move=3")
    return night


def expect_move(page: Page, number: int) -> None:
    page.wait_for_url(f"**/rounds/2?move={number}")
    expect(page.locator(".steps b")).to_have_text(f"Nước {number} / {LAST}" if number else "Lúc bắt đầu")


def test_arrows_step_through_the_moves(page: Page) -> None:
    page.keyboard.press("ArrowRight")
    expect_move(page, 4)
    page.evaluate(REWRITE)
    page.keyboard.press("ArrowLeft")
    expect_move(page, 3)
    expect(page.locator("#m3")).to_have_attribute("aria-current", "true")


def test_home_and_end_lead_to_both_ends_and_no_key_beyond(page: Page) -> None:
    page.keyboard.press("Home")
    expect_move(page, 0)
    for key in ("ArrowLeft", "Home"):
        page.keyboard.press(key)
    page.keyboard.press("ArrowRight")
    expect_move(page, 1)
    page.keyboard.press("End")
    page.wait_for_url("**/rounds/2")
    for key in ("ArrowRight", "End"):
        page.keyboard.press(key)
    page.keyboard.press("ArrowLeft")
    expect_move(page, LAST - 1)


def test_whoever_types_or_means_another_command_stays(page: Page) -> None:
    page.locator("details:has([name=reason]) summary").click()
    field = page.locator("[name=reason]")
    field.fill("chia")
    for key in ("ArrowLeft", "ArrowRight", "Home", "End"):
        field.press(key)
    field.blur()
    for key in ("Control+ArrowRight", "Shift+ArrowRight", "Control+Home", "Control+End"):
        page.keyboard.press(key)
    expect(field).to_have_value("chia")
    expect_move(page, 3)

"""Two phones at one table: a seat disputes a payment, the keeper corrects the move behind it, the money moves with
its reason, the dispute is closed, and everyone is asked again to agree."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.keeper import first_round
from tests.browser.phones import SIDEWAYS, night_of, phone, speak, wrong
from tests.browser.telling import Teller

pytestmark = pytest.mark.browser

NAMES = ["Bà ngoại", "Bình", "Nguyễn Thị Chi", "Dũng"]


@pytest.fixture(scope="module")
def keeper(browser: Browser, server: str) -> Iterator[Page]:
    """The keeper's phone after a settled round."""
    with phone(browser) as context:
        keeper = Teller(context.new_page(), server)
        keeper.sit_down(NAMES)
        keeper.tell_round(first_round("southern-05.tln")[0])
        keeper.look()
        yield keeper.page
        assert not keeper.trouble


@pytest.fixture(scope="module")
def seat(browser: Browser, keeper: Page) -> Iterator[Page]:
    """The phone of the first payer, who has opened only that seat's link."""
    with phone(browser) as context:
        page = context.new_page()
        keeper.goto(f"{night_of(keeper)}/links/p4")
        page.goto(keeper.locator(".copy input").input_value())
        with page.expect_navigation():
            page.locator("main button").tap()
        yield page


def go(page: Page, selector: str) -> None:
    with page.expect_navigation():
        page.locator(selector).first.tap()


def test_a_dispute_ends_in_a_correction_that_moves_the_money(keeper: Page, seat: Page) -> None:
    home = night_of(keeper)
    seat.goto(f"{home}/rounds/1")
    go(seat, "#agreement button[value=p4]")
    expect(seat.locator("#agreement")).to_contain_text("1/4 đồng ý")
    go(seat, 'a[href*="/payments/"]')
    paid = seat.url
    seat.locator("summary", has_text="Khiếu nại").tap()
    seat.locator("[name=reason]").fill("Lá đó không phải của tôi")
    go(seat, "main button[name=seat]")
    dispute = seat.url
    expect(seat.locator("h1")).to_contain_text("chưa xử")
    assert seat.locator("main form").count() == 0

    keeper.goto(f"{home}/ledger")
    go(keeper, '.bar a[href$="/disputes"]')
    go(keeper, 'main .lines a[href*="/disputes/"]')
    assert keeper.url == dispute
    before = totals(keeper, home)
    keeper.goto(dispute)
    go(keeper, 'a[href*="/correct?target="]')
    swap_the_2s(keeper)
    after = totals(keeper, home)
    assert after != before
    assert sum(after) == sum(before) == 0

    keeper.goto(dispute)
    assert keeper.locator("[name=decision][value=corrected]").is_checked()
    keeper.locator("[name=reason]").fill("Đã sửa theo cả bàn")
    go(keeper, "button[value=decide]")
    expect(keeper.locator("h1")).to_contain_text("đã sửa")

    seat.goto(paid)
    expect(seat.locator("main")).to_contain_text("Cả bàn nhớ khác")
    seat.goto(f"{home}/rounds/1")
    expect(seat.locator("#agreement")).to_contain_text("0/4 đồng ý")
    go(seat, "#agreement button[value=p4]")
    expect(seat.locator("#agreement")).to_contain_text("1/4 đồng ý")


def totals(page: Page, home: str) -> list[int]:
    page.goto(f"{home}/ledger")
    points = page.locator(".sheet tfoot tr:first-child td").all_inner_texts()
    return [int(text.replace("−", "-")) for text in points]


def swap_the_2s(page: Page) -> None:
    """p3 had played 2♠ first and 2♥ later: two changes in one correction, so that the bomb took 3 and not 4."""
    change(page, "3.", "2s")
    go(page, "button[value=more]")
    change(page, "10.", "2h")
    page.locator("[name=reason]").fill("Cả bàn nhớ khác")
    go(page, "button[value=look]")
    go(page, "button[value=record]")


def change(page: Page, number: str, card: str) -> None:
    """Fill in the form of a correction: in the move with this number p3 played this card."""
    option = page.locator("[name=target] option").filter(has_text=re.compile(f"^{re.escape(number)} "))
    page.locator("[name=target]").select_option(option.get_attribute("value"))
    page.locator("select[name=seat]").select_option("p3")
    page.locator("select[name=entry]").select_option("play")
    page.locator("[name=cards]:checked").evaluate_all("(boxes) => boxes.forEach((one) => one.click())")
    page.locator(f'[name=cards][value="{card}"]').set_checked(True, force=True)


def test_pages_of_a_dispute_fit_and_axe_finds_nothing(keeper: Page, seat: Page) -> None:
    home = night_of(keeper)
    keeper.goto(f"{home}/ledger")
    paid = keeper.locator('main .lines a[href*="/payments/"]').first.get_attribute("href") or ""
    keeper.goto(f"{home}/disputes")
    dispute = keeper.locator('main .lines a[href*="/disputes/"]').first.get_attribute("href") or ""
    for page in (keeper, seat):
        page.emulate_media(color_scheme="dark")
        for place in (paid, dispute, f"/{home.partition('//')[2].partition('/')[2]}/rounds/1"):
            page.goto(home.partition("/n/")[0] + place)
            speak(page, "vi")
            for width in (320, 390):
                page.set_viewport_size({"width": width, "height": 664})
                assert page.evaluate(SIDEWAYS) <= 0, place
            assert wrong(page) == [], place

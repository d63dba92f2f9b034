"""Two phones at one table: a seat disputes a payment, the keeper corrects the move behind it, the money moves with
its reason, the dispute is closed, and everyone is asked again to agree."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.keeper import first_round
from tests.browser.phones import phone, resize, sideways, wrong
from tests.browser.telling import at_table

NAMES = ["Bà ngoại", "Bình", "Nguyễn Thị Chi", "Dũng"]


def go(page: Page, selector: str) -> None:
    with page.expect_navigation():
        page.locator(selector).first.tap()


@pytest.mark.browser
def test_a_dispute_ends_in_a_correction_that_moves_the_money(browser: Browser, server: str) -> None:
    with at_table(browser, server, names=NAMES) as teller, phone(browser) as another:
        keeper, home = teller.page, teller.page.url
        with teller.telling():
            teller.tell_round(first_round("southern-05.tln")[0])
        keeper.goto(f"{home}/links/p4")
        seat = another.new_page()
        seat.goto(keeper.locator(".copy input").input_value())
        go(seat, "main button")

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

        before = totals(keeper, home)
        go(keeper, '.bar a[href$="/disputes"]')
        go(keeper, 'main .lines a[href*="/disputes/"]')
        assert keeper.url == dispute
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
        assert not teller.trouble

        # What a seat sees fits, and axe finds nothing; test_screens.py looks at what the keeper sees.
        seat.emulate_media(color_scheme="dark")
        for address in (paid, dispute, f"{home}/rounds/1"):
            seat.goto(address)
            for width in (320, 390):
                resize(seat, (width, 664))
                assert not sideways(seat), address
            assert wrong(seat) == [], address


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

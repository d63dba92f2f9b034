"""Reading a night on a phone: how much fits on one screen, and how a pile is opened."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.keeper import first_round
from tests.browser.phones import in_each_font, leave_empty, sideways
from tests.browser.telling import Teller, at_table

pytestmark = pytest.mark.browser

SCREEN = (390, 844)
NAMES = ["Chị Hương", "Anh Hai Lúa", "Bảy", "Út Trọc"]
HEIGHT = "() => document.documentElement.scrollHeight"


def tell_results(teller: Teller, rounds: int) -> None:
    """Record some rounds as results, each led by the winner of the one before."""
    order = ["p4", "p1", "p2", "p3"]
    for number in range(rounds):
        teller.record("round", leader=order[0])
        order = [*order[1:], order[0]]
        bombs = [{"seat": order[0], "beat": order[1], "captured": ["2s"]}] if number % 2 else []
        needed = teller.record("result", places=order, bombs=bombs)["board"]["round"]["needed"]
        for player in needed:
            teller.record("declare", seat=player, sets=[])
        teller.record("settle")


def bottom(page: Page, place: str) -> float:
    box = page.locator(place).first.bounding_box()
    assert box is not None
    return box["y"] + box["height"]


def test_six_rounds_one_of_66_moves_are_read_on_little_more_than_a_screen(
    browser: Browser, server: str
) -> None:
    with at_table(browser, server, names=NAMES, size=SCREEN) as keeper:
        page, night = keeper.page, keeper.page.url
        with keeper.telling():
            keeper.tell_round(first_round("southern-05.tln")[0])
            tell_results(keeper, 5)
        page.goto(f"{night}/rounds/1")
        for font in in_each_font(page):
            assert page.evaluate(HEIGHT) <= 1300, font
        assert not sideways(page)
        # A tap opens the moves of a pile, and the steps stay in sight.
        expect(page.locator("#m9")).to_be_hidden()
        page.locator(".pile-of summary").nth(1).tap()
        expect(page.locator("#m9")).to_be_visible()
        expect(page.locator("#m1")).to_be_hidden()
        expect(page.locator(".steps")).to_be_in_viewport(ratio=1)
        # A move that is linked to is open and in sight.
        page.goto(f"{night}/rounds/1?move=40#m40")
        expect(page.locator("#m40")).to_be_in_viewport()
        expect(page.locator(".pile-of[open]")).to_have_count(1)

        page.goto(f"{night}/ledger")
        rounds = page.locator(".sheet tbody tr")
        expect(rounds).to_have_count(6)
        for font in in_each_font(page):
            assert page.evaluate(HEIGHT) <= 1100, font
            sums = bottom(page, ".sheet tfoot")
            assert sums <= SCREEN[1] / 2, font
            # Ten rounds and their totals fit on one screen.
            row = rounds.first.bounding_box()
            assert row is not None
            assert sums + 4 * row["height"] <= SCREEN[1], font
        # A payment that is linked to is unfolded.
        place = page.locator("#round-1 .lines li").first.get_attribute("id")
        leave_empty(page)
        page.goto(f"{night}/ledger#{place}")
        expect(page.locator(f"#{place}")).to_be_visible()
        # A cell of the sheet leads to what concerns its player.
        page.goto(f"{night}/ledger")
        rounds.last.locator("td a").nth(1).tap()
        expect(page.locator(".chips [aria-current]")).to_have_text("Của Anh Hai Lúa")
        expect(page.locator(".pile-of")).to_have_count(7)
        page.locator(".chips a").first.tap()
        expect(page.locator(".pile-of")).to_have_count(14)
        assert keeper.trouble == []

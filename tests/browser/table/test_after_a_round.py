"""After a round: who pays whom, the totals and the next round on one screen, and one tap goes on."""

from collections.abc import Iterator
from itertools import product
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from ledger.language import LANGUAGES
from tests.browser.conftest import NAMES
from tests.browser.phones import PHONES, in_each_font, phone, resize, script, sideways, speak
from tests.browser.telling import Teller, at_table

pytestmark = pytest.mark.browser

THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
USUAL, SMALL = (390, 844), PHONES["360x640"]
LONG_NAMES = ["Bà ngoại", "Bình", "Nguyễn Thị Bích Ngọc", "Dũng"]
EIGHT = [*LONG_NAMES, "Em", "Phúc", "Giang", "Hạnh"]
BOMBS = "round opening; result p2 p1 p4 p3 bombed p2 p1 2d bombed p4 p3 4s 4c 4d 4h; p3 declares none; settle"
"""Four payments, two of them for bombs."""
SEVEN = """round opening; result p4 p1 knocked p2 p3 bombed p4 p1 2h bombed p1 p4 2c bombed p4 p1 5s 5c 5d 5h
    p2 declares 2d, 4s 4c 4d 4h; p3 declares 2s; p1 declares none; settle"""
"""Seven payments of four pairs."""
TO_SEVEN = "round opening; result p3 p1 p2 p4 p5 p6 p7 p8 bombed p3 p1 2h; settle"
"""The last of eight pays seven players."""
PAID, TOTALS, LEADS, BEGINS = ".paid li", ".totals li", ".leads .pick", ".next button.main"
CASES = {
    "usual": (BOMBS, NAMES, "southern-classic", (PAID, TOTALS, LEADS, BEGINS)),
    "many": (SEVEN, LONG_NAMES, "southern-classic", (PAID, LEADS, BEGINS)),
    "eight": (TO_SEVEN, EIGHT, "core-double", (LEADS, BEGINS)),
}
"""The story, names and rules of a night, and what is seen at once even on a small phone."""


@pytest.fixture(scope="module", params=CASES)
def night(
    request: pytest.FixtureRequest, browser: Browser, server: str
) -> Iterator[tuple[Teller, tuple[str, ...]]]:
    story, names, rules, on_small = CASES[request.param]
    with at_table(browser, server, story, names=names, rules=rules) as keeper:
        yield keeper, on_small


def tops(page: Page, *places: str) -> list[float]:
    """The upper edges of the first elements at these places."""
    return [page.locator(place).first.evaluate("it => it.getBoundingClientRect().top") for place in places]


def test_payments_totals_and_the_next_round_are_seen_without_scrolling_and_one_tap_begins_it(
    night: tuple[Teller, tuple[str, ...]],
) -> None:
    keeper, on_small = night
    page = keeper.page
    for language, theme in product(LANGUAGES, THEMES):
        speak(page, language)
        page.emulate_media(color_scheme=theme)
        for size, seen in ((USUAL, (PAID, TOTALS, LEADS, BEGINS)), (SMALL, on_small)):
            resize(page, size)
            assert page.locator(PAID).count() > 0
            assert page.locator(f"{LEADS} :checked").count() == 1
            assert not sideways(page)
            for font in in_each_font(page):
                hidden = [page.evaluate(script("out_of_sight"), place) for place in seen]
                assert hidden == [[]] * len(seen), font
                in_order = tops(page, PAID, TOTALS, LEADS)
                # On a small screen totals lie under what stays in sight.
                assert in_order == sorted(in_order) or size == SMALL, font
    leader = page.locator(f"{LEADS} :checked").get_attribute("value")
    keeper.begin_round()
    expect(page.locator("form.record [name=seat]:checked")).to_have_value(leader or "")
    keeper.enter(page.locator("button[value=undo]"))
    page.wait_for_url(f"**/n/{keeper.night}")
    assert not keeper.trouble


def test_whoever_looks_on_sees_the_payments_first(browser: Browser, server: str) -> None:
    with at_table(browser, server, BOMBS, names=NAMES) as keeper, phone(browser, SMALL) as context:
        page = keeper.watch(context)
        for font in in_each_font(page):
            assert page.evaluate(script("out_of_sight"), f"{PAID}, {TOTALS}") == [], font
            assert tops(page, PAID, TOTALS) == sorted(tops(page, PAID, TOTALS)), font
        expect(page.locator("form.next")).to_have_count(0)


def test_what_one_player_pays_another_is_one_line_with_every_reason(browser: Browser, server: str) -> None:
    with at_table(browser, server, SEVEN, names=NAMES) as keeper:
        lines = keeper.page.locator(PAID)
        assert lines.locator(".points").all_inner_texts() == ["5", "1", "9", "5"]
        assert lines.locator("small a").count() == 7
        reasons = lines.nth(2).locator("small a")
        assert sum(int(reason.rsplit(maxsplit=1)[1]) for reason in reasons.all_inner_texts()) == 9
        keeper.leave(reasons.first)
        expect(keeper.page.locator("main")).to_contain_text("Bình → Dũng")

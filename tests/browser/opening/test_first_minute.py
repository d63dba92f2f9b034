"""The first minute: the first page fits one screen and holds still, and is used by taps, keys, or no scripts."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import NAMES
from tests.browser.journeys import moves
from tests.browser.newcomer import Newcomer
from tests.browser.phones import LARGE_TEXT, PHONES, phone, resize, sideways, wrong

pytestmark = pytest.mark.browser

SCREEN = (390, 844)
SHIFTS = """
window.shifts = [];
new PerformanceObserver((list) => window.shifts.push(...list.getEntries().map((one) => one.value)))
  .observe({ type: "layout-shift", buffered: true });
"""
"""Keeps how far the layout was shifted, in a list."""
IN_LINE = "#rules > summary"


@contextmanager
def first_page(browser: Browser, server: str, **more: Any) -> Iterator[Page]:
    """The first page on a phone of 390 × 844; `more` are options of the browser context."""
    with phone(browser, SCREEN, **more) as context:
        page = context.new_page()
        page.add_init_script(SHIFTS)
        page.goto(server)
        yield page


def faults(page: Page) -> list[object]:
    """What shifted, does not fit the screen, or is found by axe."""
    page.wait_for_load_state("networkidle")
    page.evaluate("() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))")
    found: list[object] = page.evaluate("() => window.shifts.filter((value) => value > 0)")
    over = page.evaluate("() => document.scrollingElement.scrollHeight - innerHeight")
    return [*found, *[f"{over} px over"] * (over > 0), *["sideways"] * sideways(page), *wrong(page)]


def open_a_table(page: Page, names: list[str]) -> str:
    """Type names and open the table; returns its address."""
    for place, name in enumerate(names):
        page.locator("[name=players]").nth(place).fill(name)
    page.locator("#open .main").tap()
    page.wait_for_url("**/n/*")
    return page.url


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("locale", ["vi-VN", "en-GB"])
def test_all_that_a_newcomer_needs_is_on_one_screen_and_holds_still(
    browser: Browser, server: str, locale: str, theme: str
) -> None:
    with first_page(browser, server, locale=locale, color_scheme=theme) as page:
        assert faults(page) == []
        for needed in ("svg.first", "h1", IN_LINE, "#open .main", "[form=example]"):
            expect(page.locator(needed)).to_be_in_viewport(ratio=1)
        expect(page.locator("[name=players]:visible")).to_have_count(4)
        for size in ((320, 568), LARGE_TEXT):
            resize(page, size)
            assert not sideways(page), size


def test_whoever_comes_back_opens_the_same_again_by_one_tap(browser: Browser, server: str) -> None:
    with first_page(browser, server) as page:
        page.locator(IN_LINE).tap()
        page.locator("[name=amount]").fill("5.000")
        page.locator("[name=ruleset][value=card-count]").check()
        first = open_a_table(page, NAMES)
        page.goto(server)
        assert faults(page) == []
        again = page.locator("button.again")
        expect(again).to_be_in_viewport(ratio=1)
        for told in (*NAMES, "Đếm lá", "5.000"):
            expect(again).to_contain_text(told)
        again.tap()
        page.wait_for_url("**/n/*")
        assert page.url != first
        page.goto(server)
        expect(page.locator("main .lines > li")).to_have_count(2)
        assert faults(page) == []


@pytest.mark.parametrize(
    ("locale", "size"), [("vi-VN", SCREEN), ("en-GB", SCREEN), ("vi-VN", PHONES["320x568"])]
)
def test_a_newcomer_records_the_first_play_by_five_taps_and_wastes_none(
    browser: Browser, server: str, locale: str, size: tuple[int, int]
) -> None:
    with phone(browser, size, locale=locale) as context:
        page = context.new_page()
        newcomer = Newcomer(page, [*NAMES], played=("Chi", "3♠"))
        newcomer.walk(server, until=lambda: "/n/" in page.url and [*moves(page)] != [])
        assert [*moves(page)] == ["p3 3s"]
        assert newcomer.typed == NAMES
        assert newcomer.wasted == []
        assert len(newcomer.taps) <= 5, newcomer.taps


def test_the_line_says_what_was_chosen_below_it(browser: Browser, server: str) -> None:
    with first_page(browser, server) as page:
        line = page.locator(IN_LINE)
        expect(line).to_contain_text("chỉ tính điểm")
        line.tap()
        page.locator("[name=amount]").fill("5.000")
        page.locator("#prices > summary").tap()
        page.locator("[name='price.red-two']").fill("6")
        page.locator("[name=ruleset][value=card-count]").check()
        line.tap()
        expect(line).to_contain_text("Đếm lá · 1 luật riêng · 1 điểm = 5.000")
        expect(page.locator("[name=amount]")).to_be_hidden()


def test_a_table_is_opened_by_the_keyboard_alone(browser: Browser, server: str) -> None:
    with first_page(browser, server) as page:
        reached: list[str] = []
        while len(reached) < 12 and "main" not in reached:
            page.keyboard.press("Tab")
            reached.append(
                page.evaluate("() => document.activeElement.className || document.activeElement.name")
            )
        assert reached.index("players") < reached.index("main")
        page.locator("[name=players]").first.focus()
        for name in NAMES[:2]:
            page.keyboard.type(name)
            page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        page.wait_for_url("**/n/*")


def test_without_scripts_the_rules_open_in_place_and_the_same_again_opens(
    browser: Browser, server: str
) -> None:
    with phone(browser, SCREEN, java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(server)
        expect(page.locator("[name=amount]")).to_be_hidden()
        page.locator(IN_LINE).tap()
        page.locator("[name=amount]").fill("2000")
        open_a_table(page, NAMES)
        page.goto(server)
        again = page.locator("button.again")
        expect(again).to_contain_text("2.000")
        again.tap()
        page.wait_for_url("**/n/*")

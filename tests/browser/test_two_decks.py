"""Rounds with two packs, five to eight seats and a pile to draw from, on the smallest and on a usual phone."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.phones import BUTTON, KEY, MEASURE, PHONES, SIDEWAYS, phone, wrong
from tests.browser.telling import Teller

pytestmark = pytest.mark.browser

MARKS_OUTSIDE = """() => [...document.querySelectorAll(".key sub")].filter((mark) => {
  const [its, key] = [mark, mark.closest(".key")].map((one) => one.getBoundingClientRect());
  return its.left < key.left + 2 || its.right > key.right - 2 || its.bottom > key.bottom - 1;
}).map((mark) => mark.closest(".key").innerText)"""

SMALLEST = PHONES["320x568"]
EIGHT = ["An", "Bình", "Chi", "Dũng", "Em", "Phúc", "Giang", "Hạnh"]


def fits(page: Page, size: tuple[int, int]) -> None:
    """The whole table is in sight, uncut and large enough to tap."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    measured = page.evaluate(MEASURE)
    assert not measured["scrolls"]
    assert measured["outside"] == measured["over"] == measured["cut"] == []
    assert measured["key"] >= KEY
    assert measured["button"] >= BUTTON


def test_a_second_tap_takes_the_second_of_two_equal_cards(browser: Browser, server: str) -> None:
    with phone(browser) as context:
        keeper = Teller(context.new_page(), server)
        page = keeper.page
        keeper.open_table(EIGHT[:6], "ruleset=core-double")
        keeper.begin_round()
        key = page.locator('.key:has([value="3s"])')
        expect(key.locator("sub")).to_have_text("2")
        chosen = page.locator('[value="3s"]:checked')
        for count in (1, 2, 1, 0, 1):
            keeper.tap(key)
            expect(chosen).to_have_count(count)
        keeper.tap(page.locator(".seat:has([value=p2])"))
        keeper.record(page.locator(".actions button.main"))
        expect(key.locator("sub")).to_have_text("1")
        keeper.play("p3", ["4h"])
        keeper.all_others_pass()
        keeper.play("p3", ["7d", "7d"])
        expect(page.locator('[value="7d"]:disabled')).to_have_count(2)
        expect(page.locator(".pile .top")).to_contain_text("7♦7♦")
        keeper.play("p4", ["9s", "9h"])
        assert not keeper.trouble


def test_eight_seats_and_two_backs_fit_a_phone(browser: Browser, server: str) -> None:
    with phone(browser) as context:
        keeper = Teller(context.new_page(), server)
        keeper.sit_down(EIGHT, "double-deck")
        keeper.look()
        keeper.begin_round()
        keeper.play("p2", ["3s"])
        keeper.play("p4", ["4h"])
        for size in PHONES.values():
            fits(keeper.page, size)
            assert keeper.page.evaluate(SIDEWAYS) <= 0
        assert wrong(keeper.page, tags=()) == []


def test_the_mark_of_how_many_are_left_lies_within_its_key(browser: Browser, server: str) -> None:
    with phone(browser, SMALLEST) as context:
        keeper = Teller(context.new_page(), server)
        keeper.sit_down(EIGHT, "core-double")
        keeper.look()
        keeper.begin_round()
        fits(keeper.page, SMALLEST)
        expect(keeper.page.locator(".key sub")).to_have_count(52)
        assert keeper.page.evaluate(MARKS_OUTSIDE) == []


@pytest.mark.parametrize("scripts", [True, False], ids=["with-scripts", "without-scripts"])
def test_a_switch_shows_the_pack_with_the_other_back(browser: Browser, server: str, scripts: bool) -> None:
    with phone(browser, java_script_enabled=scripts) as context:
        keeper = Teller(context.new_page(), server)
        page = keeper.page
        keeper.sit_down(EIGHT, "double-deck")
        keeper.look()
        keeper.begin_round()
        keeper.play("p1", ["3s"])
        blue, red = page.locator('.key:has([value="5d"])'), page.locator('.key:has([value="5d\'"])')
        expect(red).to_be_hidden()
        keeper.tap(blue)
        keeper.tap(page.locator(".back-1"))
        expect(blue).to_be_hidden()
        keeper.tap(red)
        keeper.all_others_pass()
        keeper.play("p1", ["6c"])
        keeper.choose("p2", ["7s"])
        keeper.tap(page.locator(".back-1"))
        keeper.tap(page.locator('.key:has([value="7s\'"])'))
        if scripts:
            expect(page.locator(".actions button.main")).to_contain_text("7♠ 7♠'")


def test_the_pile_to_draw_from_shrinks_and_hands_grow(browser: Browser, server: str) -> None:
    with phone(browser) as context:
        keeper = Teller(context.new_page(), server)
        page = keeper.page
        keeper.sit_down(EIGHT[:3], "draw-pile")
        keeper.look()
        keeper.begin_round()
        expect(page.locator(".say")).to_contain_text("nọc còn 13")
        keeper.play("p1", ["3s"])
        keeper.record(page.locator("button[value=pass]"))
        expect(page.locator(".say")).to_contain_text("nọc còn 12")
        expect(page.locator(".seat:has([value=p2]) .left")).to_contain_text("14")


def test_a_contract_is_taken_before_the_first_play(browser: Browser, server: str) -> None:
    with phone(browser, SMALLEST) as context:
        keeper = Teller(context.new_page(), server)
        page = keeper.page
        keeper.sit_down(EIGHT[:4], "pro-play")
        keeper.look()
        keeper.begin_round()
        fits(page, SMALLEST)
        keeper.tap(page.locator(".seat:has([value=p2])"))
        keeper.record(page.locator('button[value="contract guaransheed"]'))
        expect(page.locator(".say")).to_contain_text("Bình: ")
        keeper.play("p1", ["3s"])
        expect(page.locator('button[value^="contract"]')).to_have_count(0)


def test_the_winner_of_a_pile_goes_forward_on_it(browser: Browser, server: str) -> None:
    with phone(browser, SMALLEST) as context:
        keeper = Teller(context.new_page(), server)
        page = keeper.page
        keeper.sit_down(EIGHT[:4], "family")
        keeper.look()
        keeper.begin_round()
        keeper.play("p1", ["3s"])
        keeper.play("p2", ["9s"])
        fits(page, SMALLEST)
        keeper.choose("p2", ["Jh"])
        keeper.record(page.locator("button[value=forward]"))
        expect(page.locator(".pile li:not(.earlier)")).to_have_count(3)
        keeper.play("p2", ["4s", "4c"])
        expect(page.locator(".pile li:not(.earlier)")).to_have_count(1)

"""Layout is measured: no sideways scrolling, nothing covered or cut, keys large enough."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.keeper import first_round
from tests.browser.phones import BUTTON, KEY, LARGE_TEXT, MEASURE, PHONES, night_of, phone, speak
from tests.browser.telling import Teller

pytestmark = pytest.mark.browser

NAMES = ["Bà ngoại", "Bình", "Nguyễn Thị Chi", "Dũng"]


@pytest.fixture(scope="module")
def table(browser: Browser, server: str) -> Iterator[Page]:
    """The keeper's phone in the middle of a round, after a settled one."""
    with phone(browser) as context:
        keeper = Teller(context.new_page(), server)
        keeper.sit_down(NAMES)
        keeper.tell_round(first_round("southern-05.tln")[0])
        keeper.tell("round", leader="p4")
        keeper.tell("play", seat="p4", cards=["Jd", "Qs", "Kd", "Ad"])
        keeper.look()
        yield keeper.page


@pytest.mark.parametrize("language", ["vi", "en"])
@pytest.mark.parametrize(
    "size", [*PHONES.values(), (568, 320), (640, 360)], ids=lambda size: f"{size[0]}x{size[1]}"
)
def test_the_table_fits_a_phone_without_scrolling(table: Page, size: tuple[int, int], language: str) -> None:
    table.goto(night_of(table))
    speak(table, language)
    table.set_viewport_size({"width": size[0], "height": size[1]})
    table.locator('.key:has([value="2h"])').tap()
    measured = table.evaluate(MEASURE)
    assert not measured["scrolls"]
    assert measured["outside"] == measured["over"] == measured["cut"] == []
    assert measured["key"] >= KEY
    assert measured["button"] >= BUTTON


def test_who_played_many_cards_is_readable(browser: Browser, server: str) -> None:
    with phone(browser) as context:
        teller = Teller(context.new_page(), server)
        teller.sit_down(NAMES)
        teller.tell("round", opening=True)
        teller.tell("play", seat="p1", cards=["3s"])
        teller.tell("play", seat="p2", cards=["2s"])
        bomb = [f"{rank}{suit}" for rank in "9TJQ" for suit in "dh"]
        teller.tell("play", seat="p1", cards=bomb)
        teller.look()
        page, who = teller.page, teller.page.locator(".pile .top .who")
        expect(who).to_have_text("Bà ngoại")
        for size in (*PHONES.values(), LARGE_TEXT):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            shown, whole = who.evaluate("(one) => [one.clientWidth, one.scrollWidth]")
            assert shown >= (50 if size == LARGE_TEXT else whole), size
            measured = page.evaluate(MEASURE)
            assert measured["over"] == measured["cut"] == [], size
            last = page.locator(".pile .top .cards span").last.bounding_box()
            felt = page.locator(".pile").bounding_box()
            assert last is not None
            assert felt is not None
            assert last["x"] + last["width"] <= felt["x"] + felt["width"], size
            assert last["y"] + last["height"] <= felt["y"] + felt["height"] + 1, size


def test_the_grid_stays_where_it_is_whatever_is_chosen(browser: Browser, server: str) -> None:
    names = ["TUẤN", "Nguyễn Thị Hồng Nhung ở đầu ngõ bên kia", "Huế", "Ẩn"]
    with phone(browser) as context:
        teller = Teller(context.new_page(), server)
        teller.sit_down(names)
        teller.tell("round", opening=True)
        teller.tell("play", seat="p1", cards=["3s"])
        teller.look()
        first = teller.page.locator(".key").first
        keys = [
            teller.page.locator(f'.key:has([value="{card}"])')
            for card in ("4s", "4c", "5s", "5c", "6s", "6c")
        ]
        for width, height in PHONES.values():
            teller.page.set_viewport_size({"width": width, "height": height})
            place = first.bounding_box()
            for key in keys:
                teller.tap(key)
                assert first.bounding_box() == place
                assert teller.page.evaluate(MEASURE)["cut"] == []
            for key in keys:
                teller.tap(key)


@pytest.mark.parametrize("others", [["An", "Bình"], ["An", "Bình", "Chi", "Dũng", "Em", "Phúc"]], ids=len)
def test_names_that_end_otherwise_look_otherwise(browser: Browser, server: str, others: list[str]) -> None:
    with phone(browser) as context:
        teller = Teller(context.new_page(), server)
        names = [*others, "Nguyễn Thị Lan", "Nguyễn Thị Lài"]
        teller.sit_down(names, "core-double" if len(names) > 4 else "southern-classic")
        teller.tell("round", leader="p1")
        teller.look()
        for width, height in PHONES.values():
            teller.page.set_viewport_size({"width": width, "height": height})
            one, other = (teller.page.locator(".seat b").nth(seat).screenshot() for seat in (-2, -1))
            assert one != other


def test_what_is_chosen_is_seen_in_the_readers_own_colours(table: Page) -> None:
    table.goto(night_of(table))
    table.emulate_media(forced_colors="active")
    table.locator('.key:has([value="2h"])').tap()
    for chosen, other in (
        ('[value="2h"] + span', '[value="2s"] + span'),
        (":checked + .face", ".seat input:not(:checked) + .face"),
    ):
        one, two = (
            table.locator(place).first.evaluate("it => getComputedStyle(it).backgroundColor")
            for place in (chosen, other)
        )
        assert one != two
    table.emulate_media(forced_colors="none")


@pytest.mark.parametrize("language", ["vi", "en"])
@pytest.mark.parametrize("size", PHONES.values(), ids=PHONES)
def test_a_refusal_fits_too(table: Page, size: tuple[int, int], language: str) -> None:
    table.goto(night_of(table))
    speak(table, language)
    table.set_viewport_size({"width": size[0], "height": size[1]})
    for card in ("3h", "4h"):
        table.locator(f'[name=cards][value="{card}"]').set_checked(True, force=True)
    table.locator(".actions button.main").tap()
    expect(table.locator("[data-stood]")).to_be_visible()
    expect(table.locator(".pile .top")).to_be_visible()
    measured = table.evaluate(MEASURE)
    assert not measured["scrolls"]
    assert measured["outside"] == measured["over"] == measured["cut"] == []


def test_large_text_turns_the_grid(browser: Browser, table: Page) -> None:
    """At a text size of 200 %: half as many CSS pixels, each twice as large."""
    with phone(browser, LARGE_TEXT, storage_state=table.context.storage_state()) as context:
        page = context.new_page()
        page.goto(night_of(table))
        columns = {
            part: len(
                page.locator(part).first.evaluate("it => getComputedStyle(it).gridTemplateColumns").split()
            )
            for part in (".grid", ".block")
        }
        assert columns == {".grid": 1, ".block": 4}


def test_what_is_offered_beside_cards_fits(browser: Browser, server: str) -> None:
    with phone(browser) as context:
        teller = Teller(context.new_page(), server)
        teller.sit_down(NAMES)
        teller.tell("round", opening=True)
        teller.tell("play", seat="p1", cards=["3s"])
        teller.look()
        for cards, buttons in ((["9h"], 7), (["8c"], 8), (["8d", "9s"], 6)):
            teller.choose("p1", cards)
            for width, height in PHONES.values():
                teller.page.set_viewport_size({"width": width, "height": height})
                expect(teller.page.locator(".offers button")).to_have_count(buttons)
                assert teller.page.evaluate(OFFERS_CUT) == []
                assert teller.page.evaluate(MEASURE)["scrolls"] is False


OFFERS_CUT = """() => [...document.querySelectorAll(".offers button")].filter((one) => {
  const box = one.getBoundingClientRect();
  return one.scrollWidth > one.clientWidth + 1 || box.left < 0 || box.right > innerWidth || box.height < 24;
}).map((one) => one.innerText)"""

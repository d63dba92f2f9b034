"""Layout is measured: no sideways scrolling, nothing covered or cut, keys large enough."""

from collections.abc import Iterator
from itertools import product

import pytest
from playwright.sync_api import Browser, Page, expect

from ledger.language import LANGUAGES
from tests.browser.phones import (
    LARGE_TEXT,
    PHONES,
    SIDEWAYS,
    in_each_font,
    measured,
    misfits,
    night_of,
    phone,
    resize,
    speak,
)
from tests.browser.telling import at_table

pytestmark = pytest.mark.browser

NAMES = ["Bà ngoại", "Bình", "Nguyễn Thị Chi", "Dũng"]
EIGHT = [*NAMES, "Nguyễn Thị Bích Ngọc", "Phúc", "Giang", "Hạnh"]
SCROLLS = {"double-deck": (PHONES["320x568"], SIDEWAYS[0]), "core-double": (SIDEWAYS[0],)}
"""By rules: the lowest phones, on which eight seats leave no room for the rest; the page scrolls down."""
LONG_NAMES = ["TUẤN", "Nguyễn Thị Hồng Nhung ở đầu ngõ bên kia", "Huế", "Ẩn"]
BOXES = "(all) => all.map((one) => one.getBoundingClientRect().toJSON())"
TWO_LINES = ["Nguyễn Thị Bích Ngọc", "Trần Hoàng Phương Anh", "Bình", "Dũng Sĩ Hùng Cường"]


@pytest.fixture(scope="module")
def table(browser: Browser, server: str) -> Iterator[Page]:
    """The keeper's phone in the middle of a round, after a settled one."""
    settled = "round opening; result p4 p1 p2 p3; p3 declares none; settle"
    with at_table(browser, server, f"{settled}; round lead p4; p4 Jd Qs Kd Ad", names=NAMES) as keeper:
        yield keeper.page


@pytest.mark.parametrize("language", ["vi", "en"])
def test_the_table_fits_a_phone_without_scrolling_as_a_refusal_does(table: Page, language: str) -> None:
    speak(table, language)
    key = table.locator('.key:has([value="2h"])')
    key.tap()
    for size in (*PHONES.values(), *SIDEWAYS):
        assert misfits(table, size) == [], size
    resize(table, PHONES["390x664"])
    key.tap()
    for card in ("3h", "4h"):
        table.locator(f'[name=cards][value="{card}"]').set_checked(True, force=True)
    table.locator(".actions button.main").tap()
    expect(table.locator("[data-stood]")).to_be_visible()
    expect(table.locator(".pile .top")).to_be_visible()
    for size in PHONES.values():
        assert misfits(table, size) == [], size
    table.locator("[data-clear]:visible").tap()


@pytest.mark.parametrize(
    ("engine", "rules"),
    [
        ("old_chromium", "southern-classic"),
        *product(("browser", "old_chromium"), ("double-deck", "core-double")),
    ],
)
def test_a_table_of_other_rules_fits_a_phone_as_it_does_in_an_old_chromium(
    request: pytest.FixtureRequest, server: str, engine: str, rules: str
) -> None:
    """One pack and four players, two packs and eight players, and two packs whose backs matter."""
    names = EIGHT[:4] if rules == "southern-classic" else EIGHT
    with at_table(
        request.getfixturevalue(engine), server, "round lead p1; p1 5s", names=names, rules=rules
    ) as keeper:
        assert keeper.page.evaluate("CSS.supports('height', '1dvh')") is (engine == "browser")
        for size in (*PHONES.values(), *SIDEWAYS):
            scrolls = size in SCROLLS.get(rules, ())
            faults = misfits(keeper.page, size)
            assert [
                one for one in faults if not (scrolls and one.startswith(("outside", "scrolls")))
            ] == [], size
            for font in in_each_font(keeper.page):
                assert keeper.page.locator(".felt").evaluate("one => one.clientHeight") >= 68, (size, font)
        assert keeper.trouble == []


def test_what_is_chosen_is_seen_in_the_readers_own_colours(table: Page) -> None:
    table.emulate_media(forced_colors="active")
    table.locator('.key:has([value="2h"])').tap()
    for chosen, other in (
        ('[value="2h"] + span', '[value="2s"] + span'),
        (":checked + .face", ".seat input:not(:checked) + .face"),
    ):
        colour = "it => getComputedStyle(it).backgroundColor"
        one, two = (table.locator(place).first.evaluate(colour) for place in (chosen, other))
        assert one != two
    table.emulate_media(forced_colors="none")


def test_large_text_turns_the_grid(browser: Browser, table: Page) -> None:
    """At a text size of 200 %: half as many CSS pixels, each twice as large."""
    with phone(browser, LARGE_TEXT, storage_state=table.context.storage_state()) as context:
        page = context.new_page()
        page.goto(night_of(table))
        for part, columns in ((".grid", 1), (".block", 4)):
            found = page.locator(part).first.evaluate("it => getComputedStyle(it).gridTemplateColumns")
            assert len(found.split()) == columns


@pytest.mark.parametrize("names", [NAMES, TWO_LINES], ids=["names", "long names"])
def test_who_bombed_with_which_cards_is_seen_at_any_size(
    browser: Browser, server: str, names: list[str]
) -> None:
    bomb = "round opening; p1 3s; p2 2s; p1 9d 9h Td Th Jd Jh Qd Qh"
    with at_table(browser, server, bomb, names=names) as keeper:
        page, who = keeper.page, keeper.page.locator(".pile .top .who")
        expect(who).to_have_text(names[0])
        for size in (*PHONES.values(), *SIDEWAYS, LARGE_TEXT):
            assert [one for one in misfits(page, size) if one.startswith(("over", "cut"))] == [], size
            for font in in_each_font(page):
                shown, whole = who.evaluate("(one) => [one.clientWidth, one.scrollWidth]")
                assert shown >= (50 if size == LARGE_TEXT else whole), (size, font)
                pile, *cards = page.locator(".pile, .pile .top .cards span").evaluate_all(BOXES)
                for box in cards:
                    assert box["right"] <= pile["right"], (size, font)
                    assert box["bottom"] <= pile["bottom"] + 1, (size, font)
                    assert box["top"] >= pile["top"] - 1 or size == LARGE_TEXT, (size, font)


def test_the_grid_stays_where_it_is_whatever_is_chosen_and_what_is_offered_fits(
    browser: Browser, server: str
) -> None:
    with at_table(browser, server, "round opening; p1 3s", names=LONG_NAMES) as keeper:
        page = keeper.page
        keys = [page.locator(f'.key:has([value="{card}"])') for card in ("4s", "4c", "5s", "5c", "6s", "6c")]
        for size in PHONES.values():
            resize(page, size)
            places = measured(page, "first_key")
            for key in keys:
                keeper.tap(key)
                assert measured(page, "first_key") == places
                assert [found["cut"] for _, found in measured(page, "measure") if found["cut"]] == []
            for key in keys:
                keeper.tap(key)
        for cards, buttons in ((["9h"], 7), (["8c"], 8), (["8d", "9s"], 6)):
            keeper.choose("p1", cards)
            for size in PHONES.values():
                resize(page, size)
                expect(page.locator(".offers button")).to_have_count(buttons)
                assert [found for _, found in measured(page, "offers_cut") if found] == []
                assert [font for font, found in measured(page, "measure") if found["scrolls"]] == []


def test_the_ledger_of_six_rounds_is_short(browser: Browser, server: str) -> None:
    with phone(browser, (390, 844)) as context:
        page = context.new_page()
        page.goto(server)
        page.locator("[form=example]").first.tap()
        page.wait_for_url("**/ledger")
        expect(page.locator("#round-1, #round-6")).to_have_count(2)
        for language in LANGUAGES:
            speak(page, language)
            for font in in_each_font(page):
                height = page.evaluate("() => document.scrollingElement.scrollHeight")
                assert height <= 1100, (language, font)


@pytest.mark.parametrize("others", [["An", "Bình"], ["An", "Bình", "Chi", "Dũng", "Em", "Phúc"]], ids=len)
def test_names_that_end_otherwise_look_otherwise(browser: Browser, server: str, others: list[str]) -> None:
    names = [*others, "Nguyễn Thị Lan", "Nguyễn Thị Lài"]
    rules = "core-double" if len(names) > 4 else "southern-classic"
    with at_table(browser, server, "round lead p1", names=names, rules=rules) as keeper:
        for size in PHONES.values():
            resize(keeper.page, size)
            for font in in_each_font(keeper.page):
                one, other = (keeper.page.locator(".seat b").nth(seat).screenshot() for seat in (-2, -1))
                assert one != other, (size, font)

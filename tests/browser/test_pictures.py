"""Pictures in a browser: drawn cards, charts, and the board as a picture for the chat."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.keeper import trouble_on
from tests.browser.phones import PHONES, measured, night_of, phone, resize, script, sideways, speak, wrong
from tests.browser.telling import at_table
from tests.game.table import run

pytestmark = pytest.mark.browser

NAMES = ["Bà ngoại", "Bình", "Nguyễn Thị Phương Chi", "Dũng"]
WIDE, EDGE = 1080, 60
PAPER = "245 242 234"

A_NIGHT = f"""round opening; result p4 p1 p2 p3; p3 declares none; settle; round lead p4
    p4 3s; p1 4d; p2 5d; p3 6d; p4 7s; p1 -; p2 -; p3 -; p4 {run("c", "4")}; p1 -; p2 -; p3 -
    p1 2s; p2 3d 3h 4s 4h 5s 5h"""
"""One round is settled; in the next a player is out and a 2 has been bombed."""


@pytest.fixture(scope="module")
def watched(browser: Browser, server: str) -> Iterator[Page]:
    """A watcher's phone."""
    with at_table(browser, server, A_NIGHT, names=NAMES) as keeper, phone(browser) as context:
        page = keeper.watch(context)
        trouble = trouble_on(page, "")
        yield page
        assert trouble == []  # not even a picture that the page's policy forbids


def settle_up(page: Page, sheet: str = "navigator.canShare = undefined") -> None:
    """Open the page with the picture; the script `sheet` sets up the phone's sharing."""
    page.goto(f"{night_of(page)}/settle-up")
    page.evaluate(sheet)


def shown_picture(page: Page) -> Any:
    """Tap to show the picture; returns its measurements."""
    page.locator("[data-picture]").tap()
    expect(page.locator(".drawing img")).to_be_visible()
    return page.evaluate(script("drawn"), EDGE)


def test_a_round_that_begins_is_drawn_as_one_on_phones_that_look_on(browser: Browser, server: str) -> None:
    with at_table(browser, server, names=NAMES) as keeper, phone(browser) as context:
        page = keeper.watch(context)
        keeper.tell("round opening; p1 3s 3d")
        expect(page.locator(".hand .card")).to_have_count(2)
        expect(page.locator(".seats")).to_have_css("display", "grid")


def test_a_pile_is_drawn_with_a_corner_of_every_card_in_sight(watched: Page) -> None:
    night = night_of(watched)
    for place in ("", "/rounds/2?move=9"):
        watched.goto(night + place)
        for size in PHONES.values():
            resize(watched, size)
            assert watched.locator(".hand").count() > 0
            assert [found for _, found in measured(watched, "covered") if found] == []
            assert not sideways(watched)
    expect(watched.locator(".hand.fan .card")).to_have_count(11)
    expect(watched.locator(".order li")).to_have_text(["1Dũng nhất"])


def test_axe_finds_nothing_in_pictures(watched: Page) -> None:
    """On pages that test_screens.py looks at, too, but without these pictures."""
    night = night_of(watched)
    resize(watched, PHONES["320x568"])
    watched.emulate_media(color_scheme="dark")
    for place in ("", "/rounds/2?move=15", "/settle-up"):
        watched.goto(night + place)
        speak(watched, "vi")
        watched.evaluate("document.documentElement.classList.add('four-colours')")
        watched.evaluate("navigator.canShare = undefined")
        if place == "/settle-up":
            shown_picture(watched)
        assert wrong(watched) == [], place
        assert not sideways(watched), place


def test_the_board_is_drawn_as_a_picture_and_shown_where_no_sheet_takes_it(watched: Page) -> None:
    settle_up(watched)
    drawn = shown_picture(watched)
    assert drawn["size"][0] == WIDE
    assert WIDE * 2 / 3 < drawn["size"][1] < WIDE * 2
    assert drawn["edges"] == [PAPER] * 2
    assert min(drawn["head"], drawn["rows"]) > 20
    link = watched.locator(".drawing a")
    expect(link).to_be_visible()
    assert str(link.get_attribute("download")).endswith(".png")
    assert str(link.get_attribute("href")).startswith("data:image/png")
    # After the page has come anew, too.
    watched.evaluate("document.querySelector('main').innerHTML += ''")
    for _ in range(2):
        watched.locator("[data-picture]").tap()
        expect(watched.locator(".drawing img")).to_have_count(1)
    # Twelve long names stay within the picture.
    settle_up(watched)
    watched.locator("[data-picture]").evaluate(script("twelve_long_names"))
    assert shown_picture(watched)["edges"] == [PAPER] * 2


def test_a_phones_own_sheet_takes_the_picture(watched: Page) -> None:
    for refuses, shown in (("", 0), ("AbortError", 0), ("NotAllowedError", 1)):
        settle_up(watched, f"({script('sheet')})('{refuses}')")
        watched.locator("[data-picture]").tap()
        watched.wait_for_function("() => window.shared.length === 1")
        name, kind, size = watched.evaluate("[shared[0].name, shared[0].type, shared[0].size]")
        assert (name.startswith("tienlen-20"), kind) == (True, "image/png")
        assert size > 10_000
        expect(watched.locator(".drawing img")).to_have_count(shown)


def test_without_scripts_there_is_no_button_for_a_picture(browser: Browser, watched: Page) -> None:
    state: Any = {"cookies": watched.context.cookies(), "origins": []}
    with phone(browser, java_script_enabled=False, storage_state=state) as context:
        page = context.new_page()
        page.goto(f"{night_of(watched)}/settle-up")
        expect(page.locator("textarea")).to_be_visible()
        expect(page.locator("[data-picture]")).to_be_hidden()

"""The newest play is drawn as cards that are read across the table; who goes out is told above it."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests import soaking
from tests.browser.phones import PHONES, SIDEWAYS, measured, misfits, phone, resize, speak
from tests.browser.telling import Teller, at_table
from tests.recorder.tables import CLASSIC

pytestmark = pytest.mark.browser

NAMES = ["Bà ngoại", "Bình", "Nguyễn Thị Chi", "Dũng"]
LONG_NAMES = ["Nguyễn Thị Bích Ngọc", "Trần Hoàng Phương Anh", "Bình", "Dũng Sĩ Hùng Cường"]
EIGHT = [*NAMES, "Nguyễn Thị Bích Ngọc", "Phúc", "Giang", "Hạnh"]
LARGE = (390, 844)
SIZES = (*PHONES.values(), LARGE, *SIDEWAYS)
OUT = """round opening; p1 3s; p2 4c; p3 5c; p4 6c; p1 2s; p2 -; p3 -; p4 -
    p1 4s 5s 6s 7s 8s 9s Ts Js Qs Ks As"""
PLAYS = {
    "a single": ("round opening; p1 3s; p2 5c; p3 2s", 26),
    "a pair": ("round opening; p1 3s 3c; p2 5c 5d; p3 Td Th", 26),
    "three": ("round opening; p1 3s 3c 3d; p2 5c 5d 5h; p3 Ts Tc Th", 24),
    "a bomb of four": ("round opening; p1 3s; p2 2s; p1 Th Tc Td Ts", 18),
    "six": ("round opening; p1 3s 4s 5s 6s 7s 8s; p2 6c 7c 8c 9c Tc Jc", 18),
    "a bomb of eight": ("round opening; p1 3s; p2 2s; p1 9d 9h Td Th Jd Jh Qd Qh", 18),
    "twelve": ("round opening; p1 3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks Ah", 13),
}
"""The newest play, and the least size of what is written on its cards, on any screen, in pixels."""
LARGER = {26: 48, 24: 48, 18: 30, 13: 21}
"""What that is on a large phone."""


@pytest.fixture(scope="module")
def keeper(browser: Browser, server: str) -> Iterator[Teller]:
    """A phone without hints, which sits down at one table after the other."""
    with phone(browser) as context:
        context.request.post(f"{server}/phone", form={"set": "no_hints"}, max_redirects=0)
        yield Teller(context.new_page(), server)


def sees(keeper: Teller, story: str, names: list[str], rules: str = CLASSIC) -> None:
    """Look at a table of its own at which this has been recorded."""
    keeper.sit_down(names, rules)
    keeper.tell(story)
    keeper.look()


def faults(keeper: Teller, least: float) -> list[Any]:
    found = measured(keeper.page, "felt", "covered", "size_of_cards")
    return [
        (font, fault) for font, fault in found if (fault < least if isinstance(fault, int | float) else fault)
    ]


@pytest.mark.parametrize(
    ("names", "language"), [(NAMES, "vi"), (LONG_NAMES, "en")], ids=["names", "long names"]
)
@pytest.mark.parametrize("play", PLAYS)
def test_the_newest_play_is_drawn_large_and_whole_on_every_screen(
    keeper: Teller, names: list[str], language: str, play: str
) -> None:
    """In one language each, with `--soak` in both."""
    story, least = PLAYS[play]
    cards = story.rpartition("; ")[2].split()[1:]
    sees(keeper, story, names)
    expect(keeper.page.locator(".pile .top .card")).to_have_count(len(cards))
    for spoken in ("vi", "en") if soaking.asked else (language,):
        speak(keeper.page, spoken)
        for size in SIZES:
            assert misfits(keeper.page, size) == [], size
            assert faults(keeper, LARGER[least] if size == LARGE else least) == [], (spoken, size)


@pytest.mark.parametrize("rules", ["double-deck", "core-double"])
def test_the_newest_play_of_eight_is_whole_too(keeper: Teller, rules: str) -> None:
    stories = ["3s", "3s 3c 3d 3h", "3s 4s 5s 6s 7s 8s 9s", "3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks As"]
    for cards in stories:
        sees(keeper, f"round lead p1; p1 {cards}", EIGHT, rules)
        for size in SIZES:
            resize(keeper.page, size)
            assert faults(keeper, 10) == [], (cards, size)


def test_the_play_before_shows_from_behind(keeper: Teller) -> None:
    for play in ("a single", "a pair", "six"):
        sees(keeper, PLAYS[play][0], NAMES)
        for size in SIZES:
            resize(keeper.page, size)
            assert [found for found in measured(keeper.page, "behind") if found[1]] == [], (play, size)


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_who_goes_out_is_told_on_the_felt_and_at_the_seat_until_two_more_have_played(
    browser: Browser, server: str, motion: str
) -> None:
    with at_table(browser, server, OUT, names=NAMES, reduced_motion=motion, locale="en-GB") as keeper:
        page, other = keeper.page, keeper.watch(keeper.page.context)
        for each in (page, other):
            expect(each.locator(".news .out")).to_have_text("Bà ngoại is 1st")
        for size in SIZES:
            assert misfits(page, size) == [], size
            assert faults(keeper, 13) == [], size
        keeper.tell("p2 -; p3 -; p4 -; p2 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh Ah")
        for each in (page, other):
            expect(each.locator(".news .out")).to_have_text(["Bà ngoại is 1st", "Bình is 2nd"])
        keeper.tell("p3 -; p4 -; p3 3c; p4 7c")
        for each in (page, other):
            expect(each.locator(".pile .top")).to_contain_text("Dũng")
            expect(each.locator(".news .out")).to_have_count(0)
            expect(each.locator(".seat .place-1")).to_have_text("1st")
            expect(each.locator(".seat .place-2")).to_have_text("2nd")

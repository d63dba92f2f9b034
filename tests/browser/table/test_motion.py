"""A tap is answered in its frame; played cards move, and a bomb is felt and seen."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.conftest import NAMES
from tests.browser.phones import phone, script
from tests.browser.telling import Teller, at_table

pytestmark = pytest.mark.browser

LONGEST = 150
"""Milliseconds that a motion may take."""
BOMB = ["4s", "4c", "4d", "4h"]


@pytest.fixture
def looker(browser: Browser) -> Iterator[BrowserContext]:
    with phone(browser, reduced_motion="no-preference") as context:
        yield context


def watched(page: Page) -> Page:
    """The page, loaded again with a record of what moves."""
    page.add_init_script(f"({script('motions')})()")
    page.reload()
    return page


def tap(keeper: Teller, *cards: str) -> Any:
    """What the page shows in the frame in which these cards are played."""
    return keeper.page.evaluate(script("tap_in_a_frame"), list(cards))


def await_rows(page: Page, count: int) -> None:
    expect(page.locator(".pile li:not(.waiting, .bomb, .earlier)")).to_have_count(count)
    expect(page.locator(".pile .waiting")).to_have_count(0)


def moved(page: Page) -> list[str]:
    """What has moved; each for a moment, without a change of the layout."""
    motions = page.evaluate("window.motions")
    assert all(0 < one["milliseconds"] <= LONGEST for one in motions)
    assert all(set(one["properties"]) <= {"transform", "opacity"} for one in motions)
    return [one["what"].split()[0] for one in motions]


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_taps_are_answered_in_their_frame_and_the_next_waits_for_no_motion(
    browser: Browser, server: str, motion: str
) -> None:
    with at_table(browser, server, "round lead p1", names=NAMES, reduced_motion=motion) as keeper:
        page = watched(keeper.page)
        shown = [tap(keeper, "3s", "3c"), tap(keeper, "5s", "5c")]
        assert [one["pressed"] for one in shown] == [2, 2]
        # The first may be recorded by then.
        assert ("3♠" in shown[0]["words"], "5♣" in shown[1]["rows"][-1]) == (True, True)
        await_rows(page, 2)
        assert page.locator(".pile .who").all_inner_texts() == NAMES[:2]
        assert moved(page) == ["flying"] * 4 * (motion != "reduce")
        expect(page.locator(".flying")).to_have_count(0)
        assert not keeper.trouble


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_bomb_is_felt_once_where_it_is_recorded_and_seen_everywhere(
    browser: Browser, server: str, looker: BrowserContext, motion: str
) -> None:
    with at_table(browser, server, "round opening; p1 3s", names=NAMES, reduced_motion=motion) as keeper:
        page, other = watched(keeper.page), watched(keeper.watch(looker))
        tap(keeper, "2h")
        await_rows(page, 2)
        assert page.evaluate("window.vibrations") == 0
        tap(keeper, *BOMB)
        await_rows(page, 3)
        keeper.all_others_pass()
        tap(keeper, "5s")
        await_rows(page, 1)
        expect(other.locator(".pile .top")).to_have_count(1)
        assert [one.evaluate("window.vibrations") for one in (page, other)] == [1, 0]
        cards = ["flying"] * 5
        assert moved(page) == ([*cards, "bomb", "felt", "flying"] if motion == "no-preference" else [])
        assert moved(other) == ["bomb", "felt"]

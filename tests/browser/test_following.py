"""Other phones follow by themselves: the board, the ledger, a round; also without a stream."""

import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, FloatRect, Page, Route, expect

from tests.browser.journeys import Journey, journeys
from tests.browser.phones import await_worker, phone, resize
from tests.browser.telling import Teller

pytestmark = pytest.mark.browser

LIVE = re.compile(r"/live\?")


@journeys("shared/following")
def test_a_page_follows(journey: Journey, steps: list[str]) -> None:
    journey.go(steps)


@pytest.fixture
def watcher(browser: Browser) -> Iterator[BrowserContext]:
    with phone(browser, locale="en-GB") as context:
        yield context


def test_a_stream_has_the_board_on_nothing_and_follows(watcher: BrowserContext, keeper: Teller) -> None:
    page = keeper.watch(watcher, "/overlay")
    resize(page, (1280, 720))
    for move, rank in enumerate("3456789T"):
        keeper.record("play", seat=f"p{move % 4 + 1}", cards=[f"{rank}{suit}" for suit in "scd"])
    expect(page.locator(".pile .top")).to_contain_text("Dũng")
    expect(page.locator(".say")).to_contain_text("An's turn")
    expect(page.locator(".pile .top .card").last).to_be_in_viewport(ratio=1)
    if folder := os.environ.get("TIENLEN_SCREENSHOTS"):
        page.screenshot(path=Path(folder) / "overlay 1280x720.png", omit_background=True)
    place: FloatRect = {"x": 640, "y": 200, "width": 8, "height": 8}
    clear = page.screenshot(omit_background=True, clip=place)
    page.evaluate("document.body.style.background = 'white'")
    assert page.screenshot(omit_background=True, clip=place) != clear, "something lay behind it"
    assert page.evaluate("document.scrollingElement.scrollHeight") == 720
    assert page.locator(".totals b").first.evaluate("one => parseFloat(getComputedStyle(one).fontSize)") > 36


def test_without_a_stream_the_page_asks_the_board_instead(watcher: BrowserContext, keeper: Teller) -> None:
    watcher.route(LIVE, lambda route: route.fulfill(status=204))
    watcher.clock.install()
    page = keeper.watch(watcher)
    with page.expect_response(re.compile(f"/api/v1/nights/{keeper.night}$")):
        ask_soon(page)
    with page.expect_response(lambda answer: answer.status == 304):
        ask_soon(page)  # the page has the current board
    page.route(page.url, lambda route: route.abort("connectionfailed"), times=1)
    with page.expect_event("requestfailed"):
        keeper.record("play", seat="p1", cards=["3s"])
        ask_soon(page)
    ask_soon(page)
    expect(page.locator(".say")).to_contain_text("Bình's turn")
    keeper.record("revoke", role="watch")
    ask_soon(page)
    expect(page.locator(".say")).to_have_count(0)


def ask_soon(page: Page) -> None:
    """Let the time pass after which the page asks for the board."""
    page.wait_for_timeout(100)
    page.clock.fast_forward(2000)


def test_a_page_whose_scripts_and_styles_were_lost_gets_them_without_being_opened_again(
    watcher: BrowserContext, keeper: Teller
) -> None:
    lost = Counter[str]()

    def lose_twice(route: Route) -> None:
        lost[route.request.url] += 1
        (route.abort if lost[route.request.url] < 3 else route.continue_)()

    watcher.route(re.compile(r"/static/\w+/\w+/(?:(live|page|chain)\.js|table\.css)"), lose_twice)
    page = keeper.watch(watcher)
    keeper.record("play", seat="p1", cards=["3s"])
    expect(page.locator(".say")).to_contain_text("Bình's turn")
    expect(page.locator("head link[href$='table.css']")).to_have_js_property("sheet.disabled", value=False)
    assert len(lost) == 4


def test_a_page_without_network_is_not_taken_for_the_servers_answer_and_says_from_when_it_is(
    browser: Browser, keeper: Teller
) -> None:
    with phone(browser, locale="en-GB", service_workers="allow") as context:
        context.clock.install()
        page = keeper.watch(context)
        await_worker(page)
        page.reload()
        # The stream announces the entry once, and the network is gone before the page is fetched.
        page.evaluate("() => document.addEventListener('news', () => (document.title = 'heard'))")
        context.set_offline(True)
        keeper.record("play", seat="p1", cards=["3s"])
        expect(page).to_have_title("heard")
        page.wait_for_timeout(200)
        context.set_offline(False)
        expect(page.locator(".say")).to_contain_text("Bình's turn")
        page.goto(f"{keeper.server}/n/{keeper.night}/ledger")
        came = page.evaluate("() => new Date().toTimeString().slice(0, 5)")
        old = page.locator("[data-old]")
        context.set_offline(True)
        context.clock.fast_forward("24:00:00")  # so that the page names the day at whatever time this runs
        page.reload()
        expect(page.locator(".sheet")).to_be_visible()
        context.clock.fast_forward("00:05")
        now = rf"Offline: as of ({came}|{next_minute(came)}), \d+ [A-Z][a-z]+$"
        expect(old).to_have_text(re.compile(now))
        expect(old).to_be_visible()
        context.set_offline(False)
        expect(old).to_be_hidden()


def next_minute(clock: str) -> str:
    hours, minutes = map(int, clock.split(":"))
    return f"{(hours + (minutes == 59)) % 24:02}:{(minutes + 1) % 60:02}"


def test_a_stream_that_begins_before_what_the_page_has_seen_brings_the_page_anew(
    watcher: BrowserContext, keeper: Teller
) -> None:
    """A log shorter than the page's means that an old backup was restored; the refetched page says so."""
    behind = {"status": 200, "content_type": "text/event-stream", "body": 'id: 0\ndata: {"seq": 0}\n\n'}
    page = keeper.watch(watcher)
    page.route(LIVE, lambda route: route.fulfill(**behind))
    with page.expect_request(lambda asked: asked.url == page.url and not asked.is_navigation_request()):
        page.reload()

"""Other phones follow by themselves: the board, the ledger, a round; also without a stream."""

import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, FloatRect, Page, Route, expect

from tests.browser.phones import await_worker, phone
from tests.browser.telling import Teller

pytestmark = pytest.mark.browser

NAMES = ["An", "Bình", "Chi", "Dũng"]


@pytest.fixture
def watcher(browser: Browser) -> Iterator[BrowserContext]:
    with phone(browser, locale="en-GB") as context:
        yield context


@pytest.fixture
def teller(browser: Browser, server: str) -> Iterator[Teller]:
    with phone(browser, locale="en-GB") as context:
        teller = Teller(context.new_page(), server)
        teller.sit_down(NAMES)
        teller.tell("round", opening=True)
        yield teller


def watch(context: BrowserContext, teller: Teller, place: str = "") -> Page:
    """A page of the night, opened with the watchers' link only."""
    page = context.new_page()
    page.goto(teller.links["watch"])
    page.locator("main button.main").click()
    page.goto(f"{teller.server}/n/{teller.night}{place}")
    return page


def test_the_board_follows_move_by_move(watcher: BrowserContext, teller: Teller) -> None:
    page = watch(watcher, teller)
    expect(page.locator(".say")).to_contain_text("lowest card")
    for seat, cards in [("p1", ["3s"]), ("p2", ["5c"]), ("p3", ["9d"]), ("p4", ["Js"]), ("p1", ["Ad"])]:
        teller.tell("play", seat=seat, cards=cards)
        left = page.locator(f".seat:nth-child({seat[1]}) .left")
        expect(left).to_contain_text("12" if (seat, cards) != ("p1", ["Ad"]) else "11")
    expect(page.locator(".say")).to_contain_text("Bình's turn")


def test_a_stream_has_the_board_on_nothing_and_follows(watcher: BrowserContext, teller: Teller) -> None:
    page = watch(watcher, teller, "/overlay")
    page.set_viewport_size({"width": 1280, "height": 720})
    for move, rank in enumerate("3456789T"):
        teller.tell("play", seat=f"p{move % 4 + 1}", cards=[f"{rank}{suit}" for suit in "scd"])
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


def test_the_ledger_and_the_rounds_follow_a_settlement(watcher: BrowserContext, teller: Teller) -> None:
    ledger, rounds = watch(watcher, teller, "/ledger"), watch(watcher, teller, "/rounds")
    code = ledger.locator(".proof a").first.inner_text()
    teller.tell("void", round=1, reason="misdealt")
    expect(rounds.locator(".lines")).to_contain_text("misdealt")
    expect(ledger.locator(".proof a").first).not_to_have_text(code)


def test_what_is_open_and_typed_on_a_page_that_follows_stays(watcher: BrowserContext, teller: Teller) -> None:
    for seat, cards in [("p1", ["3s"]), ("p2", ["5c"])]:
        teller.tell("play", seat=seat, cards=cards)
    page = teller.page
    page.goto(f"{teller.server}/n/{teller.night}/rounds/1")
    page.locator("details:has(input[name=reason]) summary").click()
    page.locator("input[name=reason]").fill("somebody peeked")
    teller.tell("play", seat="p3", cards=["9d"])
    expect(page.locator("table.moves tbody tr")).to_have_count(3)
    expect(page.locator("input[name=reason]")).to_have_value("somebody peeked")
    expect(page.locator("input[name=reason]")).to_be_focused()


def test_without_a_stream_the_page_asks_the_board_instead(watcher: BrowserContext, teller: Teller) -> None:
    watcher.route(re.compile(r"/live\?"), lambda route: route.fulfill(status=204))
    page = watch(watcher, teller)
    with page.expect_response(re.compile(f"/api/v1/nights/{teller.night}$")):
        pass
    with page.expect_response(lambda answer: answer.status == 304):
        pass  # the page has the current board
    teller.tell("play", seat="p1", cards=["3s"])
    expect(page.locator(".say")).to_contain_text("Bình's turn")


def test_without_a_stream_the_page_asks_again_for_what_it_could_not_have(
    watcher: BrowserContext, teller: Teller
) -> None:
    watcher.route(re.compile(r"/live\?"), lambda route: route.fulfill(status=204))
    page = watch(watcher, teller)
    with page.expect_response(lambda answer: answer.status == 304):
        pass
    page.route(page.url, lambda route: route.abort("connectionfailed"), times=1)
    with page.expect_event("requestfailed"):
        teller.tell("play", seat="p1", cards=["3s"])
    expect(page.locator(".say")).to_contain_text("Bình's turn")


def test_a_page_without_a_stream_whose_link_was_renewed_shows_the_board_no_longer(
    watcher: BrowserContext, teller: Teller
) -> None:
    watcher.route(re.compile(r"/live\?"), lambda route: route.fulfill(status=204))
    page = watch(watcher, teller)
    expect(page.locator(".say")).to_be_visible()
    teller.tell("revoke", role="watch")
    expect(page.locator(".say")).to_have_count(0)


def test_a_page_that_comes_back_into_sight_catches_up(watcher: BrowserContext, teller: Teller) -> None:
    page = watch(watcher, teller)
    hidden = "Object.defineProperty(document, 'visibilityState', {value: %r, configurable: true});"
    dispatch = "document.dispatchEvent(new Event('visibilitychange', {bubbles: true}))"
    page.evaluate(hidden % "hidden" + dispatch)
    teller.tell("play", seat="p1", cards=["3s"])
    page.wait_for_timeout(300)
    expect(page.locator(".say")).to_contain_text("lowest card")
    page.evaluate(hidden % "visible" + dispatch)
    expect(page.locator(".say")).to_contain_text("Bình's turn")


def test_a_second_keepers_page_shows_what_the_first_records(teller: Teller) -> None:
    teller.page.goto(f"{teller.server}/n/{teller.night}")
    other = teller.page.context.new_page()
    other.goto(teller.page.url)
    other.locator('.key:has([value="8d"])').tap()
    teller.tell("play", seat="p1", cards=["3s"])
    expect(other.locator(".pile li")).to_have_text(re.compile("An 3♠"))
    expect(other.locator('[value="8d"]')).to_be_checked()
    expect(other.locator('[value="3s"]')).to_be_disabled()
    expect(other.locator("[name=seat][value=p2]")).to_be_checked()


def test_a_page_whose_scripts_and_styles_were_lost_gets_them_without_being_opened_again(
    watcher: BrowserContext, teller: Teller
) -> None:
    lost = Counter[str]()

    def lose_twice(route: Route) -> None:
        lost[route.request.url] += 1
        (route.abort if lost[route.request.url] < 3 else route.continue_)()

    watcher.route(re.compile(r"/static/\w+/(?:(live|page|chain)\.js|table\.css)"), lose_twice)
    page = watch(watcher, teller)
    teller.tell("play", seat="p1", cards=["3s"])
    expect(page.locator(".say")).to_contain_text("Bình's turn")
    expect(page.locator("head link[href$='table.css']")).to_have_js_property("sheet.disabled", value=False)
    assert len(lost) == 4


def test_a_page_as_last_seen_is_not_taken_for_the_servers_answer(browser: Browser, teller: Teller) -> None:
    """The stream announces the entry once, and the network is gone before the page is fetched."""
    with phone(browser, locale="en-GB", service_workers="allow") as context:
        page = watch(context, teller)
        await_worker(page)
        page.reload()
        page.evaluate("() => document.addEventListener('news', () => (document.title = 'heard'))")
        context.set_offline(True)
        teller.tell("play", seat="p1", cards=["3s"])
        expect(page).to_have_title("heard")
        page.wait_for_timeout(200)
        context.set_offline(False)
        expect(page.locator(".say")).to_contain_text("Bình's turn")


def test_a_ledger_without_network_says_from_when_it_is(browser: Browser, teller: Teller) -> None:
    """A day later, so that the page names the day at whatever time this test runs."""
    with phone(browser, locale="en-GB", service_workers="allow") as context:
        context.clock.install()
        page = watch(context, teller, "/ledger")
        await_worker(page)
        page.reload()
        came = page.evaluate("() => new Date().toTimeString().slice(0, 5)")
        old = page.locator("[data-old]")
        context.set_offline(True)
        context.clock.fast_forward("24:00:00")
        page.reload()
        expect(page.locator(".sheet")).to_be_visible()
        context.clock.fast_forward("00:05")
        expect(old).to_have_text(
            re.compile(rf"Offline: as of ({came}|{next_minute(came)}), \d+ [A-Z][a-z]+$")
        )
        expect(old).to_be_visible()
        context.set_offline(False)
        expect(old).to_be_hidden()


def next_minute(clock: str) -> str:
    hours, minutes = map(int, clock.split(":"))
    return f"{(hours + (minutes == 59)) % 24:02}:{(minutes + 1) % 60:02}"


def test_a_stream_that_begins_before_what_the_page_has_seen_brings_the_page_anew(
    watcher: BrowserContext, teller: Teller
) -> None:
    """A log shorter than the page's means that an old backup was restored; the refetched page says so."""
    behind = {"status": 200, "content_type": "text/event-stream", "body": 'id: 0\ndata: {"seq": 0}\n\n'}
    page = watch(watcher, teller)
    page.route(re.compile(r"/live\?"), lambda route: route.fulfill(**behind))
    with page.expect_request(lambda asked: asked.url == page.url and not asked.is_navigation_request()):
        page.reload()


def test_a_revoked_link_is_told_to_the_page_that_follows(watcher: BrowserContext, teller: Teller) -> None:
    page = watch(watcher, teller)
    teller.tell("revoke", role="watch")
    expect(page.locator(".seats")).to_have_count(0)
    expect(page.locator("h1")).to_be_visible()

"""Accidents of a keeper's phone and its server: no tap is lost, doubled, or changed unasked."""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Route, TimeoutError, expect

from tests.browser.conftest import NAMES
from tests.browser.keeper import first_round
from tests.browser.phones import phone
from tests.browser.telling import Teller
from tests.servers import Served
from tests.soak.storm.storm import DEFECTS, STORAGE, Halted, plays, storm
from tests.soak.storm.weather import brew, clear_up_often, every_fifth_request_is_lost
from tests.soaking import PLANTED

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def mortal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that may be killed."""
    with Served(tmp_path_factory.mktemp("mortal")) as served:
        yield served


def test_what_waits_behind_a_renewed_link_goes_on_with_the_new_one(
    context: BrowserContext, keeper: Teller
) -> None:
    night, page = keeper.look(), keeper.page
    context.set_offline(True)
    keeper.queue([("p1", ["3s"])])
    renewed = keeper.record("revoke", role="keeper")
    context.clear_cookies()
    context.set_offline(False)
    expect(page.locator("main")).to_contain_text("anything that is not sent yet, it is kept")
    context.request.post(renewed["links"]["keeper"], max_redirects=0)
    page.goto(night)
    expect(page.locator(".net")).to_have_text("Saved")
    assert list(plays(page)) == [("p1", "3s")]


def test_a_form_whose_refusal_is_no_page_of_the_night_waits_for_a_person(
    context: BrowserContext, keeper: Teller
) -> None:
    page, asked = keeper.page, list[str]()

    def refused(route: Route) -> None:
        asked.append(route.request.url)
        route.fulfill(status=400, json={"detail": "no", "code": "unreadable", "status": 400})

    def error(route: Route) -> None:
        if route.request.method != "POST":
            return route.fallback()
        asked.append(route.request.url)
        return route.fulfill(status=400, content_type="text/html", body="<!doctype html><main></main>")

    context.route("**/events", refused)
    context.route("**/notes", error)
    page.goto(f"{keeper.look()}/notes")
    keeper.tap(page.locator(".noting .choice:has([value=deals])"))
    keeper.tap(page.locator(".noting button"))
    expect(page.locator(".pending")).to_be_visible()
    keeper.tap(page.locator("[data-do=drop]"))
    expect(page.locator(".net")).to_have_attribute("data-state", "saved")
    assert len(asked) == 2


def test_a_server_that_is_killed_and_started_again_loses_nobody(
    browser: Browser, context: BrowserContext, mortal: Served
) -> None:
    clear_up_often(context)
    keeper = Teller(context.new_page(), mortal.address)
    keeper.sit_down(NAMES)
    keeper.record("round", opening=True)
    keeper.look()
    with phone(browser, locale="en-GB") as other:
        looking = keeper.watch(other)
        expect(looking.locator(".say")).to_be_visible()
        mortal.kill()
        keeper.queue([("p1", ["3s"])])
        expect(keeper.page.locator(".net")).to_have_text("Offline: 1 waiting")
        mortal.start()
        expect(keeper.page.locator(".net")).to_have_text("Saved")
        expect(looking.locator(".say")).to_contain_text("Bình's turn")
        assert list(plays(keeper.page)) == [("p1", "3s")]


def test_a_round_is_recorded_though_every_fifth_request_is_lost_and_another_phone_follows(
    browser: Browser, context: BrowserContext, keeper: Teller
) -> None:
    clear_up_often(context)
    moves, paid = first_round("southern-05.tln")
    keeper.tell_plays(moves[:50])
    night, page = keeper.look(), keeper.page
    net = Counter[str]()
    for payer, payee, points, _ in map(str.split, paid):
        net.update({payer: -int(points), payee: int(points)})
    with phone(browser, locale="en-GB") as other:
        looking = keeper.watch(other)
        brew(context, every_fifth_request_is_lost())
        keeper.record_round(moves[50:])
        context.unroute_all()
        expect(page.locator(".net")).to_have_attribute("data-state", "saved")
        page.goto(f"{night}/rounds/1/settle")
        keeper.leave(page.locator("button[value=settle]"))
        code = page.locator(".proof a").first.inner_text()
        expect(looking.locator(".proof a").first).to_have_text(code)
        for phone_of in (page, looking):
            totals = [int(each.replace("−", "-")) for each in phone_of.locator(".totals b").all_inner_texts()]
            assert totals == [net[f"p{place}"] for place in (1, 2, 3, 4)]


def test_the_page_stays_for_the_answer_to_the_play_that_ends_a_round(keeper: Teller) -> None:
    """Even though the page is refetched just then, and the response is another page."""
    *moves, (seat, cards) = first_round("southern-05.tln")[0]
    keeper.tell_plays(moves)
    keeper.look()
    page = keeper.page
    page.request.post(keeper.links["seats"]["p2"])
    asked: list[Route] = []
    for address in (page.url, "**/events"):
        page.route(address, lambda route: asked.append(route) if len(asked) < 2 else route.continue_())
    with page.expect_request(page.url):
        keeper.record("dispute", round=1, move="3.0", reason="who led?")
    keeper.choose(seat, cards)
    keeper.tap(page.locator(".actions button.main"))
    while len(asked) < 2:
        page.wait_for_timeout(10)
    anew, played = asked
    recorded = played.fetch()
    page.evaluate("window.stayed = true")
    with page.expect_event("requestfinished"):
        anew.fulfill(response=anew.fetch())
    with suppress(TimeoutError):
        page.wait_for_event("framenavigated", timeout=500)
    assert page.evaluate("window.stayed")
    played.fulfill(response=recorded)
    page.wait_for_url("**/rounds/1/settle")


# With this seed responses and a request are lost, and the tab and the server are killed, within a few moves.
STORM: dict[str, Any] = {"moves": 5, "seed": 8, "kills": 0.3}


def test_in_a_storm_every_move_is_recorded_once_and_in_order(browser: Browser, mortal: Served) -> None:
    """In short: `scripts/soak storm` makes a thousand moves."""
    outcome = storm(browser, mortal, **STORM)
    assert outcome.recorded == outcome.tapped
    assert {"answer lost", "request lost", "tab killed", "server killed"} <= outcome.weather.keys()


@pytest.mark.soak("two tabs")
def test_so_it_is_in_two_tabs(browser: Browser, mortal: Served) -> None:
    outcome = storm(browser, mortal, **STORM, tabs=2)
    assert outcome.recorded == outcome.tapped


@pytest.mark.soak("poor storage")
@pytest.mark.parametrize("storage", STORAGE)
def test_so_it_is_with_poor_storage(browser: Browser, mortal: Served, storage: str) -> None:
    outcome = storm(browser, mortal, **STORM | {"moves": 3}, storage=storage)
    assert outcome.recorded == outcome.tapped


@pytest.mark.soak(PLANTED)
@pytest.mark.parametrize("planted", [*((defect, 1) for defect in DEFECTS), ("no keeping", 2)])
def test_the_storm_finds_a_queue_that_loses_or_doubles(
    browser: Browser, mortal: Served, planted: tuple[str, int]
) -> None:
    defect, tabs = planted
    try:
        outcome = storm(browser, mortal, **STORM, defect=defect, mortal=False, tabs=tabs)
    except Halted:
        return
    assert outcome.recorded != outcome.tapped

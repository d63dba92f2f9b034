"""The keeper's phone on a bad network: nothing that was tapped is lost, or recorded twice, or changed unasked."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from tests.browser.keeper import Keeper, first_round
from tests.browser.phones import PHONES, phone
from tests.browser.storming import DEFECTS, Halted, log, plays, storm
from tests.browser.telling import Teller
from tests.browser.weather import brew, every_fifth_request_is_lost

pytestmark = pytest.mark.browser

NAMES = ["An", "Bình", "Chi", "Dũng"]
SMALL = PHONES["360x640"]


@contextmanager
def keeping(
    browser: Browser, server: str, *, worker: bool = False
) -> Iterator[tuple[BrowserContext, Keeper]]:
    """A keeper in the first round of a night."""
    more = {"service_workers": "allow"} if worker else {}
    context = phone(browser, SMALL, locale="en-GB", **more)
    keeper = Keeper(context.new_page(), server)
    keeper.open_table(NAMES)
    keeper.begin_round()
    yield context, keeper
    context.close()


def tap_all(keeper: Keeper, moves: list[tuple[str, list[str]]]) -> None:
    """Tap some plays, whoever answers."""
    for seat, cards in moves:
        keeper.choose(seat, cards)
        keeper.tap(keeper.page.locator(".actions button.main"))
        expect(keeper.page.locator("[name=cards]:checked")).to_have_count(0)


MOVES = [("p1", ["3s"]), ("p2", ["5c"]), ("p3", ["9d"]), ("p4", ["Js"]), ("p1", ["Ad"])]
AS_LAID = [(seat, " ".join(cards)) for seat, cards in MOVES]
NET = ".net"


def test_what_was_tapped_without_network_is_recorded_once_there_is_one(browser: Browser, server: str) -> None:
    with keeping(browser, server) as (context, keeper):
        page = keeper.page
        tap_all(keeper, MOVES[:1])
        expect(page.locator(NET)).to_have_text("Saved")
        context.set_offline(True)
        tap_all(keeper, MOVES[1:4])
        expect(page.locator(NET)).to_have_text("Offline: 3 waiting")
        expect(page.locator(".pile .waiting")).to_have_count(3)
        expect(page.locator('.key:has([value="9d"]) input')).to_be_disabled()
        expect(page.locator("[name=seat][value=p1]")).to_be_checked()
        expect(page.locator(".key.dim")).to_have_count(0)
        keeper.choose_seat("p3")
        expect(page.locator(".ghosts:visible")).to_have_count(0)
        assert list(plays(page)) == AS_LAID[:1]
        context.set_offline(False)
        expect(page.locator(NET)).to_have_text("Saved")
        expect(page.locator(".pile .waiting")).to_have_count(0)
        assert list(plays(page)) == AS_LAID[:4]


def test_the_queue_outlives_a_reload_without_network_and_a_closed_page(browser: Browser, server: str) -> None:
    with keeping(browser, server, worker=True) as (context, keeper):
        page = keeper.page
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        page.reload()  # the worker has seen the page now
        tap_all(keeper, MOVES[:1])
        expect(page.locator(NET)).to_have_text("Saved")
        page.goto(f"{page.url}/links")
        page.go_back()
        kept = page.evaluate(
            "caches.open('pages').then((cache) => cache.keys()).then((all) => all.map((one) => one.url))"
        )
        assert page.url in kept
        assert not [address for address in kept if "links" in address or "/t/" in address]
        context.set_offline(True)
        tap_all(keeper, MOVES[1:3])
        page.reload()
        expect(page.locator(".pile .waiting")).to_have_count(2)
        expect(page.locator(NET)).to_have_text("Offline: 2 waiting")
        night = page.url
        page.close()
        context.set_offline(False)
        keeper.page = page = context.new_page()
        page.goto(night)
        expect(page.locator(NET)).to_have_text("Saved")
        assert list(plays(page)) == AS_LAID[:3]


def test_who_passes_is_counted_over_several_piles_that_wait(browser: Browser, server: str) -> None:
    with keeping(browser, server) as (context, keeper):
        page = keeper.page
        context.set_offline(True)
        for move in (("p1", ["3s"]), ("p1", ["4s", "4c"])):
            tap_all(keeper, [move])
            keeper.tap(page.locator("button[value=pass-all]"))
        tap_all(keeper, [("p1", ["5s"])])
        context.set_offline(False)
        expect(page.locator(NET)).to_have_text("Saved")
        told = [(part["kind"], part.get("player")) for entry in log(page) for part in entry["parts"]]  # type: ignore[attr-defined]
        passes = [("pass", "p2"), ("pass", "p3"), ("pass", "p4")]
        lead = ("play", "p1")
        assert told[1:] == [lead, *passes, lead, *passes, lead]


def test_an_undo_waits_in_line_like_a_move(browser: Browser, server: str) -> None:
    with keeping(browser, server) as (context, keeper):
        page = keeper.page
        context.set_offline(True)
        tap_all(keeper, MOVES[:2])
        keeper.tap(page.locator("button[value=undo]"))
        expect(page.locator(".pile s")).to_have_text("Bình 5♣")
        expect(page.locator('.key:has([value="5c"]) input')).to_be_enabled()
        tap_all(keeper, [("p2", ["6c"])])
        context.set_offline(False)
        expect(page.locator(NET)).to_have_text("Saved")
        assert [entry["kind"] for entry in log(page)] == ["round", "play", "play", "undo", "play"]
        expect(page.locator(".pile li")).to_have_text([re.compile("An 3♠"), re.compile("Bình 6♣")])


def test_a_refused_move_goes_back_to_the_grid_with_what_to_do(browser: Browser, server: str) -> None:
    with keeping(browser, server) as (_, keeper):
        page = keeper.page
        tap_all(keeper, [("p1", ["3s", "3c"]), ("p2", ["6c", "6d"])])
        expect(page.locator(NET)).to_have_text("Saved")
        keeper.choose("p3", ["5c", "5d"])
        keeper.tap(page.locator(".actions button.main"))
        notice = page.locator(".felt .notice")
        expect(notice).to_be_visible()
        expect(page.locator("[name=cards]:checked")).to_have_count(2)
        expect(page.locator("[name=seat][value=p3]")).to_be_checked()
        expect(page.locator(".pile .waiting")).to_have_count(0)
        keeper.tap(notice.locator("button"))
        expect(notice).to_have_count(0)
        expect(page.locator(NET)).to_have_text("Saved")
        assert list(plays(page))[-1] == ("p3", "5c 5d")


@pytest.mark.parametrize("decision", ["anyway", "drop"])
def test_what_waits_while_another_keeper_records_waits_for_a_decision(
    browser: Browser, server: str, decision: str
) -> None:
    with keeping(browser, server) as (context, keeper):
        page = keeper.page
        tap_all(keeper, MOVES[:1])
        expect(page.locator(NET)).to_have_text("Saved")
        other = Keeper(context.new_page(), server)
        other.page.goto(page.url)
        context.set_offline(True)
        tap_all(keeper, MOVES[1:3])
        brew(context, lambda route: route.abort() if route.request.frame.page is page else route.continue_())
        context.set_offline(False)
        other.record(other.page.locator("button[value=pass]"))
        context.unroute_all()
        panel = page.locator(".pending")
        page.evaluate("dispatchEvent(new Event('online'))")
        expect(panel).to_be_visible()
        expect(panel.locator("li")).to_have_text(["Bình 5♣", "Chi 9♦"])
        expect(page.locator(NET)).to_have_text("Stopped: 2 waiting")
        assert list(plays(page)) == AS_LAID[:1]
        keeper.tap(panel.locator(f"[data-do={decision}]"))
        expect(panel).to_be_hidden()
        if decision == "drop":
            expect(page.locator(NET)).to_have_text("Saved")
            assert list(plays(page)) == AS_LAID[:1]
        else:
            # Bình has passed by now: the rules speak, and both wait for the next decision.
            expect(panel.locator("li")).to_have_count(2)


def test_with_denied_storage_the_page_says_that_closing_it_loses_what_waits(
    browser: Browser, server: str
) -> None:
    with keeping(browser, server) as (context, keeper):
        page = keeper.page
        context.add_init_script(
            "Object.defineProperty(window, 'indexedDB', {get() { throw new Error('denied') }})"
        )
        page.reload()
        context.set_offline(True)
        tap_all(keeper, MOVES[:1])
        expect(page.locator(NET)).to_contain_text("Offline: 1 waiting")
        expect(page.locator(NET)).to_contain_text("lost if this page is closed")
        context.set_offline(False)
        expect(page.locator(NET)).to_have_text("Saved")
        assert list(plays(page)) == AS_LAID[:1]


def test_a_full_disk_is_said_in_the_servers_words_and_loses_nothing(browser: Browser, server: str) -> None:
    with keeping(browser, server) as (context, keeper):
        page, words = keeper.page, "The disk of the server is full."
        full = {"code": "full", "detail": words, "status": 503}
        context.route(
            re.compile("/events$"),
            lambda route: route.fulfill(status=503, json=full, headers={"Retry-After": "1"}),
        )
        tap_all(keeper, MOVES[:2])
        expect(page.locator(NET)).to_have_text(f"Waiting: 2 {words}")
        context.unroute_all()
        expect(page.locator(NET)).to_have_text("Saved")
        assert list(plays(page)) == AS_LAID[:2]


def test_what_waits_in_a_night_that_was_ended_waits_for_a_person(browser: Browser, server: str) -> None:
    with phone(browser, SMALL, locale="en-GB") as context:
        teller = Teller(context.new_page(), server)
        teller.sit_down(NAMES)
        teller.tell("round", opening=True)
        teller.look()
        context.set_offline(True)
        tap_all(teller, MOVES[:1])
        teller.tell("void", round=1, reason="misdealt")
        teller.tell("end")
        context.set_offline(False)
        panel = teller.page.locator(".pending")
        expect(panel.locator("li")).to_have_text(["An 3♠"])
        teller.tap(panel.locator("[data-do=drop]"))
        expect(panel).to_be_hidden()
        expect(teller.page.locator("h1")).to_have_text("The night has ended")


def test_what_waits_behind_a_renewed_link_goes_on_with_the_new_one(browser: Browser, server: str) -> None:
    with phone(browser, SMALL, locale="en-GB") as context:
        teller = Teller(context.new_page(), server)
        teller.sit_down(NAMES)
        teller.tell("round", opening=True)
        night = teller.look()
        context.set_offline(True)
        tap_all(teller, MOVES[:1])
        renewed = teller.tell("revoke", role="keeper")
        context.clear_cookies()
        context.set_offline(False)
        expect(teller.page.locator(".record")).to_have_count(0)
        context.request.post(renewed["links"]["keeper"], max_redirects=0)
        teller.page.goto(night)
        expect(teller.page.locator(NET)).to_have_text("Saved")
        assert list(plays(teller.page)) == AS_LAID[:1]


def test_a_phone_whose_clock_is_wrong_records_like_any_other(browser: Browser, server: str) -> None:
    with keeping(browser, server) as (context, keeper):
        context.add_init_script(
            "Date.now = () => 0; Date.prototype.toISOString = () => '1970-01-01T00:00:00.000Z'"
        )
        keeper.page.reload()
        tap_all(keeper, MOVES[:2])
        expect(keeper.page.locator(NET)).to_have_text("Saved")
        assert list(plays(keeper.page)) == AS_LAID[:2]


def test_a_round_is_recorded_though_every_fifth_request_is_lost_and_another_phone_follows(
    browser: Browser, server: str
) -> None:
    with keeping(browser, server) as (context, keeper):
        page = keeper.page
        watcher = phone(browser, SMALL, locale="en-GB")
        looking = watcher.new_page()
        night = page.url
        page.goto(f"{night}/links")
        watch = page.locator('input[aria-label*="atch"]').first.input_value()
        looking.goto(watch)
        looking.locator("main button.main").click()
        page.goto(night)
        brew(context, every_fifth_request_is_lost())
        moves, paid = first_round("southern-05.tln")
        keeper.trouble.clear()
        keeper.record_round(moves)
        context.unroute_all()
        page.goto(night)  # a page of which a script was lost keeps what waits until it is opened again
        expect(page.locator(NET)).to_have_attribute("data-state", "saved")
        page.goto(f"{night}/rounds/1/settle")
        keeper.leave(page.locator("button[value=settle]"))
        expect(looking.locator(".totals b")).to_have_count(4)
        code = page.locator(".proof a").first.inner_text()
        expect(looking.locator(".proof a").first).to_have_text(code)
        assert looking.locator(".totals").inner_text() == page.locator(".totals").inner_text()
        assert len(paid) > 0
        watcher.close()


STORM = {"moves": 10, "seed": 7, "kills": 0.2}


def test_in_a_storm_every_move_is_recorded_once_and_in_order(browser: Browser, tmp_path: Path) -> None:
    """In short: `scripts/storm` makes a thousand moves."""
    outcome = storm(browser, tmp_path, **STORM)
    assert outcome.recorded == outcome.tapped
    assert {"answer lost", "request lost", "tab killed", "server killed"} <= outcome.weather.keys()


@pytest.mark.parametrize("defect", DEFECTS)
def test_the_storm_finds_a_queue_that_loses_or_doubles(browser: Browser, tmp_path: Path, defect: str) -> None:
    try:
        outcome = storm(browser, tmp_path, **STORM, defect=defect)
    except Halted:
        return
    assert outcome.recorded != outcome.tapped

"""Ways back to a table: out of a chat's own browser, without anything that a phone had stored, from a tab that the
phone has ended."""

from collections.abc import Iterator
from contextlib import suppress

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, expect

from tests.browser.conftest import NAMES
from tests.browser.keeper import first_round
from tests.browser.phones import phone
from tests.browser.telling import Teller
from tests.soak.storm.storm import log, plays
from tests.web.people.test_chat_browsers import ANDROID, ZALO

pytestmark = pytest.mark.browser


@pytest.fixture
def chat(browser: Browser) -> Iterator[BrowserContext]:
    """The browser inside a chat app on a phone."""
    with phone(browser, locale="en-GB", user_agent=ZALO) as context:
        yield context


@pytest.fixture
def own(browser: Browser) -> Iterator[BrowserContext]:
    """The own browser of the same phone."""
    with phone(browser, locale="en-GB", user_agent=ANDROID) as context:
        yield context


@pytest.mark.parametrize("holder", ["keeper", "p2"])
def test_a_link_tapped_in_a_chat_is_copied_into_the_phones_own_browser(
    chat: BrowserContext, own: BrowserContext, keeper: Teller, holder: str
) -> None:
    link = {**keeper.links, **keeper.links["seats"]}[holder]
    inside, outside = chat.new_page(), own.new_page()
    inside.goto(link)
    expect(inside.locator("main .notice")).to_contain_text("Zalo's own browser. Chrome does not know")
    assert inside.locator("main .notice input").input_value() == link
    inside.locator("main button.main").tap()
    inside.wait_for_url(f"**/n/{keeper.night}**")
    # "Open in browser" on a page of the night leads to what is to be done there.
    outside.goto(inside.url)
    expect(outside.locator("main")).to_contain_text("open it again from the chat")
    outside.goto(link)
    expect(outside.locator("main .notice")).to_have_count(0)
    outside.locator("main button.main").tap()
    outside.wait_for_url(inside.url)
    if holder == "keeper":
        for page, play in ((inside, ("p1", ["3s"])), (outside, ("p2", ["5c"]))):
            Teller(page, keeper.server).play(*play)
        expect(inside.locator(".pile .top")).to_contain_text("Bình")
        assert list(plays(inside)) == [("p1", "3s"), ("p2", "5c")]


def evict(page: Page, *, cookies: bool) -> None:
    """Delete what the browser has stored for the site of an open page, also its cookies."""
    origin = "/".join(page.url.split("/")[:3])
    stored = {"origin": origin, "storageTypes": "indexeddb,local_storage,service_workers,cache_storage"}
    page.context.new_cdp_session(page).send("Storage.clearDataForOrigin", stored)
    if cookies:
        page.context.clear_cookies()


def crash(page: Page) -> Page:
    """End the process of a page without notice, as a phone does that lacks memory; returns its tab, opened anew."""
    address, context = page.url, page.context
    with page.expect_event("crash"), suppress(Error):
        page.goto("chrome://crash")
    again = context.new_page()
    again.goto(address)
    return again


def test_a_keeper_whose_phone_has_lost_everything_between_two_rounds_goes_on_with_the_link(
    keeper: Teller,
) -> None:
    keeper.sit_down(NAMES)
    keeper.tell_round(first_round("southern-05.tln")[0])
    keeper.look()
    page, settled = keeper.page, len(log_of(keeper))
    evict(page, cookies=True)
    keeper.tap(page.locator("main button[value=round]"))
    expect(page.locator("h1")).to_have_text("No link to this table yet")
    expect(page.locator("main")).to_contain_text("open it again from the chat")
    page.goto(keeper.links["keeper"])
    keeper.leave(page.locator("main button.main"))
    expect(page.locator(".net")).to_have_text("Saved")
    assert [entry["kind"] for entry in log(page)[settled:]] == ["round"]
    page.reload()
    expect(page.locator("h1")).to_have_text("Round 2")


def log_of(keeper: Teller) -> list[dict[str, object]]:
    return log(keeper.page)


def test_what_waits_in_a_page_is_kept_again_after_the_phone_has_deleted_what_was_stored(
    keeper: Teller,
) -> None:
    keeper.look()
    page = keeper.page
    page.context.set_offline(True)
    keeper.queue([("p1", ["3s"]), ("p2", ["5c"])])
    expect(page.locator(".net")).to_have_text("Offline: 2 waiting")
    evict(page, cookies=False)
    page.evaluate("dispatchEvent(new Event('pageshow'))")  # the phone comes back to the page
    page.wait_for_function(
        "() => Object.keys(localStorage).filter((one) => one.startsWith('tienlen entry')).length === 2"
    )
    page.context.set_offline(False)
    keeper.hold(crash(page))
    expect(keeper.page.locator(".net")).to_have_text("Saved")
    assert list(plays(keeper.page)) == [("p1", "3s"), ("p2", "5c")]

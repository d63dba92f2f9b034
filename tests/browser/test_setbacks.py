"""An old backup is put back while phones are ahead of it: they say so, and what they recorded comes back once."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.conftest import NAMES
from tests.browser.phones import phone, script, shut
from tests.browser.telling import Teller
from tests.servers import Served
from tests.soak.storm.storm import plays

pytestmark = pytest.mark.browser


@pytest.fixture
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server whose database can be replaced."""
    with Served(tmp_path_factory.mktemp("setback"), workers=1) as served:
        yield served


@pytest.fixture
def other_phone(browser: Browser) -> Iterator[BrowserContext]:
    with phone(browser, locale="en-GB") as context:
        yield context


def back_up(served: Served) -> None:
    database = served.folder / "ledger.db"
    with closing(sqlite3.connect(database)) as now, closing(sqlite3.connect(served.folder / "backup")) as old:
        now.backup(old)


def put_back(served: Served) -> None:
    """Replace the database of a server that was killed by the backup, and start it."""
    for file in served.folder.glob("ledger.db*"):
        file.unlink()
    (served.folder / "backup").rename(served.folder / "ledger.db")
    served.start()


def is_told(page: Page) -> None:
    """A page says that the history is not the one it saw, and goes on once that was read and accepted."""
    expect(page.locator(".forked")).to_be_visible()
    page.locator(".forked [data-accept]").tap()
    expect(page.locator(".forked")).to_be_hidden()
    expect(page.locator(".mark")).to_be_hidden()


def test_what_two_phones_recorded_since_an_old_backup_comes_back_once_and_in_order(
    served: Served, context: BrowserContext, other_phone: BrowserContext
) -> None:
    keeper = Teller(context.new_page(), served.address)
    keeper.sit_down(NAMES)
    keeper.tell("round opening; p1 3s")
    address, page = keeper.look(), keeper.page
    back_up(served)
    keeper.play("p2", ["5c"])
    # Another keeper's phone gets the answer to its tap, and is closed before it gets the page.
    other_phone.request.post(keeper.links["keeper"], max_redirects=0)
    other = Teller(other_phone.new_page(), served.address)
    other.page.goto(address)
    other.page.route(address, lambda route: route.abort())
    with other.page.expect_response("**/events"):
        other.queue([("p3", ["9d"])])
    expect(page.locator(".pile .top")).to_contain_text("Chi")
    shut(other.page)
    keeper.play("p4", ["Js"])
    served.kill()
    keeper.queue([("p1", ["Ad"])])
    put_back(served)
    page.evaluate(script("appear"))
    # This phone sends again what it recorded, up to where the other phone's entry is missing.
    expect(page.locator(".pending")).to_contain_text("an old backup was put back")
    expect(page.locator("[data-mine] li")).to_have_text(["Dũng J♠", "An A♦"])
    is_told(page)
    assert list(plays(page)) == [("p1", "3s"), ("p2", "5c")]
    other.hold(other_phone.new_page())
    other.page.goto(address)
    is_told(other.page)
    expect(page.locator(".pile .top")).to_contain_text("Chi")
    keeper.tap(page.locator("[data-do=record]"))
    expect(page.locator(".net")).to_have_text("Saved")
    for each in (page, other.page):
        expect(each.locator(".pile .top")).to_contain_text("An")
    recorded = [("p1", "3s"), ("p2", "5c"), ("p3", "9d"), ("p4", "Js"), ("p1", "Ad")]
    assert list(plays(page)) == recorded
    for each in (page, other.page):
        each.reload()
        expect(each.locator(".net")).to_have_text("Saved")
        expect(each.locator(".forked")).to_be_hidden()
    assert list(plays(page)) == recorded

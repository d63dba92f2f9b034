"""A real server and a real Chromium."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Playwright, expect

from tests.browser.engines.old_chromium import launched
from tests.browser.journeys import Journey
from tests.browser.phones import PATIENCE, PHONES, phone
from tests.browser.telling import Teller
from tests.servers import UNCOUNTED, Served

NAMES = ["An", "Bình", "Chi", "Dũng"]

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def old_chromium(playwright: Playwright, node: str, own_fonts: None) -> Iterator[Browser]:
    with launched(playwright, node) as browser:
        yield browser


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server with a database of its own."""
    with Served(tmp_path_factory.mktemp("server"), plant=UNCOUNTED) as served:
        yield served.address


@pytest.fixture(scope="session")
def usual_phone(browser: Browser, server: str) -> Iterator[Teller]:
    """The phone of journeys that need none of their own: what it has loaded once, it need not load again."""
    with phone(browser, PHONES["360x640"], locale="en-GB") as context:
        yield Teller(context.new_page(), server)


@pytest.fixture
def journey(browser: Browser, usual_phone: Teller) -> Journey:
    return Journey(browser, usual_phone)


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A phone set to English."""
    with phone(browser, PHONES["360x640"], locale="en-GB") as context:
        yield context


@pytest.fixture
def keeper(context: BrowserContext, server: str) -> Teller:
    """A keeper in the first round of a night, without an open page. `tell` records as another keeper would."""
    keeper = Teller(context.new_page(), server)
    keeper.sit_down(NAMES)
    keeper.record("round", opening=True)
    return keeper

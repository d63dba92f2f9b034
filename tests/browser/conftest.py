"""A real server, a real Chromium: the program is run as people run it."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from tests.browser.phones import PHONES, phone
from tests.browser.serving import Served
from tests.browser.telling import Teller

NAMES = ["An", "Bình", "Chi", "Dũng"]

expect.set_options(timeout=20_000)  # a state is waited for, however slow the machine


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server with a database of its own."""
    with Served(tmp_path_factory.mktemp("server")) as served:
        yield served.address


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A phone of an English reader."""
    with phone(browser, PHONES["360x640"], locale="en-GB") as context:
        yield context


@pytest.fixture
def keeper(context: BrowserContext, server: str) -> Teller:
    """In the first round of a night, and not looking at it yet. Whatever is told is another keeper's."""
    keeper = Teller(context.new_page(), server)
    keeper.sit_down(NAMES)
    keeper.tell("round", opening=True)
    return keeper

"""A real server, a real Chromium: the program is run as people run it."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.serving import Served

expect.set_options(timeout=20_000)  # a state is waited for, however slow the machine


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server with a database of its own."""
    with Served(tmp_path_factory.mktemp("server")) as served:
        yield served.address

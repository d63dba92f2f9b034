"""A real server, a real Chromium: the program is run as people run it."""

from collections.abc import Iterator

import pytest

from tests.browser.serving import Served


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server with a database of its own."""
    with Served(tmp_path_factory.mktemp("server")) as served:
        yield served.address

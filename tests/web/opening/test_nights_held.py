"""What a phone's pages about all its nights cost: as many statements for many nights as for few."""

from pathlib import Path

import pytest

from ledger.web import create_app
from ledger.web.access import MOST_COOKIES
from ledger.web.recorder import Settings, recorder
from tests.groups_of_nights import group_of_nights
from tests.web.conftest import settings_of
from tests.web.costing import Cost, Meter
from tests.web.growth.worlds import night_cookies

PAGES = {"the first page": "/", "statistics": "/n/{night}/statistics"}


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory, empty_database: Path) -> Settings:
    return settings_of(tmp_path_factory.mktemp("held"), empty_database)


@pytest.fixture(scope="module")
def nights(settings: Settings) -> tuple[str, ...]:
    """As many nights as a phone may keep the links of."""
    with create_app(settings).app_context():
        return group_of_nights(recorder(), MOST_COOKIES, players=4).nights


@pytest.mark.parametrize("path", PAGES.values(), ids=PAGES)
def test_many_nights_cost_no_more_statements_than_few(
    settings: Settings, nights: tuple[str, ...], path: str
) -> None:
    def costs(held: int) -> list[Cost]:
        """What the page costs in a process that has read no night, and then again."""
        client = create_app(settings).test_client()
        for name, token in night_cookies(nights[:held]).items():
            client.set_cookie(name, token)
        address = path.format(night=nights[0])

        def get() -> None:
            assert client.get(address).status_code == 200

        with Meter(client.application).installed() as meter:
            return [meter.cost(get) for _ in range(2)]

    for few, many in zip(costs(MOST_COOKIES // 4), costs(MOST_COOKIES), strict=True):
        assert many.statements <= few.statements
        assert many.calls <= 4.2 * few.calls

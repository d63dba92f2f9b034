"""What a phone's pages about all its nights cost: as many statements for many nights as for few."""

from collections.abc import Callable

import pytest
from flask import Flask
from flask.testing import FlaskClient

from ledger.web import create_app
from ledger.web.access import MOST_COOKIES
from ledger.web.recorder import Settings
from tests.factories import NightFactory
from tests.stories import A_SETTLED_ROUND_OF_FOUR
from tests.web.costing import Cost, Meter
from tests.web.phones import Table, take

NAMES = ["An", "Bình", "Chi", "Dũng"]
PAGES = {"the first page": "/", "statistics": "/n/{night}/statistics"}


@pytest.fixture
def holding(settings: Settings, app: Flask) -> Callable[[int], tuple[FlaskClient, list[Table]]]:
    """A function that gives a phone with the keepers' links of so many nights, in a process that has read none."""
    nights: list[Table] = NightFactory.create_batch(
        MOST_COOKIES, by=app.test_client(), story=A_SETTLED_ROUND_OF_FOUR, players=NAMES
    )

    def phone(held: int) -> tuple[FlaskClient, list[Table]]:
        client = create_app(settings).test_client()
        for table in nights[:held]:
            take(client, table, "keeper")
        return client, nights[:held]

    return phone


@pytest.mark.parametrize("path", PAGES.values(), ids=PAGES)
def test_many_nights_cost_no_more_statements_than_few(
    holding: Callable[[int], tuple[FlaskClient, list[Table]]], path: str
) -> None:
    def costs(held: int) -> list[Cost]:
        """What the page costs in a process that has read no night, and then again."""
        client, nights = holding(held)
        address = path.format(night=nights[0].night)

        def get() -> None:
            assert client.get(address).status_code == 200

        with Meter(client.application).installed() as meter:
            return [meter.cost(get) for _ in range(2)]

    for few, many in zip(costs(MOST_COOKIES // 4), costs(MOST_COOKIES), strict=True):
        assert many.statements <= few.statements
        assert many.calls <= 4.2 * few.calls

"""What pages, files and entries of a group cost: as many statements for forty nights as for twenty, about twice the
calls at most, and little enough for a group as large as it may be."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from ledger.recorder.groups import MOST_NIGHTS
from ledger.web.preferences import LANGUAGE_COOKIE
from ledger.web.recorder import recorder
from tests.groups_of_nights import GroupOfNights, group_of_nights
from tests.soaking import further
from tests.web.browsing import visit
from tests.web.conftest import answering, settings_of
from tests.web.costing import Cost, Meter

pytestmark = pytest.mark.slow

PAGES = {
    "season": "/groups/{group}",
    "the last part of each list": "/groups/{group}?people=999&pairs=999&owed=999&nights=999&entries=999",
    "days": "/groups/{group}?from=2024-01-03&to=2024-01-05",
    "settle up": "/n/{night}/settle-up",
    "groups of a night": "/n/{night}/group",
    "the first page": "/",
}
FILES = {"table": "/groups/{group}/season.csv", "calendar": "/groups/{group}/nights.ics"}
ENTRIES = {
    "join": {"kind": "join", "player": "{first}/p2", "same": "{second}/p3"},
    "join by name": {"kind": "join", "player": "Khách 0-11", "same": "Khách 1-11"},
    "rename": {"kind": "rename", "name": "Hội {night}"},
    "part": {"kind": "part", "about": "1"},
    "remove": {"kind": "remove", "about": "{night}"},
}
REGULARS = "groups whose players come to every night"
MOST_BYTES = 200_000
MOST_CALLS = 300_000
"""Of a request that does not wait in the queue for heavy work; one that does may need ten times as many."""


@dataclass
class Phone:
    """A phone that holds the keepers' links of a group and of its newest night."""

    client: FlaskClient
    group: GroupOfNights
    meter: Meter

    def address(self, text: str) -> str:
        first, second, *_ = nights = self.group.nights
        return text.format(group=self.group.id, night=nights[-1], first=first, second=second)

    def get(self, path: str) -> tuple[Cost, int]:
        """What it costs to ask for a page, and its bytes."""
        bytes = 0

        def ask() -> None:
            nonlocal bytes
            answer = self.client.get(self.address(path))
            assert answer.status_code == 200
            bytes = len(answer.data)

        return self.meter.cost(ask), bytes

    def enter(self, fields: dict[str, str]) -> Cost:
        data = {
            name: self.address(text)[:40] if name == "name" else self.address(text)
            for name, text in fields.items()
        }

        def send() -> None:
            answer = self.client.post(
                f"/groups/{self.group.id}", data=data, headers={"Origin": "http://localhost"}
            )
            assert answer.status_code == 303, answer.text

        return self.meter.cost(send)


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory, empty_database: Path) -> Flask:
    return answering(settings_of(tmp_path_factory.mktemp("groups"), empty_database))


@pytest.fixture(scope="module")
def phone_of(app: Flask) -> Iterator[Callable[..., Phone]]:
    """A function that gives a phone with a group of so many nights, made on first use."""
    made: dict[tuple[int, int], GroupOfNights] = {}
    with Meter(app).installed() as meter:

        def phone(nights: int, regulars: int = 0) -> Phone:
            client = app.test_client()
            with app.app_context():
                if (nights, regulars) not in made:
                    made[nights, regulars] = group_of_nights(recorder(), nights, regulars=regulars)
                group = made[nights, regulars]
                with recorder().snapshot() as snapshot:
                    token = recorder().groups.tokens(snapshot.group(group.id).group).keeps
                    keeper = snapshot.night(group.nights[-1]).tokens().keeper
            client.set_cookie(LANGUAGE_COOKIE, "en")
            client.set_cookie(f"tienlengroup-{group.id}-keeper", token)
            client.set_cookie(f"tienlen-{group.nights[-1]}-keeper", keeper)
            return Phone(client, group, meter)

        yield phone


@pytest.fixture
def cold(app: Flask) -> Callable[[], None]:
    """A function that forgets what this process has cached."""

    def forget() -> None:
        with app.app_context():
            recorder()._cache = cache = type(recorder()._cache)()
            recorder().groups._cache = cache

    return forget


@pytest.mark.parametrize("regulars", further([0, 12], REGULARS))
@pytest.mark.parametrize("path", [*PAGES.values(), *FILES.values()], ids=[*PAGES, *FILES])
def test_twice_the_nights_cost_no_more_statements_and_at_most_twice_the_calls(
    phone_of: Callable[..., Phone], cold: Callable[[], None], path: str, regulars: int
) -> None:
    few, many = phone_of(20, regulars), phone_of(40, regulars)
    for phone in (few, many):
        phone.get(path)  # templates are compiled
    cold()
    once, twice = few.get(path)[0], many.get(path)[0]
    assert twice.statements <= once.statements
    assert twice.calls <= 2.2 * once.calls
    once, twice = few.get(path)[0], many.get(path)[0]
    assert twice.statements <= once.statements
    assert twice.calls <= 2.2 * once.calls


@pytest.mark.parametrize("fields", ENTRIES.values(), ids=ENTRIES)
def test_an_entry_costs_as_many_statements_for_twice_the_nights(
    phone_of: Callable[..., Phone], fields: dict[str, str]
) -> None:
    once, twice = (phone_of(nights).enter(fields) for nights in (21, 42))
    assert twice.statements <= once.statements
    assert twice.calls <= 2.2 * once.calls


@pytest.mark.parametrize("regulars", further([0, 12], REGULARS))
def test_a_group_as_large_as_it_may_be_is_light(
    phone_of: Callable[..., Phone], cold: Callable[[], None], regulars: int
) -> None:
    phone = phone_of(MOST_NIGHTS, regulars)
    cold()
    first, _ = phone.get(PAGES["season"])
    assert first.calls < 10 * MOST_CALLS
    for name, path in (PAGES | FILES).items():
        again, bytes = phone.get(path)
        if name in PAGES:
            again, bytes = phone.get(path)  # what is cached is the same from now on
            assert (name, bytes < MOST_BYTES) == (name, True), bytes
        assert (name, again.calls < MOST_CALLS * (1 if name in PAGES else 3)) == (name, True), again
        assert (name, again.statements < 12) == (name, True), again


def test_all_parts_of_a_list_make_the_whole(phone_of: Callable[..., Phone]) -> None:
    phone = phone_of(45, 2)
    found = list[str]()
    for number in (1, 2, 3):
        page = visit(phone.client, f"/groups/{phone.group.id}?nights={number}&people=2")
        assert "45 nights" in page.text
        found += [field["value"] for _, field in page.elements if field.get("name") == "look"]
        further = f"/groups/{phone.group.id}?people=2&nights={number + 1}#nights"
        assert (further in page.links) is (number < 3)
    assert found == [*reversed(phone.group.nights[:-1])]

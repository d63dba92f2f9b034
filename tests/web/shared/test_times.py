"""Times of entries: in the server's zone without scripts, in a form that scripts can convert."""

import re
from collections.abc import Callable

from flask.testing import FlaskClient

from tests.factories import NightFactory
from tests.stories import A_ROUND_OF_FOUR, A_SETTLED_ROUND_OF_FOUR
from tests.web.phones import NIGHTS, Table, answered, new_night, open_table, take

TIME = re.compile(r'<time datetime="([^"]+)"( data-day)?>([^<]+)</time>')


def test_a_page_tells_times_by_the_servers_zone_and_says_which(
    client: FlaskClient, set_timezone: Callable[[str], None]
) -> None:
    table = open_table(client)
    keeper = table.keeper
    keeper.tell(A_ROUND_OF_FOUR)
    take(client, table, "keeper")
    set_timezone("Asia/Kathmandu")
    times = TIME.findall(client.get(f"/n/{table.night}/rounds/1").text)
    assert len(times) > 3
    for exact, day, clock_time in times:
        assert exact[11:19] == clock_time
        assert exact.endswith("+05:45")
        assert not day


def test_what_may_come_days_later_has_its_day(
    client: FlaskClient, set_timezone: Callable[[str], None]
) -> None:
    table: Table = NightFactory.create(by=client, holds="keeper", story=A_SETTLED_ROUND_OF_FOUR)
    table.seat("p2").record("confirm", round=1)
    set_timezone("Asia/Ho_Chi_Minh")
    page = client.get(f"/n/{table.night}/rounds/1", headers={"Accept-Language": "en"}).text
    agreed = page[page.index('id="agreement"') : page.index("</section>", page.index('id="agreement"'))]
    (_, day, clock_time) = TIME.findall(agreed)[0]
    assert day
    assert re.fullmatch(r"\d\d:\d\d:\d\d, \d+ [A-Z][a-z]{2}", clock_time)


def test_a_form_says_the_zone_or_nothing(client: FlaskClient) -> None:
    """Without scripts the field is empty."""
    for zone in ("", "-08:00"):
        assert client.post("/", data=new_night(zone=zone)).status_code == 303
    refused = client.post("/", data=new_night(zone="Mars"))
    assert refused.status_code == 400
    assert 'role="alert"' in refused.text


def test_the_interface_takes_a_zone_or_none(client: FlaskClient) -> None:
    for zone in ("+14:00", "-00:00", None):
        assert client.post(NIGHTS, json=new_night(zone=zone)).status_code == 201
    request = new_night(zone="+07:00")
    first, again = (client.post(NIGHTS, json=one) for one in (request, request | {"zone": "-08:00"}))
    assert (first.status_code, again.status_code) == (201, 200)
    assert answered(first)["tokens"] == answered(again)["tokens"]

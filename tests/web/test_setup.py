"""A server's setup is shown only to holders of its key."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from gzip import decompress

import pytest
from flask.testing import FlaskClient

from ledger.recorder import Recorder
from ledger.store import Store
from ledger.web import Settings, create_app
from tests.web.phones import open_table


def passed(settings: Settings, minutes: float = 0, key: bytes | None = None) -> str:
    """A pass, made so many minutes from now, with the server's key or another."""
    store = Store.open(settings.database_url)
    try:
        at = datetime.now(UTC) + timedelta(minutes=minutes)
        return Recorder(store, key or settings.key, lambda: at).host_token()
    finally:
        store.close()


def asked(client: FlaskClient, token: str) -> int:
    return client.get("/setup", headers={"Authorization": f"Bearer {token}"}).status_code


def test_nobody_without_a_good_pass_is_told(client: FlaskClient, settings: Settings) -> None:
    good = passed(settings)
    at, _, signed = good.partition(".")
    assert asked(client, good) == asked(client, passed(settings, -4)) == 200
    assert client.get("/setup").status_code == 404
    for token in (
        "",
        "x",
        ".",
        "\u0661." + signed,
        open_table(client).keeper.token,
        good[:-1],
        f"{good}0",
        f"{int(at) + 1}.{signed}",
        passed(settings, key=bytes([7] * 32)),
        passed(settings, -6),
        passed(settings, 6),
    ):
        assert asked(client, token) == 404


def test_a_pass_opens_nothing_that_was_recorded(client: FlaskClient, settings: Settings) -> None:
    night = open_table(client).night
    headers = {"Authorization": f"Bearer {passed(settings)}"}
    for path in (f"/api/v1/nights/{night}", f"/n/{night}"):
        assert client.get(path, headers=headers).status_code == 404


@pytest.mark.parametrize(
    ("proxies", "caller", "host"), [(0, "127.0.0.1", "localhost"), (1, "192.0.2.9", "a.example:84")]
)
def test_what_is_told_is_what_the_server_goes_by(
    settings: Settings, proxies: int, caller: str, host: str
) -> None:
    client = create_app(replace(settings, proxies=proxies, hosts=("localhost", "a.example"))).test_client()
    response = client.get(
        "/setup",
        headers={
            "Authorization": f"Bearer {passed(settings)}",
            "Accept-Encoding": "gzip",
            "X-Forwarded-For": "192.0.2.9",
            "X-Forwarded-Host": "a.example:84",
        },
    )
    reported = json.loads(decompress(response.data))
    assert (reported["proxies"], reported["caller"], reported["host"]) == (proxies, caller, host)
    assert reported["hosts"] == ["localhost", "a.example"]
    assert reported["forwarded"] == ["x-forwarded-for", "x-forwarded-host"]

"""Rate limits per address on writing, opening nights and guessing tokens; other addresses are unaffected."""

import json
import time
from dataclasses import replace
from threading import Thread
from typing import Any
from unittest.mock import Mock

import pytest
from flask import Flask
from flask.testing import FlaskClient

from ledger.web import Rate, Settings, create_app
from ledger.web.security import Counter, caller
from tests.case_files import columns
from tests.web.phones import NIGHTS, Phone, answered, new_night, open_table


def limited(settings: Settings, **changes: Any) -> FlaskClient:
    app: Flask = create_app(replace(settings, **changes))
    return app.test_client()


def test_too_many_writes_are_told_when_to_come_again(settings: Settings) -> None:
    client = limited(settings, writes=Rate(3))
    keeper = open_table(client).keeper
    keeper.record("round", opening=True)
    keeper.record("play", seat="p1", cards=["3s"])
    response = keeper.ask("play", seat="p2", cards=["4s"])
    assert (response.status_code, answered(response)["code"]) == (429, "too-many-requests")
    assert 1 <= int(response.headers["Retry-After"]) <= 61
    assert keeper.get().status_code == 200
    assert len(keeper.log()) == 2


def test_too_many_new_nights_are_refused(settings: Settings) -> None:
    client = limited(settings, new_nights=Rate(2, seconds=3600))
    statuses = [client.post(NIGHTS, json=new_night()).status_code for _ in range(3)]
    assert statuses == [201, 201, 429]


def test_guessing_tokens_is_slowed_down_and_the_table_goes_on(settings: Settings) -> None:
    client = limited(settings, wrong_tokens=Rate(5))
    table = open_table(client)
    guesses = [Phone(client, table.night, f"{'A' * 47}{letter}") for letter in "ABCDEFG"]
    assert [guess.get().status_code for guess in guesses] == [404] * 5 + [429] * 2
    assert client.get("/t/nothing").status_code == 429
    assert table.keeper.get().status_code == 200


@pytest.mark.parametrize(("proxies", "second"), [(1, 201), (0, 429)])
def test_callers_are_counted_by_the_address_that_a_trusted_proxy_says_and_by_no_other(
    settings: Settings, proxies: int, second: int
) -> None:
    client = limited(settings, proxies=proxies, new_nights=Rate(1, seconds=3600))
    statuses = [
        client.post(NIGHTS, json=new_night(), headers={"X-Forwarded-For": address}).status_code
        for address in ("10.0.0.1", "10.0.0.2", "10.0.0.1")
    ]
    assert statuses == [201, second, 429]


def test_guessing_cookies_is_slowed_down_as_well(settings: Settings) -> None:
    app = create_app(replace(settings, wrong_tokens=Rate(5)))
    table = open_table(app.test_client())
    statuses = []
    for letter in "ABCDEFG":
        client = app.test_client()
        client.set_cookie(f"tienlen-{table.night}-keeper", f"{'A' * 47}{letter}")
        statuses.append(client.get(f"/n/{table.night}").status_code)
    assert statuses == [401] * 5 + [429] * 2
    keeper = app.test_client()
    keeper.set_cookie(f"tienlen-{table.night}-keeper", table.tokens["keeper"])
    assert keeper.get(f"/n/{table.night}").status_code == 200


def test_posts_from_another_site_spend_nothing_of_a_household(settings: Settings) -> None:
    client = limited(settings, writes=Rate(2), new_nights=Rate(1, seconds=3600), wrong_tokens=Rate(1))
    forged = {"Sec-Fetch-Site": "cross-site"}
    for path in ("/phone", "/", "/t/nothing", "/n/00000000-0000-4000-8000-000000000000/events", NIGHTS):
        for _ in range(5):
            assert client.post(path, data={}, headers=forged).status_code == 403
    assert [client.post("/phone", data={"set": "suits"}).status_code for _ in range(3)] == [303, 303, 429]


def test_each_process_of_a_server_lets_its_part_pass(settings: Settings) -> None:
    client = limited(settings, processes=2, wrong_tokens=Rate(5), writes=Rate(1))
    assert [client.get("/t/nothing").status_code for _ in range(3)] == [404, 404, 429]
    assert [client.post("/phone", data={"set": "suits"}).status_code for _ in range(2)] == [303, 429]


def test_when_it_is_time_one_may_come_again(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1_800_000_000.0
    monkeypatch.setattr(time, "time", lambda: now)
    client = limited(settings, writes=Rate(1))
    first, refused = (client.post("/phone", data={"set": "suits"}) for _ in range(2))
    assert (first.status_code, refused.status_code, refused.headers["Retry-After"]) == (303, 429, "60")
    now += 60
    assert client.post("/phone", data={"set": "suits"}).status_code == 303


def test_counting_starts_no_thread(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    client = limited(settings)
    started = Mock(side_effect=RuntimeError("can't start new thread"))
    monkeypatch.setattr(Thread, "start", started)
    statuses = {client.post("/phone", data={"set": "suits"}).status_code for _ in range(100)}
    assert (statuses, started.call_count) == ({303}, 0)


def test_the_callers_of_a_past_window_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1_800_000_000.0
    monkeypatch.setattr(time, "time", lambda: now)
    counter = Counter(Rate(2))
    assert [counter.spend(who, 1) for who in ("early", *map(str, range(100)))] == [None] * 101
    now += 59
    assert [counter.spend(who, 1) for who in ("late", "early", "early")] == [None, None, 1]
    now += 1
    assert counter.spend("later", 1) is None
    assert counter.windows.keys() == {"late", "later"}


@pytest.mark.parametrize(("costs", "refused"), [((1, 1, 1), [False, False, True]), ((9, 1), [False, True])])
def test_a_request_costs_at_most_the_whole_rate(costs: tuple[int, ...], refused: list[bool]) -> None:
    counter = Counter(Rate(5), processes=2)
    assert [counter.spend("somebody", cost) is not None for cost in costs] == refused


@pytest.mark.parametrize(("address", "counted"), columns("requests.txt", "addresses of callers"))
def test_a_household_counts_as_one(app: Flask, address: str, counted: str) -> None:
    with app.test_request_context(environ_base={"REMOTE_ADDR": json.loads(address)}):
        assert caller() == json.loads(counted)

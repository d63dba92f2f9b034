"""How often one address may write, open nights and guess: counted for all processes, and nobody else is held up."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
from flask import Flask
from flask.testing import FlaskClient
from limits import parse
from limits.strategies import FixedWindowRateLimiter

from ledger.recorder import Count, StoreError
from ledger.web import Settings, counting, create_app
from ledger.web.counting import SharedStorage
from ledger.web.limits import caller
from tests.web.phones import NIGHTS, Phone, answered, new_night, open_table


def limited(settings: Settings, **rates: str) -> FlaskClient:
    app: Flask = create_app(replace(settings, **rates))
    return app.test_client()


def test_too_many_writes_are_told_when_to_come_again(settings: Settings) -> None:
    client = limited(settings, writes="3 per minute")
    keeper = open_table(client).keeper
    keeper.record("round", opening=True)
    keeper.record("play", seat="p1", cards=["3s"])
    response = keeper.ask("play", seat="p2", cards=["4s"])
    assert (response.status_code, answered(response)["code"]) == (429, "too-many-requests")
    assert 1 <= int(response.headers["Retry-After"]) <= 61
    assert keeper.get().status_code == 200
    assert len(keeper.log()) == 2


def test_too_many_new_nights_are_refused(settings: Settings) -> None:
    client = limited(settings, new_nights="2 per hour")
    statuses = [client.post(NIGHTS, json=new_night()).status_code for _ in range(3)]
    assert statuses == [201, 201, 429]


def test_guessing_tokens_is_slowed_down_and_the_table_goes_on(settings: Settings) -> None:
    client = limited(settings, wrong_tokens="5 per minute")
    table = open_table(client)
    guesses = [Phone(client, table.night, f"{'A' * 47}{letter}") for letter in "ABCDEFG"]
    assert [guess.get().status_code for guess in guesses] == [404] * 5 + [429] * 2
    assert client.get("/t/nothing").status_code == 429
    assert table.keeper.get().status_code == 200


def test_behind_a_proxy_each_caller_is_counted_by_himself(settings: Settings) -> None:
    client = limited(settings, proxies=1, new_nights="1 per hour")  # type: ignore[arg-type]
    statuses = [
        client.post(NIGHTS, json=new_night(), headers={"X-Forwarded-For": address}).status_code
        for address in ("10.0.0.1", "10.0.0.2", "10.0.0.1")
    ]
    assert statuses == [201, 201, 429]


def test_without_a_proxy_nobody_chooses_an_address(settings: Settings) -> None:
    client = limited(settings, new_nights="1 per hour")
    statuses = [
        client.post(NIGHTS, json=new_night(), headers={"X-Forwarded-For": address}).status_code
        for address in ("10.0.0.1", "10.0.0.2")
    ]
    assert statuses == [201, 429]


def test_guessing_cookies_is_slowed_down_as_well(settings: Settings) -> None:
    app = create_app(replace(settings, wrong_tokens="5 per minute"))
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


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:aaaa::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:bbbb::2", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("192.0.2.7:49152", "192.0.2.7"),
        ("[2001:db8:1:2::1]:49152", "2001:db8:1:2::/64"),
        ("[2001:db8:1:2::1]", "2001:db8:1:2::/64"),
        ("unix:", "unix:"),
        ("", ""),
    ],
)
def test_a_household_counts_as_one(app: Flask, address: str, counted: str) -> None:
    with app.test_request_context(environ_base={"REMOTE_ADDR": address}):
        assert caller() == counted


# Counting


@pytest.fixture
def storage() -> SharedStorage:
    return SharedStorage(key=bytes(32), shared=lambda *_: None)


@contextmanager
def another_process(storage: SharedStorage, does: str) -> Iterator[subprocess.Popen[str]]:
    """One that has the lock's file from us, as a worker has it, and has done something with it."""
    program = f"import fcntl, sys, time; file = int(sys.argv[1]); {does}; print(flush=True); sys.stdin.read()"
    file = storage._slots._processes._file
    command = [sys.executable, "-c", program, str(file)]
    process = subprocess.Popen(
        command, pass_fds=[file], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with process:
        assert process.stdout is not None
        assert process.stdout.readline() == "\n"
        try:
            yield process
        finally:
            process.kill()


def test_a_process_that_hangs_with_the_lock_refuses_nobody_and_one_that_dies_lets_go(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    app = create_app(replace(settings, writes="2 per minute"))
    client, storage = app.test_client(), app.extensions["tienlen-limits"].storage
    with another_process(storage, "fcntl.lockf(file, fcntl.LOCK_EX)") as holder:
        for _ in range(4):
            assert client.post("/phone", data={"set": "suits"}).status_code == 303
        told = [record for record in caplog.records if record.getMessage() == "uncounted"]
        assert len(told) == 1
        holder.kill()
        holder.wait()
        statuses = [client.post("/phone", data={"set": "suits"}).status_code for _ in range(3)]
    assert statuses == [303, 303, 429]


def test_what_ended_begins_anew(storage: SharedStorage, monkeypatch: pytest.MonkeyPatch) -> None:
    limiter, rate = FixedWindowRateLimiter(storage), parse("2 per minute")
    now = 1_700_000_000.0
    monkeypatch.setattr(counting.time, "time", lambda: now)
    assert [limiter.hit(rate, "a") for _ in range(3)] == [True, True, False]
    assert storage.get_expiry(rate.key_for("a")) == now + 60
    assert limiter.hit(rate, "b")
    now += 61
    assert storage.get(rate.key_for("a")) == 0
    assert [limiter.hit(rate, "a") for _ in range(3)] == [True, True, False]


def test_a_clock_that_is_set_back_holds_nobody_up(
    storage: SharedStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1_700_000_000.0
    monkeypatch.setattr(counting.time, "time", lambda: now)
    assert [storage.incr("a", 60) for _ in range(2)] == [1, 2]
    now -= 86_400
    assert storage.incr("a", 60) == 1


def test_counts_that_are_many_share_what_room_there_is(
    storage: SharedStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counting, "_SLOTS", 16)
    for _ in range(3):
        for number in range(200):
            assert storage.incr(f"address {number}", 60) <= 3
    assert storage.incr("address 199", 60) == 2


def test_counts_can_be_taken_back(storage: SharedStorage) -> None:
    for key in ("a", "a", "b"):
        storage.incr(key, 60)
    storage.clear("a")
    storage.clear("nobody")
    assert (storage.get("a"), storage.get("b")) == (0, 1)
    storage.reset()
    assert storage.get("b") == 0


# Counting over hosts


class Hosts:
    """What a database would count, and how often it was asked."""

    def __init__(self) -> None:
        self.number, self.asked = 0, 0
        self.seconds = 60.0
        self.there = True

    def count(self, whose: bytes, seconds: float, by: int) -> Count:
        self.asked += 1
        if not self.there:
            raise StoreError("it went away")
        self.number += by
        return Count(self.number, self.seconds)

    def host(self) -> SharedStorage:
        return SharedStorage(key=b"the same everywhere", shared=self.count)


def test_no_number_is_given_twice_by_hosts_that_count_together() -> None:
    hosts = Hosts()
    one, other = hosts.host(), hosts.host()
    given = [host.incr("a", 60) for host in (one, other, other) for _ in range(25)]
    assert len(set(given)) == 75
    assert hosts.asked == 8
    assert max(given) <= hosts.number == 80


def test_hosts_together_allow_what_one_would(monkeypatch: pytest.MonkeyPatch) -> None:
    hosts = Hosts()
    limiters = [FixedWindowRateLimiter(hosts.host()) for _ in range(3)]
    rate = parse("100 per minute")
    allowed = [limiter.hit(rate, "a") for _ in range(100) for limiter in limiters]
    assert 100 - 2 * (counting.BLOCK - 1) <= sum(allowed) <= 100


def test_a_host_counts_for_as_long_as_the_others_do(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1_700_000_000.0
    monkeypatch.setattr(counting.time, "time", lambda: now)
    hosts = Hosts()
    hosts.seconds = 20
    host = hosts.host()
    assert host.incr("a", 60) == 1
    assert host.get_expiry("a") == now + 20
    now += 21
    assert host.incr("a", 60) == counting.BLOCK + 1  # asked again: the database says what counts


def test_a_host_that_cannot_ask_the_others_goes_on_alone(caplog: pytest.LogCaptureFixture) -> None:
    hosts = Hosts()
    host = hosts.host()
    host.incr("a", 60)
    hosts.there = False
    assert [host.incr("a", 60) for _ in range(30)] == list(range(2, 32))
    assert {record.getMessage() for record in caplog.records} == {"counted-alone"}
    assert hosts.asked == 4
    hosts.there = True
    assert [host.incr("a", 60) for _ in range(10)][-1] == 11


def test_whoever_waits_too_long_for_another_thread_that_asks_goes_on_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(counting, "_PATIENCE_TO_ASK", 0.01)
    hosts = Hosts()
    host = hosts.host()
    with host._asking.held(1):
        assert [host.incr("a", 60) for _ in range(20)] == list(range(1, 21))
    assert hosts.asked == 0


def test_hosts_of_another_key_do_not_learn_who_came() -> None:
    seen: list[bytes] = []

    def shared(whose: bytes, *_: float) -> None:
        seen.append(whose)

    for key in (b"one", b"one", b"other"):
        SharedStorage(key=key, shared=shared).incr("192.0.2.7", 60)
    assert seen[0] == seen[1] != seen[2]
    assert all(len(whose) == 16 and b"192.0.2.7" not in whose for whose in seen)

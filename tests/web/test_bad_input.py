"""Whatever the bytes: a clear answer, never a 500, and nothing half-recorded."""

import json
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.recorder import KINDS
from ledger.store import migrate
from ledger.web import Settings, create_app
from ledger.web.pages.blueprint import STATIC
from ledger.web.request_body import JSON_BYTES, TEXT_BYTES
from tests.web.asking import assert_whole
from tests.web.phones import (
    NIGHTS,
    Phone,
    answered,
    assert_worded,
    new_id,
    new_night,
    open_table,
    settle_a_round,
)

SCORE = "/api/v1/score"


def send(keeper: Phone, body: bytes, content_type: str | None = "application/json") -> dict[str, Any]:
    """Send bytes as an event; they must be refused as a problem. Answers it with its status."""
    before = keeper.log()
    response = keeper.client.post(
        f"{NIGHTS}/{keeper.night}/events", data=body, content_type=content_type, headers=keeper.headers
    )
    assert response.content_type == "application/problem+json"
    assert keeper.log() == before
    problem = answered(response)
    assert problem["status"] == response.status_code
    assert problem["detail"]
    return problem


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"", "JSON"),
        (b"{", "JSON"),
        (b"{'kind': 'undo'}", "JSON"),
        (b'{"kind": "undo"} x', "JSON"),
        (b"\xff\xfe", "UTF-8"),
        (b'{"kind": "\xc3\x28"}', "UTF-8"),
        (b'{"kind": "\xed\xa0\x80"}', "UTF-8"),
        (b"[]", "a JSON object"),
        (b'"undo"', "a JSON object"),
        (b"7", "a JSON object"),
        (b"null", "a JSON object"),
        (b"true", "a JSON object"),
        (b'{"kind": "undo", "kind": "redo"}', "each key once"),
        (b'{"a": {"b": 1, "b": 1}}', "each key once"),
        (b'{"a": 9007199254740993}', "whole numbers up to 2^53"),
        (b'{"a": -9007199254740993}', "whole numbers up to 2^53"),
        (b'{"a": ' + b"9" * 5000 + b"}", "whole numbers up to 2^53"),
        (b'{"a": 1.5}', "whole numbers"),
        (b'{"a": 1e999}', "whole numbers"),
        (b'{"a": NaN}', "whole numbers"),
        (b'{"a": -Infinity}', "whole numbers"),
        (b'{"a": "\\ud800"}', "text without lone surrogates"),
        (b'{"\\udfff": 1}', "text without lone surrogates"),
        (b'{"a": ["\\uD83C\\uD83C"]}', "text without lone surrogates"),
        (b'{"a":' * 501 + b"1" + b"}" * 501, "JSON that is not nested so deep"),
        (b'{"a":' * 2500 + b"1" + b"}" * 2500, "JSON that is not nested so deep"),
        (b'{"[\\"": ' + b"[" * 500, "JSON that is not nested so deep"),
        (b"[" * 16000, "JSON that is not nested so deep"),
    ],
)
def test_a_body_that_is_no_plain_json_is_refused(keeper: Phone, body: bytes, expected: str) -> None:
    problem = send(keeper, body)
    assert (problem["status"], problem["code"], problem["expected"]) == (400, "unreadable", expected)
    assert_worded(problem)


def test_a_pair_of_surrogates_is_a_character(client: FlaskClient) -> None:
    body = json.dumps(new_night(players=["🂡", "Chi"]), ensure_ascii=True)
    assert "\\ud83c" in body
    assert client.post(NIGHTS, data=body, content_type="application/json").status_code == 201


def test_a_deep_list_where_a_text_belongs_is_refused_like_any_other(keeper: Phone) -> None:
    event = keeper.event("play", seat="p1", cards="CARDS")
    body = json.dumps(event).replace('"CARDS"', "[" * 499 + "]" * 499).encode()
    assert list(send(keeper, body)["fields"]) == ["cards.0"]


@pytest.mark.parametrize(
    "content_type",
    [
        None,
        "",
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/jsonp",
        "application/json; charset=utf-16",
        "application/json; charset=latin-1",
        "json",
        ";",
    ],
)
def test_another_type_is_refused(keeper: Phone, content_type: str | None) -> None:
    problem = send(keeper, json.dumps(keeper.event("round", opening=True)).encode(), content_type)
    assert (problem["status"], problem["code"]) == (415, "unsupported-type")


@pytest.mark.parametrize(
    "content_type", ["application/json; charset=utf-8", "APPLICATION/JSON;charset=UTF-8"]
)
def test_json_may_say_that_it_is_utf_8(keeper: Phone, content_type: str) -> None:
    body = json.dumps(keeper.event("round", opening=True))
    response = keeper.client.post(
        f"{NIGHTS}/{keeper.night}/events", data=body, content_type=content_type, headers=keeper.headers
    )
    assert response.status_code == 201


def test_a_compressed_body_is_refused(keeper: Phone) -> None:
    response = keeper.post(keeper.event("round", opening=True), **{"Content-Encoding": "gzip"})
    assert response.status_code == 415


def padded(keeper: Phone, length: int) -> bytes:
    """An event of so many bytes."""
    body = json.dumps(keeper.event("round", opening=True)).encode()
    return body + b" " * (length - len(body))


def test_a_body_may_be_as_long_as_said_and_no_longer(keeper: Phone) -> None:
    assert send(keeper, padded(keeper, JSON_BYTES + 1))["status"] == 413
    assert send(keeper, padded(keeper, 10 * JSON_BYTES))["code"] == "too-large"
    response = keeper.client.post(
        f"{NIGHTS}/{keeper.night}/events",
        data=padded(keeper, JSON_BYTES),
        content_type="application/json",
        headers=keeper.headers,
    )
    assert response.status_code == 201


def test_a_text_to_be_scored_may_be_a_megabyte(client: FlaskClient) -> None:
    text = b"tienlen 1\n" + b";" * (TEXT_BYTES - 10)
    assert len(text) == TEXT_BYTES
    assert client.post(SCORE, data=text, content_type="text/plain").status_code == 200
    response = client.post(SCORE, data=text + b";", content_type="text/plain")
    assert (response.status_code, answered(response)["code"]) == (413, "too-large")


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 200),
        (b"\x00" * 100, 200),
        (b"\xff", 400),
        (b"\xef\xbb\xbftienlen 1\r\n", 200),
        (b"tienlen 1\nruleset southern-classic\np1 A\np2 B\nround " + b"9" * 6000, 200),
        (b"tienlen 1\nruleset southern-classic\np1 A\np2 B\nround 1\n" + b"p1 3s 3s\n", 200),
        ("tienlen 1\nruleset southern-classic\np1 A\np2 B\nround ١\n".encode(), 200),
        (b"tienlen 1\nruleset southern-classic\nrule passing.locks=\xc2\xb2\n", 200),
        (b"tienlen 1\nruleset southern-classic\nstake " + b"1" * 5000 + b" VND", 200),
        (b"tienlen 1\nruleset southern-classic\ndate 2026-W01-1\n", 200),
    ],
)
def test_any_text_is_scored_or_refused(client: FlaskClient, body: bytes, status: int) -> None:
    response = client.post(SCORE, data=body, content_type="text/plain")
    assert response.status_code == status
    if status == 200:
        assert answered(response)["error"]["code"]


@pytest.mark.parametrize(
    "path",
    [
        "/api/v1/nights/x",
        "/api/v1/nights/%00",
        "/api/v1/nights/%ff%fe",
        "/api/v1/nights/../nights",
        "/api/v1//nights",
        f"/api/v1/nights/{'0' * 32}",
        f"/api/v1/nights/{UUID(int=1)}/",
        f"/api/v1/nights/{UUID(int=1)}/events/1",
        "/api/v2/nights",
        "/" + "a" * 8000,
        "/%F0%9F%82%A1",
        "/..%2f..%2fetc%2fpasswd",
        f"{STATIC}/..%2f__init__.py",
        "/t/",
    ],
)
def test_any_path_is_answered(client: FlaskClient, path: str) -> None:
    with client.get(path) as response:
        assert response.status_code in (308, 404, 405)


@pytest.mark.parametrize(
    "host",
    [
        "",
        "a b",
        "[",
        "[::1",
        "evil.example",
        "x" * 500,
        "localhost:99999999",
        ".....",
    ],
)
@pytest.mark.parametrize("header", ["Host", "X-Forwarded-Host"])
def test_any_host_is_answered(settings: Settings, header: str, host: str) -> None:
    client = create_app(replace(settings, proxies=1)).test_client()
    for response in (
        client.get("/", headers={header: host}),
        client.get("/nothing", headers={header: host}),
        client.get("/api/v1/nothing", headers={header: host}),
        client.post(NIGHTS, json=new_night(), headers={header: host}),
    ):
        assert response.status_code in (200, 201, 404)
        assert_whole(response.headers, host)


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("tienlen.example", True),
        ("Tienlen.Example:8443", True),
        ("www.club.example", True),
        ("127.0.0.1", False),
        ("evil.example", False),
        ("tienlen.example.evil.example", False),
        ("a b", False),
        ("", False),
    ],
)
@pytest.mark.parametrize("header", ["Host", "X-Forwarded-Host"])
def test_where_names_are_given_a_server_answers_to_no_other(
    settings: Settings, header: str, host: str, known: bool
) -> None:
    hosts = ("tienlen.example", ".club.example")
    client = create_app(replace(settings, proxies=1, hosts=hosts)).test_client()
    sent = {"Host": "tienlen.example", header: host}
    known = known or (header == "X-Forwarded-Host" and not host)  # which says nothing
    for response in (
        client.get("/", headers=sent),
        client.get("/healthz", headers=sent),
        client.get(f"{STATIC}/page.css", headers=sent),
        client.post(NIGHTS, json=new_night(), headers=sent),
    ):
        assert response.status_code in ((200, 201) if known else (400,))
        assert_whole(response.headers, host)
        response.close()


# Fuzz


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory) -> Phone:
    """A night with something in it, for many requests."""
    url = f"sqlite:///{tmp_path_factory.mktemp('fuzzed') / 'ledger.db'}"
    migrate(url)
    rate = "100000000 per minute"
    app = create_app(
        Settings(database_url=url, key=bytes(32), writes=rate, new_nights=rate, wrong_tokens=rate)
    )
    app.config["PROPAGATE_EXCEPTIONS"] = False
    keeper = open_table(app.test_client()).keeper
    settle_a_round(keeper)
    keeper.record("round", leader="p1")
    return keeper


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
CARD = st.sampled_from([rank + suit for rank in "3456789TJQKA2" for suit in "scdh"])
PLAYER = st.sampled_from(["p1", "p2", "p3", "p4", "p5", "p12"])
A_KIND = st.sampled_from([*KINDS, "nothing"])
ADDRESS = st.builds("{}.{}".format, st.integers(1, 12), st.integers(0, 2))
ENTRY = st.one_of(
    st.none(),
    st.fixed_dictionaries(
        {"kind": st.just("play"), "seat": PLAYER, "cards": st.lists(CARD, min_size=1, max_size=3)},
        optional={"stood": st.booleans()},
    ),
    st.fixed_dictionaries({"kind": st.just("pass"), "seat": PLAYER}, optional={"stood": st.booleans()}),
    st.just({"kind": "declare", "seat": "p3", "sets": []}),
    st.just({"kind": "round", "opening": True, "stood": True}),
)
CHANGE = st.one_of(
    st.fixed_dictionaries({"target": ADDRESS, "with": ENTRY}),
    st.fixed_dictionaries({"before": ADDRESS, "with": ENTRY}),
)
PLAUSIBLE: dict[str, st.SearchStrategy[Any]] = {
    "seat": PLAYER,
    "cards": st.lists(CARD, max_size=14),
    "passed": st.lists(PLAYER, max_size=4),
    "stood": st.booleans(),
    "sets": st.lists(st.lists(CARD, max_size=6), max_size=3),
    "round": st.integers(-1, 3),
    "opening": st.just(True),
    "leader": PLAYER,
    "seats": st.lists(PLAYER, max_size=5),
    "payer": PLAYER,
    "payee": PLAYER,
    "points": st.integers(0, 10),
    "reason": st.text(max_size=20),
    "at": st.just("2026-11-20T20:15:03Z") | st.text(max_size=20),
    "places": st.lists(PLAYER, max_size=5),
    "knocked_out": st.lists(PLAYER, max_size=3),
    "bombs": st.lists(
        st.fixed_dictionaries({"seat": PLAYER, "beat": PLAYER, "captured": st.lists(CARD, max_size=3)}),
        max_size=2,
    ),
    "changes": st.lists(CHANGE, max_size=3),
    "payment": st.fixed_dictionaries({"seq": st.integers(0, 12), "idx": st.integers(0, 4)}),
    "move": ADDRESS,
    "dispute": st.integers(0, 12),
    "decision": st.sampled_from(["kept", "corrected", "waived"]),
    "role": st.sampled_from(["seat", "watch"]),
    "name": st.text(max_size=12),
    "player": PLAYER,
}
EVENT = st.fixed_dictionaries(
    {"kind": A_KIND}, optional={name: values | ANYTHING for name, values in PLAUSIBLE.items()}
)


@settings(max_examples=120)
@given(event=EVENT)
def test_any_event_is_recorded_once_or_leaves_no_trace(fuzzed: Phone, event: dict[str, Any]) -> None:
    board = fuzzed.board()
    before = board["seq"]
    body = json.dumps({"id": new_id(), "after": board["after"], **event})
    response = fuzzed.client.post(
        f"{NIGHTS}/{fuzzed.night}/events", data=body, content_type="application/json", headers=fuzzed.headers
    )
    after = fuzzed.board()
    assert response.status_code in (201, 400, 403, 409, 413, 422), response.text
    assert after["seq"] == before + (response.status_code == 201)
    assert sum(after["net"].values()) == sum(after["provisional"].values()) == 0


@settings(max_examples=80)
@given(body=st.binary(max_size=300) | ANYTHING.map(lambda value: json.dumps(value).encode()))
def test_any_body_is_answered(fuzzed: Phone, body: bytes) -> None:
    before = fuzzed.board()["seq"]
    for path in (NIGHTS, f"{NIGHTS}/{fuzzed.night}/events"):
        response = fuzzed.client.post(
            path, data=body, content_type="application/json", headers=fuzzed.headers
        )
        assert response.status_code == 400
    assert fuzzed.client.post(SCORE, data=body, content_type="text/plain").status_code in (200, 400)
    assert fuzzed.board()["seq"] == before

"""Arbitrary bytes get a clear answer, never a 500, and record nothing in part."""

import json
from dataclasses import replace
from typing import Any

import pytest
from flask.testing import FlaskClient

from ledger.language import speaker
from ledger.web import Settings, create_app
from ledger.web.pages.shared.blueprint import STATIC
from ledger.web.request_body import JSON_BYTES, TEXT_BYTES
from tests.case_files import columns, lines_below
from tests.nights import new_id
from tests.web.asking import as_bytes, assert_whole
from tests.web.phones import NIGHTS, Phone, Table, answered, assert_worded, new_night, take

SCORE = "/api/v1/score"
TOO_DEEP = "JSON that is not nested so deep"
HEADER = "tienlen 1\nruleset southern-classic\n"


def send(keeper: Phone, body: bytes, content_type: str | None = "application/json") -> dict[str, Any]:
    """Send bytes as an event, which must be refused; returns the problem with its status."""
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
        *(
            (as_bytes(body), expected)
            for body, expected in columns("requests.txt", "bodies that are no plain JSON")
        ),
        (b"", "JSON"),
        (b"[]", "a JSON object"),
        (b'{"a": ' + b"9" * 5000 + b"}", "whole numbers up to 2^53"),
        (b'{"a":' * 501 + b"1" + b"}" * 501, TOO_DEEP),
        (b'{"a":' * 2500 + b"1" + b"}" * 2500, TOO_DEEP),
        (b'{"[\\"": ' + b"[" * 500, TOO_DEEP),
        (b"[" * 16000, TOO_DEEP),
    ],
)
def test_a_body_that_is_no_plain_json_is_refused(idle: Phone, body: bytes, expected: str) -> None:
    problem = send(idle, body)
    assert (problem["status"], problem["code"], problem["expected"]) == (400, "unreadable", expected)
    assert_worded(problem)


def test_a_pair_of_surrogates_is_a_character(client: FlaskClient) -> None:
    body = json.dumps(new_night(players=["🂡", "Chi"]), ensure_ascii=True)
    assert "\\ud83c" in body
    assert client.post(NIGHTS, data=body, content_type="application/json").status_code == 201


def test_a_deep_list_where_a_text_belongs_is_refused_like_any_other(idle: Phone) -> None:
    event = idle.event("play", seat="p1", cards="CARDS")
    body = json.dumps(event).replace('"CARDS"', "[" * 499 + "]" * 499).encode()
    assert list(send(idle, body)["fields"]) == ["cards.0"]


def test_many_lists_beside_each_other_are_not_deep(idle: Phone) -> None:
    event = idle.event("play", seat="p1", cards=[[]] * 600)
    assert "cards.0" in send(idle, json.dumps(event).encode())["fields"]


def test_a_field_of_a_form_that_is_sent_twice_is_refused(client: FlaskClient, table: Table) -> None:
    take(client, table, "keeper")
    form = f"id={new_id()}&after={table.night}&kind=round&leader=p1&leader=p2"
    response = client.post(f"/n/{table.night}", data=form, content_type="application/x-www-form-urlencoded")
    assert response.status_code == 400
    assert speaker("vi").expected("each field once") in response.text
    assert table.keeper.log() == []


@pytest.mark.parametrize(
    "content_type", [*map(json.loads, lines_below("requests.txt", "content types that are not JSON"))]
)
def test_another_type_is_refused(idle: Phone, content_type: str | None) -> None:
    problem = send(idle, json.dumps(idle.event("round", opening=True)).encode(), content_type)
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
    """An event of exactly so many bytes."""
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
        *((as_bytes(body), int(status)) for body, status in columns("requests.txt", "texts to be scored")),
        (b"", 200),
        (f"{HEADER}p1 A\np2 B\nround {'9' * 6000}".encode(), 200),
        (f"{HEADER}stake {'1' * 5000} VND".encode(), 200),
    ],
)
def test_any_text_is_scored_or_refused(idle: Phone, body: bytes, status: int) -> None:
    response = idle.client.post(SCORE, data=body, content_type="text/plain")
    assert response.status_code == status
    if status == 200:
        assert answered(response)["error"]["code"]


@pytest.mark.parametrize("path", [*lines_below("requests.txt", "paths of nothing"), "/" + "a" * 8000])
def test_any_path_is_answered(idle: Phone, path: str) -> None:
    with idle.client.get(path.replace("STATIC", STATIC)) as response:
        assert response.status_code in (308, 404, 405)


HEADERS_OF_HOSTS = pytest.mark.parametrize("header", ["Host", "X-Forwarded-Host"])


@HEADERS_OF_HOSTS
def test_any_host_is_answered(settings: Settings, header: str) -> None:
    client = create_app(replace(settings, proxies=1)).test_client()
    for host in ("", "a b", "[", "[::1", "evil.example", "x" * 500, "localhost:99999999", "....."):
        for response in (
            client.get("/", headers={header: host}),
            client.get("/nothing", headers={header: host}),
            client.get("/api/v1/nothing", headers={header: host}),
            client.post(NIGHTS, json=new_night(), headers={header: host}),
        ):
            assert response.status_code in (200, 201, 404), host
            assert_whole(response.headers, host)


@HEADERS_OF_HOSTS
def test_where_names_are_given_a_server_answers_to_no_other(settings: Settings, header: str) -> None:
    names = ("tienlen.example", ".club.example")
    client = create_app(replace(settings, proxies=1, hosts=names)).test_client()
    known = ["tienlen.example", "Tienlen.Example:8443", "www.club.example"]
    known += [""] if header == "X-Forwarded-Host" else []  # an empty one is ignored
    others = ["127.0.0.1", "evil.example", "tienlen.example.evil.example", "a b", *({""} - {*known})]
    for host in (*known, *others):
        sent = {"Host": "tienlen.example", header: host}
        for response in (
            client.get("/", headers=sent),
            client.get("/healthz", headers=sent),
            client.get(f"{STATIC}/shared/page.css", headers=sent),
            client.post(NIGHTS, json=new_night(), headers=sent),
        ):
            assert response.status_code in ((200, 201) if host in known else (400,)), host
            assert_whole(response.headers, host)
            response.close()

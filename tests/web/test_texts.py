"""No text that comes in, in any field of any request, is normalized before its marks are bounded."""

import json
import unicodedata
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from typing import Literal
from urllib.parse import parse_qsl, urlencode

import pytest

from ledger.game import texts
from ledger.recorder import KINDS
from ledger.recorder.fields import TypedText
from tests.nights import new_id
from tests.web.asking import Place
from tests.web.routes import STATUSES, Asked, Route, asked, upload

MARKS = "\u0300\u0316\u0327\u0315" * 300
HEAP = f"a{MARKS}"


@pytest.fixture
def normalized(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that were normalized."""
    found: list[str] = []

    def normalize(form: Literal["NFC", "NFD", "NFKD"], text: str) -> str:
        found.append(text)
        return unicodedata.normalize(form, text)

    monkeypatch.setattr(texts, "normalize", normalize)
    return found


def hostile(place: Place, route: Route) -> Iterator[Asked]:
    """The valid request of a route, with a heap of marks in one field or line of it."""
    valid = asked(place.app, route, place.night)
    for name, value in parse_qsl(valid.query):
        others = [pair for pair in parse_qsl(valid.query) if pair != (name, value)]
        yield valid._replace(query=urlencode([*others, (name, HEAP)]))
    match valid.content_type.partition(";")[0]:
        case "application/x-www-form-urlencoded":
            for name in {**dict(parse_qsl(valid.body)), "name": "", "reason": "", "set": "", "place": ""}:
                others = [pair for pair in parse_qsl(valid.body) if pair[0] != name]
                yield valid._replace(body=urlencode([*others, (name, HEAP)]))
        case "application/json":
            for name, value in json.loads(valid.body).items():
                held = [HEAP] * len(value) if isinstance(value, list) else HEAP
                yield valid._replace(
                    body=json.dumps({**json.loads(valid.body), name: held}, ensure_ascii=False)
                )
        case "text/plain":
            yield valid._replace(body=valid.body.replace("p1 A", f"p1 {HEAP}"))
            yield valid._replace(body=f"An, {HEAP}\nAn {HEAP}\n")
        case "multipart/form-data":
            for text in (HEAP, f"An, Bình\nAn {HEAP}\n", f"tienlen 1\nruleset southern-classic\np1 {HEAP}\n"):
                for name in ("text", "file"):
                    body, content_type = upload({name: text})
                    yield valid._replace(body=body, content_type=content_type)


def is_bounded(found: list[str]) -> bool:
    return all(texts.without_heaps(text) == text for text in found)


@pytest.mark.parametrize("route", sorted(STATUSES), ids=lambda route: " ".join(route))
def test_a_heap_of_marks_in_any_field_of_a_route_is_not_normalized(
    place: Place, route: Route, normalized: list[str]
) -> None:
    token, of_page = place.night.tokens["keeper"], route.rule.startswith("/n/")
    if route.rule.endswith("/live"):
        return  # the answer is a stream, and takes a number alone
    for one in hostile(place, route):
        answer = place.ask(one, token, cookie_of=place.night.night if of_page else "")
        assert answer.status_code < 500, one
        assert is_bounded(normalized), one


@pytest.mark.parametrize("kind", KINDS)
def test_a_heap_of_marks_in_any_text_of_an_event_is_refused(
    place: Place, kind: str, normalized: list[str]
) -> None:
    for name, field in KINDS[kind].schema.fields.items():
        if isinstance(field, TypedText):
            refused = place.night.keeper.post({"id": new_id(), "kind": kind, name: HEAP})
            assert name in refused.get_json(force=True)["fields"]
            assert is_bounded(normalized)


def test_a_heap_of_marks_in_a_cookie_is_not_normalized(place: Place, normalized: list[str]) -> None:
    rules = json.dumps([[HEAP, "southern-classic", []]], ensure_ascii=False).encode()
    name = HEAP.encode().decode("latin-1")  # as a server reads its bytes
    cookies = {"Cookie": f"tienlen-rules={urlsafe_b64encode(rules).decode()}; tienlen-name={name}"}
    client = place.app.test_client(use_cookies=False)
    assert [client.get(path, headers=cookies).status_code for path in ("/", "/phone")] == [200, 200]
    assert is_bounded(normalized)


def test_a_text_that_is_normalized_first_is_found(
    place: Place, normalized: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as planted:
        planted.setattr(texts, "without_heaps", lambda text: text)
        body, content_type = upload({"text": HEAP})
        place.app.test_client().post("/paste", data=body, content_type=content_type)
    assert not is_bounded(normalized)


def test_a_pasted_heap_is_named_by_its_line_and_the_text_stays_in_the_form(place: Place) -> None:
    body, content_type = upload({"text": f"An, Bình\nAn 3s\nBình {HEAP}\n"})
    page = place.app.test_client().post("/paste", data=body, content_type=content_type)
    assert page.status_code == 400
    assert "Bình a" in page.text
    assert "3" in page.text

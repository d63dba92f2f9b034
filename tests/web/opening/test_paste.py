"""A pasted night is scored and shown without being stored, or opened. A wrong line is named, and the text stays."""

import re
from collections.abc import Mapping
from dataclasses import replace
from html import unescape
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from ledger.game import notation
from ledger.language import LANGUAGES
from ledger.recorder import moves_file
from ledger.web import Rate, Settings, create_app
from ledger.web.pages.opening import paste
from ledger.web.recorder import recorder
from ledger.web.request_body import UPLOAD_BYTES
from tests.case_files import told
from tests.web.phones import new_night
from tests.web.routes import upload

RECORD = (Path(__file__).parents[2] / "records" / "southern-01.tln").read_text(encoding="utf-8")
NAMED = """\
tienlen 1
ruleset southern-classic
stake 1000 VND
p1 Bà Năm
p2 An

round 1 opening
Bà Năm 3s 3c
An 4s 4c
pay An Bà Năm 2 đến trễ
"""


def sent(client: FlaskClient, fields: Mapping[str, Any], language: str = "en") -> TestResponse:
    headers = {"Accept-Language": language}
    return client.post("/paste", data=dict(fields), content_type="multipart/form-data", headers=headers)


def words(response: TestResponse) -> str:
    return " ".join(unescape(re.sub("<[^>]*>", " ", response.text)).split())


def kept(response: TestResponse) -> str:
    """The text in the form."""
    *_, text = re.findall(r"<textarea[^>]*>(.*?)</textarea>", response.text, re.DOTALL)
    return unescape(text.removeprefix("\n"))


def nights(client: FlaskClient) -> int:
    with client.application.app_context():
        return len(recorder().nights())


def opener() -> dict[str, str]:
    new = new_night()
    return {"open": "yes", "id": new["id"], "secret": new["secret"]}


def test_a_night_is_scored_and_shown_and_nothing_of_it_is_kept(client: FlaskClient) -> None:
    text = RECORD.replace("ruleset southern-classic\n", "ruleset southern-classic\nstake 1000 VND\n")
    shown = sent(client, {"text": text})
    assert shown.status_code == 200
    assert "1,000" in words(shown)
    night = notation.replay(notation.read(RECORD))
    assert f"Move {len(night.rounds[0].moves)} of {len(night.rounds[0].moves)}" in words(shown)
    assert kept(shown) == text
    assert "Set-Cookie" not in shown.headers
    assert nights(client) == 0


@pytest.mark.parametrize(
    ("at", "sentence"),
    [
        ("1.0", "The beginning"),
        ("1.1", "Move 1 of 2 Bà Năm: 3♠ 3♣"),
        ("1.9", "Move 2 of 2"),
        ("9.1", "Move 1 of 2"),
    ]
    + [(at, "Move 2 of 2") for at in ("", "1", "x", "-1", "99999", "1.2.3")],
)
def test_a_replay_is_stepped_through_and_names_stand_for_tags(
    client: FlaskClient, at: str, sentence: str
) -> None:
    assert sentence in words(sent(client, {"text": NAMED, "at": at}))


def test_a_file_is_taken_before_what_was_typed_and_may_be_json_lines(client: FlaskClient) -> None:
    lines = moves_file.write(notation.replay(notation.read(NAMED)))
    for text in (NAMED, lines):
        shown = sent(client, {"text": "nothing", "file": (BytesIO(text.encode()), "night.txt")})
        assert shown.status_code == 200
        assert kept(shown) == text
        assert kept(sent(client, {"text": text.replace("\n", "\r\n"), "file": (BytesIO(b""), "")})) == text


TAGGED = "tienlen 1\nruleset southern-classic\np1 An\np2 Bình\nround 1\np1 3s\np2 4s\n"
WRONG = [
    (400, 1, "hello", "hello"),
    (400, 9, "An 4x", NAMED.replace("An 4s 4c", "An 4x")),
    (400, 10, "pay An Em 2 đến trễ", NAMED.replace("An Bà Năm", "An Em")),
    (422, 9, "An 3s", NAMED.replace("An 4s 4c", "An 3s")),
    (422, 8, "= p1 p2 1 placement", f"{TAGGED}= p1 p2 1 placement"),
    (400, 4, "p2 A\u202en", TAGGED.replace("Bình", "A\u202en")),
    (400, 4, "p2 An", TAGGED.replace("Bình", "An")),
    (400, 8, "void " + "x" * 195, f"{TAGGED}void {'x' * 201}"),
    (400, 8, "pay p1 p2 1 \u200b", f"{TAGGED}pay p1 p2 1 \u200b"),
    (400, 2, '{"kind":"round"}', '{"kind":"night","ruleset":"core","players":["An","Em"]}\n{"kind":"round"}'),
]


@pytest.mark.parametrize(("status", "line", "stands", "text"), WRONG)
def test_a_wrong_line_is_named_with_what_stands_there_and_nothing_is_opened(
    client: FlaskClient, status: int, line: int, stands: str, text: str
) -> None:
    refused = sent(client, {"text": text, **opener()})
    assert refused.status_code == status, words(refused)
    assert f"Line {line} : {stands}" in words(refused)
    assert kept(refused) == text
    assert nights(client) == 0


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_example_can_be_sent_as_it_is(client: FlaskClient, language: str) -> None:
    page = client.get("/paste", headers={"Accept-Language": language})
    example, form = (
        unescape(re.findall(pattern, page.text, re.DOTALL)[0].removeprefix("\n"))
        for pattern in (r"<pre>(.*?)</pre>", r"<textarea[^>]*>(.*?)</textarea>")
    )
    assert example == form
    shown = sent(client, {"text": example}, language)
    assert shown.status_code == 200, words(shown)
    assert kept(shown) == example


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("typed", [typed for typed, _ in told("typed.txt", "not understood")])
def test_what_is_not_understood_is_answered_with_lines_that_would_be(
    client: FlaskClient, typed: str, language: str
) -> None:
    lines = ["An, Bình, Chi, Dũng", *typed.split(" / ")]
    answer = sent(client, {"text": "\n".join(lines)}, language)
    assert answer.status_code == 400
    assert kept(answer).split("\n") == lines
    examples = re.findall("<li><code>(.*?)</code>", answer.text)
    assert examples
    for example in examples:
        again = sent(client, {"text": "\n".join([*lines[:-1], unescape(example)])}, language)
        assert again.status_code in (200, 422), (example, words(again))


def test_a_night_is_opened_once_for_whoever_goes_on_with_it(client: FlaskClient) -> None:
    asked = {"text": NAMED, **opener()}
    table = f"/n/{asked['id']}"
    for _ in range(2):
        opened = sent(client, asked)
        assert (opened.status_code, opened.location) == (303, table)
        assert client.get(table).status_code == 200
        assert nights(client) == 1
    with client.application.app_context(), recorder().night(asked["id"]) as snapshot:
        assert notation.write(snapshot.whole()) == notation.write(
            replace(notation.replay(notation.read(NAMED)), terms=snapshot.terms)
        )
    stranger = client.application.test_client()
    assert sent(stranger, {**asked, "secret": new_night()["secret"]}).status_code == 409
    assert stranger.get(table).status_code == 401


@pytest.mark.usefixtures("settings")
@pytest.mark.parametrize("changes", [{"id": "x"}, {"secret": "x"}, {"id": None}])
def test_whoever_opens_brings_an_id_and_a_secret(client: FlaskClient, changes: dict[str, str | None]) -> None:
    asked = {
        name: value for name, value in ({"text": NAMED} | opener() | changes).items() if value is not None
    }
    assert sent(client, asked).status_code == 400
    assert nights(client) == 0


@pytest.mark.usefixtures("settings")
def test_a_night_of_too_many_entries_is_shown_and_not_opened(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paste, "MOST_AT_ONCE", 3)
    shown = sent(client, {"text": NAMED, **opener()})
    assert shown.status_code == 200
    assert "Longer than 3 entries" in words(shown)
    assert nights(client) == 0


def test_a_long_night_counts_as_several_that_are_opened(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paste, "ENTRIES_A_NIGHT", 2)
    client = create_app(replace(settings, new_nights=Rate(4, seconds=3600))).test_client()
    statuses = [sent(client, {"text": NAMED, **opener()}).status_code for _ in range(2)]
    assert statuses == [303, 429]
    assert nights(client) == 1


def test_an_upload_is_bounded_and_is_a_form(app: Flask, client: FlaskClient) -> None:
    body, kind = upload({"text": NAMED})
    several, _ = upload({f"x{number}": "" for number in range(20)})
    asked = [
        (200, body, kind),
        (415, "text=x", "application/x-www-form-urlencoded"),
        (400, body, "multipart/form-data"),
        (400, body[:-20], kind),
        (400, body.replace("--next--", "") + body, kind),
        (400, several, kind),
        (400, body.replace('name="text"', 'name="file"; filename="x"').encode("latin-1", "replace"), kind),
        (413, body + " " * UPLOAD_BYTES, kind),
    ]
    assert [(client.post("/paste", data=data, content_type=kind).status_code) for _, data, kind in asked] == [
        status for status, *_ in asked
    ]

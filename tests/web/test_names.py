"""Players' names are arbitrary text: which names are refused, and that everything else handles the rest."""

import csv
import io
import json
from collections.abc import Iterator

import pytest
from flask import Flask

from ledger.game.notation import read
from ledger.recorder.exports import Format
from ledger.recorder.names import NAME_CHARACTERS, all_differ, clean, skeleton
from tests.case_files import columns
from tests.nights import new_id
from tests.web.asking import Place
from tests.web.browsing import Page, send
from tests.web.phones import NIGHTS, Table, answered, new_night, open_table
from tests.web.routes import FORM, STATUSES, asked

REFUSED = {what: json.loads(name) for what, name in columns("names.txt", "names that are not what they show")}
REFUSED["too long"] = "x" * (NAME_CHARACTERS + 1)


@pytest.mark.parametrize("name", REFUSED.values(), ids=REFUSED)
def test_a_name_that_is_not_what_it_shows_is_refused_at_every_door(place: Place, name: str) -> None:
    client = place.app.test_client()
    opened = client.post(NIGHTS, json=new_night(players=["Chi", name]))
    assert (opened.status_code, list(answered(opened)["fields"])) == (400, ["players.1"])
    before = place.written()
    events = [{"kind": "join", "name": name}, {"kind": "rename", "player": "p2", "name": name}]
    for event in events:
        refused = place.night.keeper.post({"id": new_id(), **event})
        assert (refused.status_code, list(answered(refused)["fields"])) == (400, ["name"])
    client.post(f"/t/{place.night.tokens['keeper']}")
    form = {"kind": "join", "id": new_id(), "name": name}
    page = client.post(f"/n/{place.night.night}/links", data=form, content_type=FORM)
    assert page.status_code == 400
    assert place.written() == before


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        *(
            (json.loads(typed), json.loads(kept))
            for typed, kept in columns("names.txt", "names as typed and as kept")
        ),
        ("x" * NAME_CHARACTERS, "x" * NAME_CHARACTERS),
        ("e\u0301" * NAME_CHARACTERS, "é" * NAME_CHARACTERS),
    ],
)
def test_a_name_is_composed_once_at_the_door(typed: str, kept: str) -> None:
    assert clean(typed, NAME_CHARACTERS) == kept
    assert clean(kept, NAME_CHARACTERS) == kept


# Names that look alike


@pytest.mark.parametrize(
    "double",
    [
        "Аn",  # Cyrillic
        "Αn",  # Greek
        "Ａｎ",
        "A\u200dn",
        "An\ufe0f",
        "𝐀𝐧",
    ],
)
def test_two_names_of_a_night_do_not_look_the_same(place: Place, double: str) -> None:
    opened = place.app.test_client().post(NIGHTS, json=new_night(players=["An", "Chi", double]))
    assert (opened.status_code, answered(opened)["fields"]) == (400, {"players": ["names that differ"]})
    for event in ({"kind": "join"}, {"kind": "rename", "player": "p2"}):
        answer = place.night.keeper.post({"id": new_id(), **event, "name": double})
        assert (answer.status_code, answered(answer)["code"]) == (409, "name-taken")


@pytest.mark.parametrize(("one", "other"), columns("names.txt", "names that look the same"))
def test_what_looks_the_same_is_the_same(one: str, other: str) -> None:
    assert skeleton(json.loads(one)) == skeleton(json.loads(other))


@pytest.mark.parametrize(
    "names",
    [
        ["An", "Ân", "Ăn", "Án", "Ạn", "an"],
        ["Dũng", "Đũng", "Dung", "Dùng"],
        ["Bình 2", "Bình 3"],
        ["p1", "P2", "p10"],
        ["Mẹ", "Me", "Mẻ"],
    ],
)
def test_marks_and_capitals_tell_names_apart(names: list[str]) -> None:
    assert all_differ(names) == (names[0] != "p1")
    assert all_differ(names[:2])


@pytest.mark.parametrize("name", ["p1", "pl", "рI"])
def test_nobody_goes_by_the_tag_of_another(place: Place, name: str) -> None:
    """An erased name is printed as its tag, and this name would look the same."""
    opened = place.app.test_client().post(NIGHTS, json=new_night(players=["An", name]))
    assert opened.status_code == 400
    answer = place.night.keeper.post({"id": new_id(), "kind": "rename", "player": "p2", "name": name})
    assert (answer.status_code, answered(answer)["code"]) == (409, "name-taken")


# Accepted names

HOSTILE = [
    "<x-evil>",
    "</script><x-evil>",
    '"><x-evil a="',
    "' onclick='x-evil",
    "&ltx-evil&gt",
    "{{ 7*7 }}{% x %}",
    "=1+1",
    "+1",
    "-1 @SUM(A1)",
    "@A1",
    "p5 3s (x) :y |z, \\n",
    "A" * NAME_CHARACTERS,
]


@pytest.fixture(scope="module")
def hostile(place: Place) -> Table:
    """A night with such names, a settled round, a dispute, a note and an adjustment."""
    table = open_table(place.app.test_client(), players=HOSTILE, stake={"amount": "1000", "currency": "VND"})
    keeper = table.keeper
    declared = "p2 declares none \n p3 declares none \n p4 declares none"
    keeper.tell(f"round opening p1 p2 p3 p4 \n result p1 p2 p3 p4 \n {declared} \n settle")
    table.seat("p4").record("dispute", round=1, payment={"seq": 6, "idx": 0}, reason="<x-evil>")
    for payee in range(5, 13):
        keeper.record("adjust", payer="p1", payee=f"p{payee}", points=1, reason='=x"><x-evil>')
    keeper.record("note", note="deals p2")
    keeper.record("round", leader="p1", seats=["p1", "p2", "p3", "p4"])
    keeper.record("play", seat="p1", cards=["3s"])
    return table


def pages(app: Flask, night: Table) -> Iterator[Page]:
    """Every page of a night, and of a group with it, as the keeper sees them."""
    client = night.phone("keeper")
    season = send(client, f"/n/{night.night}/group", [("id", new_id()), ("name", "<x-evil>")])
    (of_group, *_) = (given["value"] for tag, given in season.elements if "readonly" in given)
    yield season
    for route in STATUSES:
        if route.method == "GET" and (route.rule.startswith(("/n/", "/t/")) or route.rule == "/"):
            token = of_group.rpartition("/")[2] if "/g/" in route.rule else night.tokens["keeper"]
            one = asked(app, route, night, token=token)
            path = one.path.replace("/payments/7.0", "/payments/6.0").replace("/disputes/8", "/disputes/7")
            response = client.get(path.replace("/rounds/2/", "/rounds/1/"), query_string=one.query)
            if response.mimetype == "text/html":
                yield Page(client, response)


def test_no_page_takes_a_name_for_anything_but_a_name(place: Place, hostile: Table) -> None:
    met = 0
    for page in pages(place.app, hostile):
        assert page.status in (200, 302), (page.path, page.text)
        assert not any(tag == "x-evil" for tag, _ in page.elements), page.path
        assert not any("onclick" in given or "a" in given for _, given in page.elements), page.path
        texts = [page.text, *(value for _, given in page.elements for value in given.values())]
        assert any("{{ 7*7 }}" in each for each in texts) or HOSTILE[5] not in page.response.text
        met += "<x-evil>" in page.text
    assert met >= 15


def test_files_say_the_names_as_they_are_and_no_program_takes_them_for_its_own(
    place: Place, hostile: Table
) -> None:
    client = hostile.phone("keeper")
    files = {format: client.get(f"/n/{hostile.night}/export/{format}") for format in Format}
    assert {answer.status_code for answer in files.values()} == {200}
    assert list(read(files[Format.TLN].text).names) == HOSTILE
    for format in (Format.CSV, Format.TOTALS):
        for row in csv.reader(io.StringIO(files[format].text.removeprefix("\ufeff"))):
            for cell in row:
                assert not cell.startswith(("=", "+", "@", "\t")), cell
                assert not cell.startswith("-") or cell[1:].isdigit(), cell
    for name in HOSTILE:
        assert name in files[Format.SHARE].text
    assert answered(files[Format.JSON])["players"] == HOSTILE

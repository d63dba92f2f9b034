"""Opening a night, its board and its links."""

import json

import pytest
from flask.testing import FlaskClient

from ledger.web.api.answers import Opened
from tests.case_files import columns
from tests.web.phones import NIGHTS, Phone, Table, answered, assert_worded, new_night


def test_a_night_is_opened_with_its_links(client: FlaskClient) -> None:
    request = new_night(stake={"amount": "1000", "currency": "VND"})
    response = client.post(NIGHTS, json=request)
    assert response.status_code == 201
    opened = answered(response)
    assert Opened().validate(opened) == {}
    assert (opened["id"], opened["seq"]) == (request["id"], 0)
    assert list(opened["tokens"]["seats"]) == ["p1", "p2", "p3", "p4"]
    assert opened["links"]["keeper"] == f"http://localhost/t/{opened['tokens']['keeper']}"
    assert opened["links"]["seats"]["p2"] == f"http://localhost/t/{opened['tokens']['seats']['p2']}"


def test_an_upper_case_id_is_the_same_id(client: FlaskClient) -> None:
    request = new_night()
    client.post(NIGHTS, json=request)
    again = client.post(NIGHTS, json=request | {"id": request["id"].upper()})
    assert (again.status_code, answered(again)["id"]) == (200, request["id"])


@pytest.mark.parametrize(("changes", "fields"), columns("requests.txt", "new nights with something wrong"))
def test_what_is_wrong_with_a_new_night_is_listed(idle: Phone, changes: str, fields: str) -> None:
    response = idle.client.post(NIGHTS, json=new_night(**json.loads(changes)))
    problem = answered(response)
    assert (response.status_code, problem["code"]) == (400, "unreadable")
    assert set(problem["fields"]) == set(fields.split())
    assert_worded(problem)


def test_missing_fields_are_listed(client: FlaskClient) -> None:
    problem = answered(client.post(NIGHTS, json={}))
    assert problem["fields"] == {name: ["missing"] for name in ("id", "secret", "ruleset", "players")}


def test_a_board_that_has_not_changed_is_not_sent_again(keeper: Phone) -> None:
    first = keeper.get()
    again = keeper.get(**{"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    assert again.headers["ETag"] == first.headers["ETag"]
    keeper.record("round", opening=True)
    for tag in (first.headers["ETag"], 'W/"x"', '"' + "x" * 4000 + '"', "nonsense", ""):
        assert keeper.get(**{"If-None-Match": tag}).status_code == 200


def test_a_tag_depends_on_language_and_role(table: Table) -> None:
    phones = [table.keeper, table.watch, table.seat("p1"), table.seat("p2")]
    tags = {
        phone.get(**{"Accept-Language": language}).headers["ETag"]
        for phone in phones
        for language in ("vi", "en")
    }
    assert len(tags) == 8
    vary = table.keeper.get().headers["Vary"]
    assert {"Accept-Language", "Authorization", "Cookie"} <= {name.strip() for name in vary.split(",")}

"""Opening a night, its board and its links."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from ledger.web.api.answers import Board, Opened
from tests.web.phones import (
    NAMES,
    NIGHTS,
    Phone,
    Table,
    answered,
    assert_worded,
    new_night,
    open_table,
    play_a_round,
)


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


def test_the_same_request_again_opens_the_same_night(client: FlaskClient) -> None:
    request = new_night()
    first, second = client.post(NIGHTS, json=request), client.post(NIGHTS, json=request)
    assert (first.status_code, second.status_code) == (201, 200)
    assert first.get_json() == second.get_json()


def test_an_upper_case_id_is_the_same_id(client: FlaskClient) -> None:
    request = new_night()
    client.post(NIGHTS, json=request)
    again = client.post(NIGHTS, json=request | {"id": request["id"].upper()})
    assert (again.status_code, answered(again)["id"]) == (200, request["id"])


@pytest.mark.parametrize(
    "changes",
    [
        {"players": ["An", "Bình", "Chi", "Em"]},
        {"players": NAMES[:3]},
        {"ruleset": "southern-winner-takes-all"},
        {"rules": {"passing.locks": "no"}},
        {"stake": {"amount": "500", "currency": "VND"}},
    ],
)
def test_an_id_is_not_reused_for_another_night(client: FlaskClient, changes: dict[str, Any]) -> None:
    request = new_night()
    client.post(NIGHTS, json=request)
    response = client.post(NIGHTS, json=request | changes)
    assert (response.status_code, answered(response)["code"]) == (422, "id-reused")


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("Bình", "Bình"),
        ("  An   Nhiên ", "An Nhiên"),
        ("x" * 64, "x" * 64),
        ("👩‍👩‍👧", "👩‍👩‍👧"),
        ("<b>An</b>", "<b>An</b>"),
        ("O'Neil & Söhne", "O'Neil & Söhne"),
    ],
)
def test_a_name_is_kept_composed_and_without_spare_spaces(client: FlaskClient, sent: str, kept: str) -> None:
    board = open_table(client, players=[sent, "Chi"]).keeper.board()
    assert board["players"][0] == {"player": "p1", "name": kept}


@pytest.mark.parametrize(
    "name",
    ["", "   ", "x" * 65, "An;Bo", "An\x00", "A\nn", "A\u202en", "A\u2066n", "\u200b", "A\u2028n", 7, None],
)
def test_a_name_that_cannot_be_seen_or_written_is_refused(client: FlaskClient, name: object) -> None:
    response = client.post(NIGHTS, json=new_night(players=["Chi", name]))
    assert response.status_code == 400
    assert list(answered(response)["fields"]) == ["players.1"]


@pytest.mark.parametrize(
    ("changes", "fields"),
    [
        ({"id": "1"}, {"id"}),
        ({"id": "{00000000-0000-0000-0000-000000000001}"}, {"id"}),
        ({"ruleset": "western"}, {"ruleset"}),
        ({"ruleset": "../../x"}, {"ruleset"}),
        ({"rules": {"passing.wings": "no"}}, {"rules.passing.wings"}),
        ({"rules": {"passing.locks": "maybe"}}, {"rules.passing.locks"}),
        ({"rules": ["passing.locks=no"]}, {"rules"}),
        ({"players": ["An"]}, {"players"}),
        ({"players": [f"P{number}" for number in range(13)]}, {"players"}),
        ({"players": ["An", " An "]}, {"players"}),
        ({"players": ["Bình", "Bình"]}, {"players"}),
        ({"players": "An, Chi"}, {"players"}),
        ({"stake": {"amount": 1000, "currency": "VND"}}, {"stake.amount"}),
        ({"stake": {"amount": "0.00", "currency": "VND"}}, {"stake.amount"}),
        ({"stake": {"amount": "-5", "currency": "VND"}}, {"stake.amount"}),
        ({"stake": {"amount": "5", "currency": "dong"}}, {"stake.currency"}),
        ({"stake": {"amount": "5"}}, {"stake.currency"}),
        ({"stake": "1000 VND"}, {"stake"}),
        ({"zone": "Asia/Ho_Chi_Minh"}, {"zone"}),
        ({"zone": "+07:60"}, {"zone"}),
        ({"zone": "+15:00"}, {"zone"}),
        ({"zone": "07:00"}, {"zone"}),
        ({"zone": 7}, {"zone"}),
        ({"host": "me", "keeper": True}, {"host", "keeper"}),
    ],
)
def test_what_is_wrong_with_a_new_night_is_listed(
    client: FlaskClient, changes: dict[str, Any], fields: set[str]
) -> None:
    response = client.post(NIGHTS, json=new_night(**changes))
    problem = answered(response)
    assert (response.status_code, problem["code"]) == (400, "unreadable")
    assert set(problem["fields"]) == fields
    assert_worded(problem)


def test_missing_fields_are_listed(client: FlaskClient) -> None:
    problem = answered(client.post(NIGHTS, json={}))
    assert problem["fields"] == {name: ["missing"] for name in ("id", "secret", "ruleset", "players")}


def test_house_rules_and_stake_are_on_the_board(client: FlaskClient) -> None:
    stake = {"amount": "0.50", "currency": "EUR"}
    board = open_table(client, rules={"passing.locks": "no"}, stake=stake).keeper.board()
    assert board["ruleset"] == {"id": "southern-classic", "rules": [["passing.locks", "no"]]}
    assert board["stake"] == stake


def test_a_board_is_as_the_interface_describes_it(table: Table) -> None:
    keeper = table.keeper
    assert Board().validate(keeper.board()) == {}
    play_a_round(keeper)
    board = keeper.board()
    assert Board().validate(board) == {}
    assert board["round"]["seen"]["2s"] == 5
    assert board["next"] == {"opening": False, "leader": "p1", "seats": ["p1", "p2", "p3", "p4"]}


@pytest.mark.parametrize(("phone", "role"), [("keeper", "keeper"), ("watch", "watch")])
def test_a_board_says_for_whom_it_is(table: Table, phone: str, role: str) -> None:
    assert getattr(table, phone).board()["role"] == role
    assert table.seat("p3").board()["role"] == "p3"


def test_a_board_that_has_not_changed_is_not_sent_again(keeper: Phone) -> None:
    first = keeper.get()
    again = keeper.get(**{"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    assert again.headers["ETag"] == first.headers["ETag"]
    keeper.record("round", opening=True)
    assert keeper.get(**{"If-None-Match": first.headers["ETag"]}).status_code == 200


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


@pytest.mark.parametrize("tag", ["*", 'W/"x"', '"' + "x" * 4000 + '"', "nonsense", ""])
def test_any_tag_is_answered(keeper: Phone, tag: str) -> None:
    assert keeper.get(**{"If-None-Match": tag}).status_code in (200, 304)

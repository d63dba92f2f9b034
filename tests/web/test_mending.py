"""Correcting a move on the table: what the page shows, what it records, and where it does not lead."""

import json

import pytest
from flask.testing import FlaskClient

from tests.web.browsing import Page, send, visit
from tests.web.phones import Table, held, new_id


@pytest.fixture
def table(client: FlaskClient) -> Table:
    """An played 3♠, Bình 5♣, Chi passed."""
    table = held(client)
    table.keeper.tell("round opening \n p1 3s \n p2 5c \n p3 -")
    return table


def mend(client: FlaskClient, table: Table, query: str) -> Page:
    return visit(client, f"/n/{table.night}/rounds/1/mend?{query}", "vi")


def corrections(table: Table) -> list[tuple[str, object]]:
    bodies = [
        json.loads(event["body"])["content"] for event in table.keeper.log() if event["kind"] == "correct"
    ]
    return [(body["reason"], body["changes"]) for body in bodies]


def test_the_move_is_chosen_and_what_others_showed_cannot_be(client: FlaskClient, table: Table) -> None:
    page = mend(client, table, "move=2")
    assert (page.chosen("seat"), page.chosen("cards")) == (["p2"], ["5c"])
    closed = {
        one.value for form in page.forms for one in form.controls if one.name == "cards" and one.disabled
    }
    assert closed == {"3s"}
    page = mend(client, table, "move=2&how=before")
    assert (page.chosen("seat"), page.chosen("cards")) == ([], [])
    assert mend(client, table, "move=2&swap=5c+5h").chosen("cards") == ["5h"]


@pytest.mark.parametrize(
    ("button", "reason"), [("tapped", "bấm nhầm"), ("suit", "nhầm chất"), ("seat", "nhầm người")]
)
def test_a_tap_records_the_correction_and_its_reason(
    client: FlaskClient, table: Table, button: str, reason: str
) -> None:
    page = mend(client, table, "move=2").press(button, cards="5h")
    assert page.path == f"/n/{table.night}"
    assert corrections(table) == [
        (reason, [{"target": "3.0", "with": {"kind": "play", "seat": "p2", "cards": ["5h"]}}])
    ]


def test_a_move_is_struck_or_becomes_a_pass(client: FlaskClient, table: Table) -> None:
    assert mend(client, table, "move=3").press("never").path == f"/n/{table.night}"
    mend(client, table, "move=2").press("tapped", cards=[])
    assert corrections(table) == [
        ("ghi dư", [{"target": "4.0", "with": None}]),
        ("bấm nhầm", [{"target": "3.0", "with": {"kind": "pass", "seat": "p2"}}]),
    ]


def test_a_forgotten_move_is_put_in(client: FlaskClient, table: Table) -> None:
    mend(client, table, "move=2").press("never")  # now Chi passed after An
    page = mend(client, table, "move=2&how=before").press("forgotten", seat="p2", cards="7d")
    assert page.path == f"/n/{table.night}"
    assert corrections(table)[-1] == (
        "ghi thiếu",
        [{"before": "4.0", "with": {"kind": "play", "seat": "p2", "cards": ["7d"]}}],
    )


def test_what_the_rules_refuse_stays_chosen_and_leads_on(client: FlaskClient, table: Table) -> None:
    page = mend(client, table, "move=2").press("tapped", cards=["5h", "6h"])
    assert page.status == 422
    assert page.chosen("cards") == ["5h", "6h"]
    assert any("/correct?" in link for link in page.links)
    assert corrections(table) == []


def test_somebody_has_to_have_played_it(client: FlaskClient, table: Table) -> None:
    page = mend(client, table, "move=2&how=before").press("forgotten", cards="7d")
    assert page.status == 422
    assert "Chưa chọn người" in page.text


def test_what_was_forgotten_is_found_from_the_table_where_it_belongs(
    client: FlaskClient, table: Table
) -> None:
    at_table = visit(client, f"/n/{table.night}", "vi")
    assert f"/n/{table.night}/rounds/1/mend" in at_table.links
    page = mend(client, table, "")
    leads = [link.partition("?")[2] for link in page.links if "mend?" in link]
    assert leads == ["target=4.0", "target=3.0&how=before", "target=2.0&how=before"]
    assert mend(client, table, leads[0]).press("tapped", cards=["8d"]).path == f"/n/{table.night}"
    assert corrections(table) == [
        ("bấm nhầm", [{"target": "4.0", "with": {"kind": "play", "seat": "p3", "cards": ["8d"]}}])
    ]


@pytest.mark.parametrize("query", ["move=9", "move=x", "target=1.0", "target=x", "move=2&move=3"])
def test_a_move_that_is_not_there_is_not_found(client: FlaskClient, table: Table, query: str) -> None:
    assert mend(client, table, query).status in (400, 404)


def test_what_is_no_move_or_is_settled_is_corrected_with_all_its_fields(client: FlaskClient) -> None:
    table = held(client)
    table.keeper.tell("round opening \n result p1 p2 p3 p4")
    assert mend(client, table, "move=1").path.endswith("/correct")


@pytest.mark.parametrize("fields", [[], [("kind", "x")], [("kind", "suit"), ("seat", "p1")]])
def test_a_form_that_is_not_whole_is_refused(
    client: FlaskClient, table: Table, fields: list[tuple[str, str]]
) -> None:
    where = f"/n/{table.night}/rounds/1/mend"
    assert send(client, where, [("id", new_id()), *fields]).status in (400, 404)
    assert corrections(table) == []

"""The list of all rounds on a page, and searching it."""

from urllib.parse import urlencode

import pytest
from flask.testing import FlaskClient

from ledger.language import speaker
from tests.stories import A_NIGHT
from tests.web.browsing import Page, visit
from tests.web.phones import NAMES, Table, held


@pytest.fixture
def night(client: FlaskClient) -> Table:
    """Five rounds that ended in different ways; the watchers' link is open."""
    table = held(client, "watch")
    table.keeper.tell(A_NIGHT)
    return table


def look(client: FlaskClient, night: Table, language: str = "vi", **asked: str) -> Page:
    return visit(client, f"/n/{night.night}/rounds?{urlencode(asked)}", language)


def test_the_form_asks_what_the_address_says(client: FlaskClient, night: Table) -> None:
    asked = {"player": "p2", "heading": "bombs", "bomber": "p3", "bombed": "p2"}
    page = look(client, night, **asked)
    (form,) = (form for form in page.forms if form.action.endswith("/rounds"))
    assert dict(form.filled({})) == asked
    assert f"/n/{night.night}/rounds" in page.links
    untouched = look(client, night)
    (form,) = (form for form in untouched.forms if form.action.endswith("/rounds"))
    assert dict(form.filled({})) == {}
    offered = [control.value for control in form.controls if control.name == "heading"]
    assert offered == ["", "places", "bombs", "hoarding", "instant-wins"]


def test_what_cannot_be_looked_for_is_said(client: FlaskClient) -> None:
    table = held(client, "watch")
    for query, field, expected in (
        ("player=p5", "player", "a player of this night"),
        ("bombed=p12", "bombed", "a player of this night"),
        ("bomber=p13", "bomber", "a player (p1 to p12)"),
        ("player=An", "player", "a player (p1 to p12)"),
        ("heading=adjustments", "heading", "a kind of payment"),
        ("player=p1&player=p2", "player", "once"),
        ("player=%00", "player", "a player (p1 to p12)"),
    ):
        page = visit(client, f"/n/{table.night}/rounds?{query}", "vi")
        assert page.status == 400
        assert f"{field}: {speaker('vi').expected(expected)}" in page.text, query


def test_before_the_first_round_there_is_nothing_to_look_for(client: FlaskClient) -> None:
    table = held(client, "watch", players=NAMES)
    page = look(client, table)
    assert "Ván đầu chưa bắt đầu." in page.text
    assert "Chặt ai" not in page.text
    assert "Không có ván nào như vậy." in look(client, table, player="p1").text

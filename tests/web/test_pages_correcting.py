"""Correcting a round from its page: choices are carried along, previewed, and only then recorded."""

import pytest
from flask.testing import FlaskClient

from tests.web.browsing import Page, send, visit
from tests.web.phones import Table, cards, open_table, settle_a_round, take

REST = "3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac"
ENTRIES = ["1.0", "2.0", "3.0", "3.1", "3.2", "3.3", "4.0", "5.0", "6.0"]


@pytest.fixture
def table(client: FlaskClient) -> Table:
    """A settled round: p1 opened with twelve cards (2.0), then went out (3.3); the others declared (4.0 to 6.0)."""
    table = open_table(client)
    settle_a_round(table.keeper)
    take(client, table, "keeper")
    return table


def form(table: Table, target: str = "") -> Page:
    return visit(table.client, f"/n/{table.night}/rounds/1/correct?target={target}", "en")


def test_the_form_offers_every_entry_and_shows_the_chosen_one(table: Table) -> None:
    page = form(table, "2.0")
    (select,) = [one for one in page.forms if one.action.endswith("/correct")]
    assert [c.value for c in select.controls if c.name == "target"] == ["", *ENTRIES]
    assert page.chosen("target") == ["2.0"]
    assert (page.chosen("seat"), page.chosen("entry")) == (["p1"], ["play"])
    assert page.chosen("cards") == cards("3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks As")


def test_a_correction_is_looked_at_and_then_recorded(table: Table) -> None:
    before = table.keeper.log()
    chosen: dict[str, str | list[str]] = {
        "entry": "show",
        "cards": cards(REST + " 3d"),
        "reason": "Bình đã ngửa bài",
    }
    page = form(table, "4.0").press("look", name="act", **chosen)
    assert (page.status, table.keeper.log()) == (200, before)
    assert "Bình đã ngửa bài" in page.text
    assert "Không khoản nào đổi." in page.text
    page = page.press("record", name="act")
    assert page.path.endswith("/rounds/1")
    assert "do sửa" in page.text
    assert table.keeper.board()["round"]["hands"]["p2"]["source"] == "shown"


def test_what_is_in_the_way_is_corrected_in_the_same_go(table: Table) -> None:
    page = form(table, "5.0").press("look", name="act", cards=["2d"], reason="nhầm heo")
    page = page.press("edit 6.0", name="act")
    assert (page.chosen("target"), page.chosen("reason")) == (["6.0"], ["nhầm heo"])
    page = page.press("look", name="act", cards=["2c", "2h"])
    assert page.status == 200, page.text
    assert "Không khoản nào đổi." not in page.text
    page.press("record", name="act")
    sets = {row["player"]: row["sets"] for row in table.keeper.board()["round"]["moves"]}
    assert (sets["p3"], sets["p4"]) == ([["2d"]], [["2c"], ["2h"]])


def test_a_forgotten_move_is_put_in_and_what_it_is_in_the_way_of_corrected(table: Table) -> None:
    forgotten: dict[str, str | list[str]] = {"how": "before", "entry": "play", "seat": "p1", "cards": ["2s"]}
    page = form(table, "3.3").press("look", name="act", reason="quên", **forgotten)
    assert page.status == 422
    page = page.press("edit 3.3", name="act")
    assert len(page.chosen("change")) == 1
    assert page.chosen("how") == ["replace"]


def test_nothing_is_kept_that_is_not_whole(table: Table) -> None:
    page = form(table, "5.0").press("look", name="act", cards=["2d"], reason="nhầm heo")
    page = page.press("edit 6.0", name="act", entry="show", cards=[])
    assert page.status == 422
    assert (page.chosen("target"), page.chosen("reason")) == (["5.0"], ["nhầm heo"])


def form_with(page: Page, target: str) -> Page:
    """The same form with another entry chosen."""
    return page.press("edit", name="act", target=target)


def test_choosing_another_entry_shows_that_one_before_anything_is_changed(table: Table) -> None:
    page = form(table, "2.0").press("look", name="act", target="3.3", reason="nhầm")
    assert page.chosen("target") == page.chosen("shown") == ["3.3"]
    assert page.chosen("cards") == ["2s"]


def test_changes_are_carried_along_and_left_out_again(table: Table) -> None:
    page = form(table, "4.0").press("more", name="act", entry="show", cards=cards(REST + " 3d"))
    assert len(page.chosen("change")) == 1
    page = form_with(page, "6.0").press("more", name="act", cards=["2h"])
    assert len(page.chosen("change")) == 2
    page = page.press("drop 1", name="act")
    assert len(page.chosen("change")) == 1
    assert '"target": "6.0"' in page.chosen("change")[0]


def test_a_correction_without_a_reason_is_asked_for_one_and_nothing_is_lost(table: Table) -> None:
    page = form(table, "5.0").press("look", name="act", cards=["2h"])
    assert page.status == 422
    assert page.chosen("cards") == ["2h"]


def test_a_beginning_is_corrected_with_its_seats(table: Table) -> None:
    page = form(table, "1.0")
    assert page.chosen("seats") == ["p1", "p2", "p3", "p4"]
    page = page.press("look", name="act", leader="p1", reason="ván giữa buổi")
    assert page.press("record", name="act").path.endswith("/rounds/1")
    assert table.keeper.board()["round"]["leader"] == "p1"


def test_changes_that_this_page_did_not_write_are_refused(table: Table) -> None:
    action, fields = form(table, "5.0").body("look", name="act", cards=["2h"], reason="nhầm")
    for change in ("{", "[]", '{"target": "1.0"}', '"x"', "null"):
        page = send(table.client, action, [*fields, ("change", change)])
        assert page.status == 400, change


def test_what_stands_against_voiding_is_said_beside_the_reason_that_was_typed(table: Table) -> None:
    page, other = (visit(table.client, f"/n/{table.night}/rounds/1") for _ in range(2))
    other.press("void", reason="bỏ dở")
    refused = page.press("void", reason="chia nhầm bài")
    assert refused.status == 409
    assert 'role="alert"' in refused.response.text
    assert refused.chosen("reason") == ["chia nhầm bài"]
    assert refused.press("void", reason="chia nhầm bài").status in (409, 422)
    assert refused.press("en", name="language").path == f"/n/{table.night}/rounds/1"
    assert [event["kind"] for event in table.keeper.log()].count("void") == 1

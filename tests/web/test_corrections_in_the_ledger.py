"""The ledger and the list of rounds of a night in which something was corrected, voided and paid by hand."""

import re

import pytest
from flask.testing import FlaskClient

from tests.factories import NamedNightFactory
from tests.web.browsing import Page, send, visit
from tests.web.phones import Table, cards, open_table, settle_a_round

REASON, VOIDED, BY_HAND = "heo chuồn của Bình", "chia nhầm", "đến muộn"


@pytest.fixture
def night(client: FlaskClient) -> Table:
    """Two rounds: in the first it was p2, and not p3, who kept the 2♣ (1 point); the second does not count."""
    table = open_table(client, **NamedNightFactory())
    send(client, f"/t/{table.tokens['keeper']}", [])
    keeper = table.keeper
    settle_a_round(keeper)
    changes = [
        {"target": "4.0", "with": {"kind": "declare", "seat": "p2", "sets": [["2c"]]}},
        {"target": "5.0", "with": {"kind": "declare", "seat": "p3", "sets": []}},
    ]
    keeper.record("correct", changes=changes, reason=REASON)
    keeper.record("round", leader="p1")
    keeper.record("play", seat="p1", cards=cards("3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks As"))
    keeper.record("play", seat="p1", cards=["2s"])
    for seat, sets in (("p2", []), ("p3", []), ("p4", [["2c"], ["2d"], ["2h"]])):
        keeper.record("declare", seat=seat, sets=sets)
    keeper.record("settle")
    keeper.record("void", round=2, reason=VOIDED)
    keeper.record("adjust", payer="p2", payee="p1", points=3, reason=BY_HAND)
    return table


def lines(page: Page) -> dict[str, str]:
    """The payments of a page, by their anchors."""
    return dict(re.findall(r'<li id="(pay-[0-9]+-[0-9]+)">(.*?)</li>', page.response.text, re.DOTALL))


def test_a_payment_that_was_taken_back_is_struck_and_leads_to_what_took_it_back(
    client: FlaskClient, night: Table
) -> None:
    page = visit(client, f"/n/{night.night}/ledger")
    shown = lines(page)
    payments = night.keeper.get("/ledger").get_json()["payments"]
    assert len(shown) == len(payments)
    for row in payments:
        line = shown[f"pay-{row['seq']}-{row['idx']}"]
        assert ("<s>" in line) == bool(row["reversed_by"])
        for other in (row["reversed_by"], row["reverses"]):
            assert other is None or f'href="#pay-{other.replace(".", "-")}"' in line
    assert [row["points"] for row in payments if row["round"] == 1 and row["reversed_by"]] == [1]
    assert len([row for row in payments if row["round"] == 2 and row["reverses"]]) == 4


@pytest.mark.parametrize("place", ["ledger", "rounds"])
def test_why_is_said_where_it_happened(client: FlaskClient, night: Table, place: str) -> None:
    text = visit(client, f"/n/{night.night}/{place}").text
    assert REASON in text
    assert VOIDED in text
    assert "không tính" in text
    assert (BY_HAND in text) == (place == "ledger")


def test_the_list_of_rounds_counts_corrections_in(client: FlaskClient, night: Table) -> None:
    page = visit(client, f"/n/{night.night}/rounds")
    # 4 from each of three, 2 + 2 from p4 for two red 2s, and 1 for the 2♣ that is p2's now.
    assert "An +17 · Bình −5 · Chi −4 · Dũng −8" in page.text
    assert "An 0 · Bình 0 · Chi 0 · Dũng 0" in page.text
    assert page.text.count("đã sửa") == 2


def test_the_running_totals_name_a_correction_a_void_and_a_payment_by_hand(
    client: FlaskClient, night: Table
) -> None:
    page = visit(client, f"/n/{night.night}/ledger")
    marks = re.findall(r'text-anchor="middle">([^<]+)</text>', page.response.text)
    assert marks == ["1", "1*", "2", "2×", "±"]
    rows = re.findall(r'<tr>\s*<th scope="row">(.*?)</th>', page.response.text, re.S)
    told = [" ".join(re.sub("<.*?>", "", row).split()) for row in rows]
    sheet, running = told[: told.index("Tổng")], told[told.index("Tổng") + 1 :]
    assert sheet == ["±", "2×", "1*"]
    assert running == ["1", f"1* {REASON}", "2", f"2× {VOIDED}", "ghi tay"]
    assert "* sửa ván" in page.text


def test_a_night_without_corrections_explains_no_signs(client: FlaskClient) -> None:
    table = open_table(client, **NamedNightFactory())
    send(client, f"/t/{table.tokens['keeper']}", [])
    settle_a_round(table.keeper)
    assert "* sửa ván" not in visit(client, f"/n/{table.night}/ledger").text


def test_the_table_between_two_rounds_shows_what_the_last_one_changed(client: FlaskClient) -> None:
    table = open_table(client, **NamedNightFactory())
    send(client, f"/t/{table.tokens['keeper']}", [])
    settle_a_round(table.keeper)
    page = visit(client, f"/n/{table.night}")
    totals = re.search(r'<ul class="totals">(.*?)</ul>', page.response.text, re.DOTALL)
    assert totals is not None
    assert re.findall(r"<small>ván 1: ([+−]\d+)<", totals[1]) == ["+17", "−4", "−5", "−8"]


def test_a_void_round_is_said_to_be_one_on_the_table(client: FlaskClient, night: Table) -> None:
    assert VOIDED in visit(client, f"/n/{night.night}").text

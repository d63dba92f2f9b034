"""Settling up on the pages: what is still to be handed over, ticks, what stands behind it, the chat."""

import pytest
from flask.testing import FlaskClient

from tests.factories import NamedNightFactory, StakedNightFactory, friends
from tests.web.browsing import Page, send, visit
from tests.web.phones import Table, open_table, settle_a_round
from tests.web.test_pages_night import MOST_BYTES, weight

# The round of `settle_a_round`, counted by hand: p1 went out before anyone had played, so three are knocked out and
# pay 4 each; p3 keeps the 2♣ (1), p4 the 2♦ and the 2♥ (2 each).
BALANCES = {"p1": 17, "p2": -4, "p3": -5, "p4": -8}


@pytest.fixture
def night(client: FlaskClient) -> Table:
    """A settled round at 1.000 đ a point; the keeper's link is in the visitor's cookies."""
    table = open_table(client, **StakedNightFactory(players=["An", "Bình", "Chi", "Dũng"]))
    send(client, f"/t/{table.tokens['keeper']}", [])
    settle_a_round(table.keeper)
    assert table.keeper.board()["net"] == BALANCES
    return table


def page_of(client: FlaskClient, night: Table, language: str | None = None) -> Page:
    return visit(client, f"/n/{night.night}/settle-up", language)


def offers(page: Page) -> list[tuple[str, str, str]]:
    """The transfers that have a button, in order."""
    found = []
    for form in page.forms:
        fields = {control.name: control.value for control in form.controls}
        if fields.get("kind") == "paid":
            found.append((fields["payer"], fields["payee"], fields["points"]))
    return found


def tick(page: Page, *transfer: str) -> Page:
    """Press the button of a transfer."""
    for form in page.forms:
        fields = {control.name: control.value for control in form.controls}
        if tuple(fields.get(name) for name in ("payer", "payee", "points")) == transfer:
            return page.send(form.action, list(fields.items()))
    raise AssertionError(f"no such transfer: {transfer}")


def test_the_fewest_transfers_stand_with_their_money_the_greatest_first(
    client: FlaskClient, night: Table
) -> None:
    page = page_of(client, night)
    assert offers(page) == [("p4", "p1", "8"), ("p3", "p1", "5"), ("p2", "p1", "4")]
    assert "8.000" in page.text
    assert page_of(client, night, "en").language == "en"


def test_a_transfer_between_two_who_never_owed_each_other_says_whose_debt_it_pays(
    client: FlaskClient,
) -> None:
    table = open_table(client, **NamedNightFactory())
    send(client, f"/t/{table.tokens['keeper']}", [])
    keeper = table.keeper
    keeper.record("adjust", payer="p3", payee="p4", points=2, reason="cược")
    keeper.record("adjust", payer="p4", payee="p1", points=4, reason="cược")
    page = page_of(client, table)
    assert offers(page) == [("p3", "p1", "2"), ("p4", "p1", "2")]
    assert page.text.count("trả thẳng") == 1
    assert "Chi nợ Dũng 2, Dũng nợ An 4: Chi trả thẳng An." in page.text


def test_the_tiles_say_what_is_still_owed(client: FlaskClient, night: Table) -> None:
    page = page_of(client, night)
    assert "An +17" in page.text
    page = tick(page, "p4", "p1", "8")
    assert "An +9" in page.text.split("Còn phải trả")[0]
    assert "Dũng 0" in page.text.split("Còn phải trả")[0]


def test_one_tap_ticks_a_transfer_and_another_takes_it_back(client: FlaskClient, night: Table) -> None:
    page = tick(page_of(client, night), "p3", "p1", "5")
    assert page.status == 200
    assert offers(page) == [("p4", "p1", "8"), ("p2", "p1", "4"), ("p1", "p3", "5")]
    assert "✓" in page.text
    page = tick(page, "p1", "p3", "5")
    assert offers(page) == [("p4", "p1", "8"), ("p3", "p1", "5"), ("p2", "p1", "4")]
    assert "<s>Chi → An</s>" in page.response.text
    assert night.keeper.board()["net"] == BALANCES


def test_a_transfer_that_is_ticked_twice_or_on_two_phones_is_paid_once(
    client: FlaskClient, night: Table
) -> None:
    one, other = page_of(client, night), page_of(client, night)
    assert [tick(page, "p3", "p1", "5").status for page in (one, one, other)] == [200] * 3
    assert [event["kind"] for event in night.keeper.log()].count("paid") == 1


def test_paid_given_back_and_paid_again_is_three_entries(client: FlaskClient, night: Table) -> None:
    page = page_of(client, night)
    for payer, payee in (("p3", "p1"), ("p1", "p3"), ("p3", "p1")):
        page = tick(page, payer, payee, "5")
    assert [event["kind"] for event in night.keeper.log()].count("paid") == 3
    assert offers(page) == [("p4", "p1", "8"), ("p2", "p1", "4"), ("p1", "p3", "5")]


def test_a_page_that_is_out_of_date_pays_nothing_and_shows_what_is_outstanding(
    client: FlaskClient, night: Table
) -> None:
    old = page_of(client, night)
    night.caught_up().record("adjust", payer="p1", payee="p4", points=8, reason="vé xe")
    page = tick(old, "p4", "p1", "8")
    assert page.status == 409
    assert 'role="alert"' in page.response.text
    assert offers(page) == [("p3", "p1", "5"), ("p2", "p1", "4")]
    assert "paid" not in [event["kind"] for event in night.keeper.log()]


def test_a_correction_after_the_money_was_handed_over_turns_what_is_outstanding_round(
    client: FlaskClient, night: Table
) -> None:
    page = page_of(client, night)
    for payer, points in (("p4", "8"), ("p3", "5"), ("p2", "4")):
        page = tick(page, payer, "p1", points)
    assert "Không ai nợ ai" in page.text
    night.caught_up().record("void", round=1, reason="chia nhầm")
    page = page_of(client, night)
    # Everybody gets back what was handed over: the same transfers the other way round, ticked or not.
    assert offers(page)[:3] == [("p1", "p4", "8"), ("p1", "p3", "5"), ("p1", "p2", "4")]
    page = tick(page, "p1", "p4", "8")
    assert page.status == 200
    assert "<s>Dũng → An</s>" in page.response.text


def test_it_is_still_paid_after_the_night_has_ended(client: FlaskClient, night: Table) -> None:
    night.caught_up().record("end")
    assert ("p1", "p3", "5") in offers(tick(page_of(client, night), "p3", "p1", "5"))


def test_whoever_joins_and_a_table_of_twelve_settle_up_too(client: FlaskClient) -> None:
    table = open_table(client, **NamedNightFactory(players=friends(11)))
    send(client, f"/t/{table.tokens['keeper']}", [])
    keeper = table.keeper
    keeper.record("join", name="Cô Út")
    for payer in range(2, 13):
        keeper.record("adjust", payer=f"p{payer}", payee="p1", points=payer, reason="mang theo")
    page = page_of(client, table)
    assert offers(page) == [(f"p{payer}", "p1", str(payer)) for payer in range(12, 1, -1)]
    assert "Cô Út" in page.text
    assert weight(client, page) < MOST_BYTES


def test_everyone_reads_it_and_only_the_keeper_ticks(client: FlaskClient, night: Table) -> None:
    watcher = client.application.test_client()
    send(watcher, f"/t/{night.tokens['watch']}", [])
    page = visit(watcher, f"/n/{night.night}/settle-up")
    assert (page.status, offers(page)) == (200, [])
    assert "Dũng" in page.text
    fields = [("id", night.night), ("payer", "p4"), ("payee", "p1"), ("points", "8"), ("kind", "paid")]
    assert send(watcher, f"/n/{night.night}/settle-up", fields).status == 403


@pytest.mark.parametrize("wrong", [{"points": "x"}, {"points": "0"}, {"payer": "p13"}, {"id": "1"}])
def test_what_no_form_of_ours_sends_is_unreadable(
    client: FlaskClient, night: Table, wrong: dict[str, str]
) -> None:
    fields = {"id": night.night, "payer": "p4", "payee": "p1", "points": "8", "kind": "paid"} | wrong
    assert send(client, f"/n/{night.night}/settle-up", list(fields.items())).status == 400


def test_a_transfer_opens_to_what_each_of_the_two_had_with_everybody(
    client: FlaskClient, night: Table
) -> None:
    page = page_of(client, night)
    assert "với An −8" in page.text
    told = visit(client, next(link for link in page.links if "/settle-up/p4#p1" in link).partition("#")[0])
    assert told.status == 200
    account = night.keeper.get("/ledger").get_json()
    own = [row for row in account["payments"] if "p4" in (row["payer"], row["payee"])]
    assert len([id for id in told.ids if id.startswith("pay-")]) == len(own) > 1
    assert told.text.count("Ván 1") >= len(own)
    assert visit(client, f"/n/{night.night}/settle-up/p9").status == 404


def test_a_statement_says_why_a_payment_was_made_by_hand_or_taken_back(
    client: FlaskClient, night: Table
) -> None:
    night.caught_up().record("adjust", payer="p4", payee="p1", points=2, reason="vé xe")
    night.caught_up().record("void", round=1, reason="chia nhầm")
    told = visit(client, f"/n/{night.night}/settle-up/p4").text
    assert "vé xe" in told
    assert "chia nhầm" in told
    assert "adjustment" not in told


def test_the_lines_for_the_chat_say_what_was_handed_over_and_carry_the_code(
    client: FlaskClient, night: Table
) -> None:
    page = tick(page_of(client, night), "p3", "p1", "5")
    assert "Đã trả: Chi → An 5.000 đ" in page.text
    assert "Trả: Dũng → An 8.000 đ · Bình → An 4.000 đ" in page.text
    assert night.keeper.get("/ledger").get_json()["code"] in page.text
    assert {f"/n/{night.night}/export", "/verify.html"} & set(page.links)


@pytest.mark.parametrize("place", ["", "/ledger", "/export"])
def test_the_table_the_ledger_and_the_exports_lead_there(
    client: FlaskClient, night: Table, place: str
) -> None:
    assert f"/n/{night.night}/settle-up" in visit(client, f"/n/{night.night}{place}").links


def test_a_board_that_is_watched_leads_there(client: FlaskClient, night: Table) -> None:
    night.caught_up().record("round", leader="p1")
    watcher = client.application.test_client()
    send(watcher, f"/t/{night.tokens['watch']}", [])
    assert f"/n/{night.night}/settle-up" in visit(watcher, f"/n/{night.night}").links

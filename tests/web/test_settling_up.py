"""Settling up on the pages: transfers still due, marking them as paid, their reasons, the chat's text."""

import pytest
from flask.testing import FlaskClient

from tests.factories import StakedNightFactory
from tests.web.browsing import Page, send, visit
from tests.web.phones import Table, held, settle_a_round

# The round of `settle_a_round`, counted by hand: p1 went out before anyone else had played, so three are knocked
# out and pay 4 each; p3 keeps the 2♣ (1), p4 the 2♦ and the 2♥ (2 each).
BALANCES = {"p1": 17, "p2": -4, "p3": -5, "p4": -8}


@pytest.fixture
def night(client: FlaskClient) -> Table:
    """A settled round at 1.000 đ a point; the keeper's link is in the visitor's cookies."""
    table = held(client, **StakedNightFactory(players=["An", "Bình", "Chi", "Dũng"]))
    settle_a_round(table.keeper)
    assert table.keeper.board()["net"] == BALANCES
    return table


def page_of(client: FlaskClient, night: Table, language: str | None = None) -> Page:
    return visit(client, f"/n/{night.night}/settle-up", language)


def offers(page: Page) -> list[tuple[str, str, str]]:
    """The transfers with a button, in order."""
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
    table = held(client)
    keeper = table.keeper
    keeper.record("adjust", payer="p3", payee="p4", points=2, reason="cược")
    keeper.record("adjust", payer="p4", payee="p1", points=4, reason="cược")
    page = page_of(client, table)
    assert offers(page) == [("p3", "p1", "2"), ("p4", "p1", "2")]
    assert page.text.count("trả thẳng") == 1
    assert "Chi nợ Dũng 2, Dũng nợ An 4: Chi trả thẳng An." in page.text


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


@pytest.mark.parametrize("wrong", [{"points": "x"}, {"points": "0"}, {"payer": "p13"}, {"id": "1"}])
def test_what_no_form_of_ours_sends_is_unreadable(
    client: FlaskClient, night: Table, wrong: dict[str, str]
) -> None:
    fields = {"id": night.night, "payer": "p4", "payee": "p1", "points": "8", "kind": "paid"} | wrong
    assert send(client, f"/n/{night.night}/settle-up", list(fields.items())).status == 400


def test_only_the_keeper_marks_a_transfer_as_paid_and_takes_it_back(
    client: FlaskClient, night: Table
) -> None:
    tick(page_of(client, night), "p4", "p1", "8")

    def may(holder: str) -> set[tuple[str, str, str]]:
        return set(offers(page_of(night.phone(holder), night)))

    assert may("keeper") == {("p3", "p1", "5"), ("p2", "p1", "4"), ("p1", "p4", "8")}
    assert may("watch") == may("p1") == set()


def test_a_round_that_is_not_settled_leads_the_keeper_to_its_settling_and_others_to_the_round(
    client: FlaskClient, night: Table
) -> None:
    night.caught_up().tell("round lead p1 \n result p1 p2 p3 p4")
    for holder, place in (("keeper", "/rounds/2/settle"), ("watch", "/rounds/2"), ("p3", "/rounds/2")):
        links = page_of(night.phone(holder), night).links
        assert [one for one in links if one.startswith(f"/n/{night.night}/rounds/2")] == [
            f"/n/{night.night}{place}"
        ]


def test_an_adjustment_is_from_one_player_to_another_before_anything_is_chosen(
    client: FlaskClient, night: Table
) -> None:
    ledger = visit(client, f"/n/{night.night}/ledger")
    assert ledger.chosen("payee") == ["p2"], "the first player is whoever pays"

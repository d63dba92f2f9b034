"""Settling up: transfers that were paid, outstanding amounts, and the payments behind them."""

from ledger.recorder.views.settle_up import HandedOver
from tests.recorder.tables import Table


def test_what_was_handed_over_is_not_outstanding_any_more(table: Table) -> None:
    table.tell("pay p2 p1 4 bia \n pay p3 p1 5 bia \n pay p4 p1 8 bia \n paid p4 p1 8 \n paid p3 p1 2")
    assert table.ask.settle_up().outstanding == {"p1": 7, "p2": -4, "p3": -3, "p4": 0}
    table.tell("paid p4 p1 2")
    assert table.ask.settle_up().outstanding == {"p1": 5, "p2": -4, "p3": -3, "p4": 2}


def test_what_went_back_the_same_way_is_no_line_of_its_own(table: Table) -> None:
    def transfers_after(*transfers: str) -> list[tuple[str, str | None]]:
        """The transfers shown after recording further ones, each with its reversal."""
        for transfer in transfers:
            table.tell(f"paid {transfer}")
        return [(line(one), one.given_back) for one in table.ask.settle_up().handed_over]

    def line(one: HandedOver) -> str:
        return f"{one.payer} {one.payee} {one.points}"

    ((_, returned),) = transfers_after("p2 p1 5", "p1 p2 5")
    assert returned is not None
    assert transfers_after("p2 p1 5") == [("p2 p1 5", returned), ("p2 p1 5", None)]
    (first, second, third) = transfers_after("p2 p1 5", "p1 p2 5")
    assert (first[1], second[1]) == (returned, None)
    assert third[1] is not None
    assert transfers_after("p1 p2 4", "p1 p3 5")[3:] == [("p1 p2 4", None), ("p1 p3 5", None)]


def test_statements_add_up_to_balances_and_after_what_was_handed_over_to_what_is_outstanding(
    table: Table,
) -> None:
    table.tell("pay p1 p2 7 bia \n pay p3 p2 2 đá \n pay p2 p1 3 hạt dưa")
    account = table.ask.settle_up()
    assert account.ledger.balances == account.outstanding == {"p1": -4, "p2": 6, "p3": -2, "p4": 0}
    p2 = account.statements["p2"]
    assert [(one.other, one.net, one.places) for one in p2.dealings] == [("p1", 4, (0, 2)), ("p3", 2, (1,))]
    assert [(one.payer, one.payee, one.points) for one in account.transfers] == [
        ("p1", "p2", 4),
        ("p3", "p2", 2),
    ]
    assert account.statements["p4"].dealings == ()

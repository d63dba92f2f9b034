"""What was handed over of a settle-up, what is outstanding, and what stands behind it."""

from typing import Any

from ledger.recorder.settling_up import in_pairs, outstanding_after
from tests.recorder.tables import Table

Data = dict[str, Any]


def handed(*transfers: str) -> list[Data]:
    """`p1 p2 5` a line, each recorded at the minute of its place."""
    told = (line.split() for line in transfers)
    return [
        {"payer": payer, "payee": payee, "points": int(points), "at": minute}
        for minute, (payer, payee, points) in enumerate(told, start=1)
    ]


def test_what_was_handed_over_is_not_outstanding_any_more() -> None:
    balances = {"p1": 17, "p2": -4, "p3": -5, "p4": -8}
    assert outstanding_after(balances, handed("p4 p1 8", "p3 p1 2")) == {"p1": 7, "p2": -4, "p3": -3, "p4": 0}
    assert outstanding_after(balances, handed("p4 p1 10")) == {"p1": 7, "p2": -4, "p3": -5, "p4": 2}


def test_what_went_back_the_same_way_is_no_line_of_its_own() -> None:
    def told(*transfers: str) -> list[tuple[Any, Any]]:
        return [(one["at"], one["given_back"]) for one in in_pairs(handed(*transfers))]

    assert told("p2 p1 5", "p1 p2 5") == [(1, 2)]
    assert told("p2 p1 5", "p1 p2 5", "p2 p1 5") == [(1, 2), (3, None)]
    assert told("p2 p1 5", "p2 p1 5", "p1 p2 5") == [(1, None), (2, 3)]
    assert told("p2 p1 5", "p1 p2 4") == [(1, None), (2, None)]
    assert told("p2 p1 5", "p1 p3 5") == [(1, None), (2, None)]


def test_statements_add_up_to_balances_and_after_what_was_handed_over_to_what_is_outstanding(
    table: Table,
) -> None:
    table.tell("pay p1 p2 7 bia \n pay p3 p2 2 đá \n pay p2 p1 3 hạt dưa")
    account = table.ask.settle_up()
    assert account["balances"] == {"p1": -4, "p2": 6, "p3": -2, "p4": 0}
    told = account["statements"]["p2"]
    assert [(one["other"], one["net"], len(one["payments"])) for one in told["dealings"]] == [
        ("p1", 4, 2),
        ("p3", 2, 1),
    ]
    assert [(one["payer"], one["payee"], one["points"]) for one in account["transfers"]] == [
        ("p1", "p2", 4),
        ("p3", "p2", 2),
    ]
    assert account["statements"]["p4"]["dealings"] == []

"""What went back the same way it was handed over. Other transfers: tests/cases/nights/settling.txt."""

from tests.recorder.tables import Table


def test_what_went_back_the_same_way_is_no_line_of_its_own(table: Table) -> None:
    def transfers_after(*transfers: str) -> list[tuple[str, str | None]]:
        """The transfers shown after recording further ones, each with its reversal."""
        for transfer in transfers:
            table.tell(f"paid {transfer}")
        shown = table.ask.settle_up().handed_over
        return [(f"{one.payer} {one.payee} {one.points}", one.given_back) for one in shown]

    ((_, returned),) = transfers_after("p2 p1 5", "p1 p2 5")
    assert returned is not None
    assert transfers_after("p2 p1 5") == [("p2 p1 5", returned), ("p2 p1 5", None)]
    (first, second, third) = transfers_after("p2 p1 5", "p1 p2 5")
    assert (first[1], second[1]) == (returned, None)
    assert third[1] is not None
    assert transfers_after("p1 p2 4", "p1 p3 5")[3:] == [("p1 p2 4", None), ("p1 p3 5", None)]

"""What is no round or payment has no evidence. What is shown of others: tests/cases/nights/settling.txt."""

import pytest

from ledger.language import speaker
from ledger.recorder import Problem
from tests.recorder.tables import Table
from tests.stories import A_SETTLED_ROUND

WORDS = speaker("en")


@pytest.mark.parametrize("number", [0, 2, 99])
def test_a_round_that_is_none_has_no_why(table: Table, number: int) -> None:
    table.tell(A_SETTLED_ROUND)
    with pytest.raises(Problem):
        table.ask.why(number, WORDS)
    with pytest.raises(Problem):
        table.ask.only_round(number)


@pytest.mark.parametrize("place", ["7.9", "1.0", "x"])
def test_a_payment_that_is_none_is_not_found(table: Table, place: str) -> None:
    with pytest.raises(Problem):
        table.tell(A_SETTLED_ROUND).ask.payment(place, WORDS)

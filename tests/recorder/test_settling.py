"""The ledger in parts, and what changes no round. What is paid: tests/cases/nights/settling.txt."""

import pytest

from tests.recorder.tables import Table
from tests.stories import A_ROUND, A_SETTLED_ROUND


@pytest.mark.parametrize("story", ["round opening \n p1 3s", A_ROUND])
def test_an_adjustment_may_come_in_the_middle_of_a_round(table: Table, story: str) -> None:
    before = table.tell(story).round()
    assert table.tell("pay p2 p1 5 bia").round() == before


@pytest.mark.parametrize("limit", [1, 2, 3, 4, None])
def test_the_parts_of_the_ledger_have_each_payment_once(table: Table, limit: int | None) -> None:
    again = A_SETTLED_ROUND.replace("opening p1 p2", "lead p1 p1 p2")
    table.tell(f"round opening p1 p2 \n void 1 chia nhầm \n {A_SETTLED_ROUND} \n {again} \n {again}")
    table.record("adjust", payer="p1", payee="p2", points=5, reason="tiền nước")
    seq = next(event["seq"] for event in table.log() if event["kind"] == "settle")
    table.tell(f"p2 disputes 2 payment {seq}.0 sao thế \n decide {table.log()[-1]['seq'] + 1} waived thôi")
    balances = table.ask.ledger().balances
    found, after = [], 0
    while True:
        part = table.ask.ledger(after_round=after, limit=limit)
        assert part.balances == balances
        listed = [line.number for line in part.rounds]
        if not listed:
            break
        assert {row.round for row in part.payments} <= {*listed, 0}
        found += part.payments
        after = listed[-1]
    assert sorted((row.seq, row.idx) for row in found) == [
        (row.seq, row.idx) for row in table.ask.ledger().payments
    ]
    assert {row.round for row in found} == {0, 2, 3, 4}


def test_a_reopened_night_goes_on_where_it_was(table: Table) -> None:
    before = table.tell(A_SETTLED_ROUND).board()
    after = table.tell("end \n reopen đánh thêm một ván").board()
    assert {name for name in before if before[name] != after[name]} == {"seq", "hash", "code", "after"}

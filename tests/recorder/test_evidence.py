"""The evidence for pages: why a round pays, where each payment is posted, and what became of it."""

import pytest

from ledger.language import speaker
from ledger.recorder import Problem, Recorder
from tests.recorder.tables import A_SETTLED_ROUND, Table, asked, open_table, run

WORDS = speaker("en")


def test_a_reversed_payment_is_explained_as_it_stood_when_it_was_posted(table: Table) -> None:
    table.tell(A_SETTLED_ROUND).tell("void 1 misdealt")
    for phone in (table, table.restarted()):
        payment = asked(phone.recorder, table.night).payment("7.1", WORDS)
        assert payment.why is not None
        assert payment.reversal is not None
        assert payment.why.sentence == "2♣ (1)"
        assert payment.payment.reversed_by == payment.reversal.place == "8.1"
        assert (payment.reversal.posted_by.kind, payment.reversal.posted_by.reason) == ("void", "misdealt")
        assert payment.payment.posted_by.kind == "settle"
        back = asked(phone.recorder, table.night).payment("8.1", WORDS)
        assert (back.why, back.payment.reverses) == (None, "7.1")


def test_a_dispute_of_a_bomb_shows_every_move_that_is_charged(table: Table) -> None:
    bombs = "p2 4s 4c 5s 5c 6s 6c \n p1 7s 7c 7d 7h \n p2 8s 8c 8d 8h \n p1 - \n p2 9s \n p1 - \n p2 Ts"
    table.tell(f"round opening p1 p2 \n p1 3d \n p2 2c \n p1 2d \n {bombs} \n p1 shows {run('h', '9')} 9d")
    table.tell("settle \n p1 disputes 1 payment 13.0 sai")
    dispute = table.ask.dispute(14, WORDS)
    assert dispute.about is not None
    assert dispute.about.why is not None
    charged = [row.address for row in dispute.about.why.moves]
    assert [row.move for row in dispute.about.why.moves] == [1, 2, 3, 4, 5, 6]
    assert set(charged) <= {line.address for line in dispute.around}


def test_agreement_knows_who_sits_in_each_round(recorder: Recorder) -> None:
    table = open_table(recorder, 5).tell(f"{A_SETTLED_ROUND} \n p2 confirms 1")
    agreement = table.ask.agreement()
    assert agreement.seats == {1: ["p1", "p2"]}
    assert list(agreement.agreed[1]) == ["p2"]


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

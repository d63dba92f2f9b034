"""Every round of a night in a line, as the list of rounds shows it."""

from tests.recorder.tables import A_SETTLED_ROUND, Table


def rounds(table: Table) -> list[tuple[object, ...]]:
    return [
        (one.number, one.result, one.void, one.settled, [each.reason for each in one.corrections])
        for one in table.ask.ledger().rounds
    ]


def test_a_round_is_told_as_it_was_entered(table: Table) -> None:
    table.tell(f"{A_SETTLED_ROUND} \n round opening p1 p2 p3 p4 ! \n result p2 p1 p3 knocked p4")
    assert rounds(table) == [(1, False, None, True, []), (2, True, None, False, [])]
    table.tell("undo")
    assert rounds(table)[1] == (2, False, None, False, [])
    table.tell("undo")
    assert len(rounds(table)) == 1


def test_only_corrections_that_stand_are_told(table: Table) -> None:
    table.tell("round opening \n result p1 p2 p3 p4 \n correct 2.0 = result p2 p1 p3 p4 because nhất là Bình")
    assert rounds(table) == [(1, True, None, False, ["nhất là Bình"])]
    table.tell("undo")
    assert rounds(table) == [(1, True, None, False, [])]


def test_what_a_round_brought_counts_its_corrections_and_a_void_one_brought_nothing(table: Table) -> None:
    table.tell("round opening \n result p1 p2 p3 p4 \n p4 declares none \n settle")
    assert table.ask.ledger().rounds[0].net == {"p1": 2, "p2": 1, "p3": -1, "p4": -2}
    table.tell("correct 2.0 = result p2 p1 p3 p4 because nhất là Bình")
    assert table.ask.ledger().rounds[0].net == {"p1": 1, "p2": 2, "p3": -1, "p4": -2}
    table.tell("void 1 chia nhầm")
    (round,) = table.ask.ledger().rounds
    assert (round.void, set((round.net or {}).values())) == ("chia nhầm", {0})

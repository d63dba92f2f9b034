"""Rounds that nobody recorded move by move: entered as their result, paid by the same rules."""

import pytest

from ledger.recorder import ProblemCode, audit
from tests.recorder.tables import Table
from tests.recorder.test_corrections import holds, sound


def test_a_result_is_paid_by_the_same_rules(table: Table) -> None:
    table.tell("round opening \n result p2 p1 p3 knocked p4 bombed p2 p3 2d 2h")
    assert table.round()["needed"].keys() == {"p3", "p4"}
    table.tell("p3 declares none \n p4 declares 2s \n settle")
    # 2♦ 2♥ are 4; the third pays the second 1; knocked out: 4 and the 2♠, to the winner.
    assert holds(table) == [
        ("p3", "p2", 4, "bomb-bonus"),
        ("p3", "p1", 1, "placement"),
        ("p4", "p2", 4, "placement"),
        ("p4", "p2", 1, "hoarding-penalty"),
    ]
    sound(table)


def test_a_result_is_undone_and_corrected_like_a_move(table: Table) -> None:
    table.tell("round opening \n result p1 p2 p3 p4 \n undo")
    assert not table.round()["over"]
    table.tell("redo \n p4 declares none \n settle")
    assert table.board()["net"] == {"p1": 2, "p2": 1, "p3": -1, "p4": -2}
    table.tell("correct 2.0 = result p2 p1 p3 p4 because nhất là Bình")
    assert table.board()["net"] == {"p1": 1, "p2": 2, "p3": -1, "p4": -2}
    sound(table)


@pytest.mark.parametrize(
    ("line", "code"),
    [("result p1 p2", "result-incomplete"), ("result p1 p2 p3 p4 p4", "result-incomplete")],
)
def test_a_result_names_everyone_once(table: Table, line: str, code: str) -> None:
    table.tell("round opening")
    assert table.refused(line).code == code


def test_the_rest_of_a_round_is_entered_as_its_result_and_audits(table: Table) -> None:
    table.tell("round opening \n p1 3s \n p2 2d")
    assert table.refused("result p1 p2 p3 p4 bombed p3 p2 3s").code == "card-already-played"
    table.tell("result p1 p2 p3 p4 bombed p3 p2 2d \n p4 declares none \n settle")
    assert table.board()["net"] == {"p1": 2, "p2": -1, "p3": 1, "p4": -2}
    assert list(audit(table.recorder, table.night)) == []


def test_after_a_result_nothing_is_played(table: Table) -> None:
    table.tell("round opening \n result p1 p2 p3 p4")
    assert table.refused("p1 3s").code == "round-over"
    assert list(audit(table.recorder, table.night)) == []
    assert table.refused("void 2 không có").code == ProblemCode.NO_SUCH_ENTRY

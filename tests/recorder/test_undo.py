"""Undo and redo: nothing is removed from the log, and the board is restored."""

from typing import Any

import pytest

from tests.recorder.tables import A_ROUND, A_SETTLED_ROUND, Table, whole

SHOWING = "p2 shows 3c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac 2c"
UNDOABLE = [
    ("", "round opening"),
    (A_SETTLED_ROUND, "round lead p1"),
    (A_SETTLED_ROUND, "round lead p4 p4 p3 p2 !"),
    (A_ROUND, "round lead p1"),
    ("round opening", "p1 3s 3c"),
    ("round opening \n p1 3s", "p4 2h"),
    ("round opening \n p1 3s", "p2 -"),
    ("round opening", "p1 5s !"),
    ("round opening", f"p1 claims {whole('p1')}"),
    (A_ROUND, SHOWING),
    (A_ROUND, "p2 declares 2c"),
    (A_ROUND, "p2 declares none"),
    (f"{A_ROUND} \n p2 declares 2c", SHOWING),
    ("\n".join(A_ROUND.strip().splitlines()[:-1]), A_ROUND.strip().splitlines()[-1].strip()),
]
"""A story, and an entry after it that can be undone."""


def without(board: dict[str, Any], *more: str) -> dict[str, Any]:
    """A board without the fields that every entry changes."""
    return {
        name: value for name, value in board.items() if name not in {"seq", "hash", "code", "after", *more}
    }


def struck(page: dict[str, Any]) -> list[dict[str, Any]]:
    """The struck lines."""
    return [row for row in page["lines"] if "struck_by" in row]


@pytest.mark.parametrize(("story", "line"), UNDOABLE)
def test_an_undo_restores_the_board_and_a_redo_takes_that_back(table: Table, story: str, line: str) -> None:
    before = table.tell(story).board()
    after = table.tell(line).board()
    assert after["undo"]
    for _ in range(3):
        undone = table.tell("undo").board()
        assert undone["redo"]
        assert without(undone, "redo") == without(before, "redo")
        assert table.restarted().board() == undone
        redone = table.tell("redo").board()
        assert without(redone) == without(after)
        assert table.restarted().board() == redone


def test_an_undo_takes_back_all_parts_of_an_entry(table: Table) -> None:
    table.tell("round opening \n p1 3s \n p4 6h")
    assert [row["implied"] for row in table.round()["moves"]] == [False, True, True, False]
    table.tell("undo")
    assert [row["cards"] for row in table.round()["moves"]] == [["3s"]]
    assert table.contents()["correction"] == [(table.night, 4, part, 3, part) for part in range(3)]


def test_a_move_that_was_redone_keeps_its_address(table: Table) -> None:
    table.tell("round opening \n p1 3s \n undo \n redo")
    assert [row["address"] for row in table.round()["moves"]] == ["2.0"]


def test_a_new_move_after_an_undo_has_a_new_address(table: Table) -> None:
    table.tell("round opening \n p1 3s \n undo \n p1 3s")
    (row,) = table.round()["moves"]
    assert (row["move"], row["address"]) == (1, "4.0")


def test_an_undone_header_does_not_open_the_settled_round_before_it(table: Table) -> None:
    table.tell(f"{A_SETTLED_ROUND} \n round lead p1 \n undo")
    assert (table.board()["undo"], table.board()["redo"]) == (False, True)
    assert table.refused("undo").code == "nothing-to-undo"
    assert table.tell("redo").round()["number"] == 2


def test_the_header_of_a_round_that_another_followed_is_not_undone(table: Table) -> None:
    table.tell("round opening \n result p1 p2 p3 p4 \n round lead p1 \n undo \n undo")
    assert (table.round()["number"], table.board()["undo"]) == (1, False)
    assert table.refused("undo").code == "nothing-to-undo"


def test_settling_ends_redo(table: Table) -> None:
    table.tell(f"{A_ROUND} \n p2 declares none \n p2 declares 2c \n undo \n settle")
    assert not table.board()["redo"]
    assert table.refused("redo").code == "nothing-to-redo"


def test_a_night_that_was_reopened_still_knows_what_was_undone(table: Table) -> None:
    table.tell("round opening \n undo \n end")
    assert (table.board()["undo"], table.board()["redo"]) == (False, False)
    table.tell("reopen đánh tiếp \n redo")
    assert table.round()["number"] == 1


def test_undoing_shows_among_the_struck_with_its_address(table: Table) -> None:
    table.tell("round opening \n p1 3s \n p4 6h \n undo \n p2 5c")
    page = table.page(1)
    assert [(row["address"], row["player"], row["struck_by"]) for row in struck(page)] == [
        ("3.0", "p2", "undo"),
        ("3.1", "p3", "undo"),
        ("3.2", "p4", "undo"),
    ]
    assert [(row["move"], row["address"]) for row in page["moves"]] == [(1, "2.0"), (2, "5.0")]

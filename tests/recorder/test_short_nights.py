"""What short nights come to: `tests/cases/nights/*.txt`."""

from typing import Any

import pytest

from ledger.recorder import Recorder
from tests.game.short_rounds import Case
from tests.recorder.short_nights import CASES_OF_NIGHTS, becomes, is_undoable, sound, told

OF_EVERY_ENTRY = ("seq", "hash", "code", "after")


@pytest.mark.parametrize("case", [case for case in CASES_OF_NIGHTS if not is_undoable(case)], ids=str)
def test_a_night_comes_to_what_is_said_of_it(recorder: Recorder, case: Case) -> None:
    assert becomes(case, recorder) == case.expected


def without(board: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in board.items() if name not in (*OF_EVERY_ENTRY, *names)}


@pytest.mark.parametrize("case", [case for case in CASES_OF_NIGHTS if is_undoable(case)], ids=str)
def test_an_undo_restores_the_board_and_a_redo_takes_that_back(recorder: Recorder, case: Case) -> None:
    table = told(case, recorder)
    before = table.board()
    after = table.tell(case.parts[1]).board()
    assert after["undo"]
    for _ in range(3):
        undone = table.tell("undo").board()
        assert undone["redo"]
        assert without(undone, "redo") == without(before, "redo")
        sound(table)
        assert without(table.tell("redo").board()) == without(after)
        sound(table)

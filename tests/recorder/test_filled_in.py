"""A correction of one play takes back the passes that were filled in because of it, and works them out again.

That the round is then the one without the slip: `tests/harnesses/test_slips.py`.
"""

from ledger.recorder import Recorder, with_passes
from ledger.recorder.events.correction import ChangeData
from tests.recorder.tables import Table, open_table


def corrected(table: Table, change: ChangeData) -> list[ChangeData]:
    """Record a correction as the page does; returns its changes."""
    with table.recorder.night(table.night) as night:
        changes = with_passes(night, 1, change)
    table.record("correct", changes=changes, reason="nhầm")
    return changes


def moves(table: Table) -> list[str]:
    """The moves that stand: `p2 5c`, `p3 -`."""
    return [
        f"{row['player']} {' '.join(row['cards']) or '-'}"
        for row in table.page(1)["moves"]
        if row["move"] and not row.get("struck_by")
    ]


def a_play(seat: str, *cards: str) -> dict[str, object]:
    return {"kind": "play", "seat": seat, "cards": list(cards)}


def test_a_play_of_whoever_was_said_to_have_passed(recorder: Recorder) -> None:
    """p4 played 2♦; it was recorded under p1, so that p4's pass was filled in, and p1's was not."""
    table = open_table(recorder).tell("round opening\np1 3s\np2 Ad\np1 2d\np2 4s 4c 5s 5c 6s 6c")
    assert moves(table)[2:5] == ["p3 -", "p4 -", "p1 2d"]
    changes = corrected(table, {"target": "4.2", "with": a_play("p4", "2d")})
    assert changes == [
        {"target": "4.2", "with": a_play("p4", "2d")},
        {"target": "4.1", "with": None},
        {"before": "5.0", "with": {"kind": "pass", "seat": "p1"}},
    ]
    assert moves(table) == ["p1 3s", "p2 Ad", "p3 -", "p4 2d", "p1 -", "p2 4s 4c 5s 5c 6s 6c"]
    assert not table.round()["findings"]


def test_one_undo_takes_it_all_back(recorder: Recorder) -> None:
    table = open_table(recorder).tell("round opening\np1 3s\np2 Ad\np1 2d\np2 4s 4c 5s 5c 6s 6c")
    before = moves(table)
    corrected(table, {"target": "4.2", "with": a_play("p4", "2d")})
    table.tell("undo")
    assert moves(table) == before


def test_what_a_correction_has_filled_in_is_worked_out_again_by_the_next(recorder: Recorder) -> None:
    table = open_table(recorder).tell("round opening\np1 3s\np2 5c\np1 9d")
    corrected(table, {"target": "3.0", "with": a_play("p3", "5c")})
    assert moves(table) == ["p1 3s", "p2 -", "p3 5c", "p4 -", "p1 9d"]
    corrected(table, {"target": "5.0", "with": a_play("p2", "5c")})
    assert moves(table) == ["p1 3s", "p2 5c", "p3 -", "p4 -", "p1 9d"]
    assert not table.round()["findings"]


def test_a_move_is_corrected_as_often_as_it_was_wrong(recorder: Recorder) -> None:
    """What the first correction has struck lies between the passes and their play."""
    table = open_table(recorder).tell("round opening\np1 3s\np4 9d")
    for change, expected in (
        (a_play("p3", "9d"), ["p1 3s", "p2 -", "p3 9d"]),
        (a_play("p2", "9d"), ["p1 3s", "p2 9d"]),
        (a_play("p4", "9d"), ["p1 3s", "p2 -", "p3 -", "p4 9d"]),
        (None, ["p1 3s"]),
    ):
        corrected(table, {"target": table.page(1)["moves"][-1]["address"], "with": change})
        assert moves(table) == expected


def test_a_pass_alone_is_not_made_up_again(recorder: Recorder) -> None:
    table = open_table(recorder).tell("round opening\np1 3s\np4 9d\np1 Td")
    with table.recorder.night(table.night) as night:
        assert with_passes(night, 1, {"target": "3.1", "with": None}) == [{"target": "3.1", "with": None}]


def test_a_forgotten_play_takes_the_place_of_a_pass_that_was_filled_in(recorder: Recorder) -> None:
    table = open_table(recorder).tell("round opening\np1 3s\np4 9d\np1 Td")
    corrected(table, {"before": "3.2", "with": a_play("p3", "5c")})
    assert moves(table) == ["p1 3s", "p2 -", "p3 5c", "p4 9d", "p1 Td"]


def test_a_play_that_never_was_takes_its_passes_with_it(recorder: Recorder) -> None:
    table = open_table(recorder).tell("round opening\np1 3s\np3 5c\np4 9d")
    corrected(table, {"target": "3.1", "with": None})
    assert moves(table) == ["p1 3s", "p2 -", "p3 -", "p4 9d"]
    table.tell("undo\nundo")
    corrected(table, {"target": "3.1", "with": None})
    assert moves(table) == ["p1 3s"]


def test_passes_that_were_entered_stay(recorder: Recorder) -> None:
    table = open_table(recorder).tell("round opening\np1 3s\np2 -\np3 -\np4 5c")
    assert corrected(table, {"target": "5.0", "with": a_play("p4", "5d")}) == [
        {"target": "5.0", "with": a_play("p4", "5d")}
    ]
    assert moves(table) == ["p1 3s", "p2 -", "p3 -", "p4 5d"]


def test_all_others_pass_on_what_another_player_played(recorder: Recorder) -> None:
    """*All others pass* meant p2 only; the 9♦ was p4's, so that p1 has passed, too."""
    table = open_table(recorder).tell("round opening\np1 3s\np2 4c\np1 9d\np2 -")
    corrected(table, {"target": "4.2", "with": a_play("p4", "9d")})
    assert moves(table) == ["p1 3s", "p2 4c", "p3 -", "p4 9d", "p1 -", "p2 -"]
    table.tell("undo\np1 Td")
    corrected(table, {"target": "4.2", "with": a_play("p1", "9h")})
    assert moves(table) == ["p1 3s", "p2 4c", "p3 -", "p4 -", "p1 9h", "p2 -", "p1 Td"]


def test_of_all_who_passed_one_had_played(recorder: Recorder) -> None:
    """The pile goes on until all others have passed on that play."""
    table = open_table(recorder).tell("round opening\np1 3s")
    table.record("pass", seat="p4", passed=["p2", "p3"])
    corrected(table, {"target": "3.1", "with": a_play("p3", "9d")})
    assert moves(table) == ["p1 3s", "p2 -", "p3 9d", "p4 -", "p1 -"]


def test_of_passes_one_by_one_nobody_else_passes(recorder: Recorder) -> None:
    """Whose play it was that all passed on may still answer the play that one of these passes was."""
    table = open_table(recorder).tell("round opening\np1 3s\np2 -\np3 -\np4 -")
    corrected(table, {"target": "4.0", "with": a_play("p3", "9d")})
    assert moves(table) == ["p1 3s", "p2 -", "p3 9d", "p4 -"]


def test_whoever_played_has_not_passed_and_nobody_passes_twice(recorder: Recorder) -> None:
    table = open_table(recorder).tell("round opening\np1 3s\np2 9d\np3 -\np4 -")
    corrected(table, {"target": "3.0", "with": a_play("p3", "9d")})
    assert moves(table) == ["p1 3s", "p2 -", "p3 9d", "p4 -"]


def test_the_first_play_of_another_player_than_was_said_to_lead(recorder: Recorder) -> None:
    table = open_table(recorder).tell("round lead p1\np1 3s\np2 5c\np3 9d")
    changes = corrected(table, {"target": "2.0", "with": a_play("p4", "3s")})
    assert changes[0] == {
        "target": "1.0",
        "with": {"kind": "round", "leader": "p4", "seats": ["p1", "p2", "p3", "p4"]},
    }
    assert moves(table) == ["p4 3s", "p1 -", "p2 5c", "p3 9d"]
    assert table.page(1)["leader"] == "p4"

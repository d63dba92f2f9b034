"""Previews of corrections, and who speaks for a seat. Their outcomes: tests/cases/nights/corrections.txt."""

import json

from ledger.recorder import Link, Role
from tests.recorder.tables import A_SETTLED_ROUND, Table, run


def test_a_preview_tells_what_would_change_and_changes_nothing(table: Table) -> None:
    table.tell(A_SETTLED_ROUND)
    before = table.contents()
    cards = f"3c 3d 3h {run('c', '5', 'K')}".split()
    preview = table.preview(
        "correct",
        changes=[{"target": "6.0", "with": {"kind": "show", "seat": "p2", "cards": cards}}],
        reason="không có heo",
    )
    assert table.contents() == before
    (change,) = preview["moves"]
    assert (change["before"]["address"], change["after"]["address"]) == ("6.0", "8.0")
    assert [len(preview[side]["payments"]) for side in ("before", "after")] == [2, 1]
    assert preview["balances"] == {
        "before": {"p1": 3, "p2": -3, "p3": 0, "p4": 0},
        "after": {"p1": 2, "p2": -2, "p3": 0, "p4": 0},
    }
    assert [payment["reverses"] for payment in preview["posted"]] == ["7.1"]
    assert json.loads(json.dumps(preview)) == preview


def test_a_preview_names_the_moves_whose_verdict_changes(table: Table) -> None:
    table.tell("round opening \n p1 3s \n p2 5c \n p3 6c")
    preview = table.preview("correct", changes=[{"target": "3.0", "with": None}], reason="nhầm")
    struck_one, later = preview["moves"]
    assert struck_one["after"] is None
    assert (later["before"]["code"], later["after"]["code"]) == (None, "not-your-turn")
    assert later["after"]["message"]


def test_a_seat_speaks_for_nobody_else_whatever_it_says(table: Table) -> None:
    table.tell(A_SETTLED_ROUND)
    request = table.request("confirm", {"round": 1, "player": "p2"})
    table.recorder.record(table.night, request, Link(table.night, Role.SEAT, "p1"))
    assert table.ask.agreement().agreed[1].keys() == {"p1"}

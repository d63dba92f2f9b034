"""Recording events: refused by field, and recorded once. Refusals by the rules are in `tests/recorder`."""

from typing import Any

import pytest

from ledger.recorder import KINDS
from tests.web.phones import Data, Phone, Table, answered, assert_worded


def refused(keeper: Phone, status: int, code: str, kind: str, **content: Any) -> Data:
    """Send an event that must be refused and change nothing."""
    before = keeper.log()
    response = keeper.ask(kind, **content)
    problem = answered(response)
    assert (response.status_code, problem["code"]) == (status, code), problem
    assert response.content_type == "application/problem+json"
    assert keeper.log() == before
    return problem


# Idempotency


def test_the_same_event_again_is_answered_with_the_board_of_today_and_not_recorded(keeper: Phone) -> None:
    event = keeper.event("round", opening=True)
    first, second = keeper.post(event), keeper.post(event)
    assert (first.status_code, second.status_code) == (201, 200)
    assert first.get_json() == second.get_json()
    keeper.after = event["id"]
    keeper.record("play", seat="p1", cards=["3s"])
    again = answered(keeper.post(event))
    assert (again["seq"], again["hash"]) == (1, answered(first)["hash"])
    assert again["board"]["seq"] == len(keeper.log()) == 2


def test_an_event_after_an_older_one_is_stale_and_told_what_came_since(table: Table) -> None:
    late, quick = table.keeper, table.keeper
    quick.record("round", opening=True)
    problem = refused(late, 409, "stale", "round", opening=True)
    assert [event["kind"] for event in problem["events"]] == ["round"]
    assert problem["events"] == quick.log()


# Malformed requests


PASS = {"before": "2.0", "with": {"kind": "pass", "seat": "p2", "stood": True}}
CHANGES: list[tuple[list[Data], str]] = [
    ([], "changes"),
    ([PASS] * 65, "changes"),
    ([{"target": "0.0", "with": None}], "changes.0.target"),
    ([{"target": "99999999999.0", "with": None}], "changes.0.target"),
    ([{"target": "2.0", "before": "2.0", "with": None}], "changes.0.target"),
    ([{"before": "2.0", "with": None}], "changes.0.with"),
    ([{"target": "2.0", "with": {"kind": "settle"}}], "changes.0.with"),
]
NO_IDS: tuple[object, ...] = (None, "", "x", 5, [])
NO_KINDS: tuple[object, ...] = (None, 7, True, ["play"], {"play": 1})
PEOPLE: list[tuple[str, Data, str]] = [
    ("join", {}, "name"),
    ("join", {"name": 5}, "name"),
    ("join", {"name": "Em", "player": "p5"}, "player"),
    ("join", {"name": "Em", "after": "now"}, "after"),
    ("rename", {"player": "p2"}, "name"),
    ("rename", {"player": "p13", "name": "Em"}, "player"),
    ("rename", {"player": "p5", "name": "Em"}, "player"),
    ("revoke", {}, "role"),
    ("revoke", {"role": "host"}, "role"),
    ("revoke", {"role": "seat"}, "player"),
    ("revoke", {"role": "seat", "player": "p5"}, "player"),
    ("revoke", {"role": "watch", "player": "p1"}, "player"),
]


@pytest.mark.parametrize("kind", ["fold", "", "__class__"])
def test_a_kind_that_cannot_be_recorded_is_refused_with_those_that_can(idle: Phone, kind: str) -> None:
    problem = refused(idle, 400, "unreadable", kind, target="1.0")
    assert_worded(problem)
    assert problem["fields"] == {"kind": [f"a kind of event ({', '.join(KINDS)})"]}


@pytest.mark.parametrize(
    ("kind", "content", "fields"),
    [
        ("round", {}, {"leader"}),
        ("round", {"opening": True, "leader": "p1"}, {"leader"}),
        ("round", {"opening": False}, {"opening"}),
        ("round", {"opening": 1}, {"opening"}),
        ("round", {"opening": True, "seats": ["p1"]}, {"seats"}),
        ("round", {"opening": True, "seats": ["p1", "p1"]}, {"seats"}),
        ("round", {"opening": True, "seats": ["p1", "p13"]}, {"seats.1"}),
        ("round", {"leader": "p0"}, {"leader"}),
        ("play", {}, {"seat", "cards"}),
        ("play", {"seat": "p1", "cards": []}, {"cards"}),
        ("play", {"seat": "p1", "cards": ["3s"] * 105}, {"cards"}),
        ("play", {"seat": "p1", "cards": ["3s", "3x"]}, {"cards.1"}),
        ("play", {"seat": "p1", "cards": ["1s", 3, None]}, {"cards.0", "cards.1", "cards.2"}),
        ("play", {"seat": "p1", "cards": "3s"}, {"cards"}),
        ("play", {"seat": 1, "cards": ["3s"]}, {"seat"}),
        ("play", {"seat": "p1", "cards": ["3s"], "passed": "p2"}, {"passed"}),
        ("play", {"seat": "p1", "cards": ["3s"], "stood": "yes"}, {"stood"}),
        ("play", {"seat": "p1", "cards": ["3s"], "at": "yesterday"}, {"at"}),
        ("play", {"seat": "p1", "cards": ["3s"], "at": "2026-13-45T20:15:03Z"}, {"at"}),
        ("play", {"seat": "p1", "cards": ["3s"], "at": "2026-11-20T20:15:03"}, {"at"}),
        ("play", {"seat": "p1", "cards": ["3s"], "hand": [], "format": 1}, {"hand", "format"}),
        ("pass", {"seat": "p1", "cards": ["3s"]}, {"cards"}),
        ("show", {"seat": "p1", "cards": ["3s"], "stood": True}, {"stood"}),
        ("show", {"seat": "p1", "cards": ["3s"], "round": 0}, {"round"}),
        ("declare", {"seat": "p1"}, {"sets"}),
        ("declare", {"seat": "p1", "sets": [], "cards": []}, {"cards"}),
        ("declare", {"seat": "p1", "sets": [[]]}, {"sets.0"}),
        ("declare", {"seat": "p1", "sets": ["2h"]}, {"sets.0"}),
        ("declare", {"seat": "p1", "sets": [["2h", "2x"]]}, {"sets.0.1"}),
        ("settle", {"round": "1"}, {"round"}),
        ("settle", {"round": True}, {"round"}),
        ("settle", {"round": 1.5}, {"expected"}),
        ("undo", {"seat": "p1"}, {"seat"}),
        ("adjust", {}, {"payer", "payee", "points", "reason"}),
        ("adjust", {"payer": "p1", "payee": "p1", "points": 1, "reason": "x"}, {"payee"}),
        ("adjust", {"payer": "p1", "payee": "p9", "points": 1, "reason": "x"}, {"payee"}),
        ("adjust", {"payer": "p1", "payee": "p2", "points": 0, "reason": "x"}, {"points"}),
        ("adjust", {"payer": "p1", "payee": "p2", "points": 10**9, "reason": "x"}, {"points"}),
        ("adjust", {"payer": "p1", "payee": "p2", "points": 1, "reason": ""}, {"reason"}),
        ("adjust", {"payer": "p1", "payee": "p2", "points": 1, "reason": "a;b"}, {"reason"}),
        ("adjust", {"payer": "p1", "payee": "p2", "points": 1, "reason": "x" * 201}, {"reason"}),
        ("reopen", {}, {"reason"}),
        *(("undo", {"after": after}, {"after"}) for after in NO_IDS),
        *((kind, {}, {"kind"}) for kind in NO_KINDS),
        *(("correct", {"changes": changes, "reason": "x"}, {field}) for changes, field in CHANGES),
        *((kind, content, {field}) for kind, content, field in PEOPLE),
    ],
)
def test_what_is_wrong_with_an_event_is_listed(
    idle: Phone, kind: str, content: Data, fields: set[str]
) -> None:
    problem = refused(idle, 400, "unreadable", kind, **content)
    assert set(problem.get("fields", ["expected"])) == fields
    assert_worded(problem)

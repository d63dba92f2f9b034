"""Recording events: refused by field, and recorded once. Refusals by the rules are in `tests/recorder`."""

import json
from typing import Any

import pytest

from ledger.recorder import KINDS
from tests.case_files import columns
from tests.nights import Data
from tests.web.phones import Phone, Table, answered, assert_worded


def refused(keeper: Phone, status: int, code: str, kind: str, **content: Any) -> Data:
    """Send an event that must be refused and change nothing."""
    before = keeper.log()
    response = keeper.ask(kind, **content)
    problem = answered(response)
    assert (response.status_code, problem["code"]) == (status, code), problem
    assert response.content_type == "application/problem+json"
    assert keeper.log() == before
    return problem


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


PASS = {"before": "2.0", "with": {"kind": "pass", "seat": "p2", "stood": True}}


@pytest.mark.parametrize("kind", ["fold", "", "__class__"])
def test_a_kind_that_cannot_be_recorded_is_refused_with_those_that_can(idle: Phone, kind: str) -> None:
    problem = refused(idle, 400, "unreadable", kind, target="1.0")
    assert_worded(problem)
    assert problem["fields"] == {"kind": [f"a kind of event ({', '.join(KINDS)})"]}


@pytest.mark.parametrize(
    ("event", "fields"),
    [
        *(
            (json.loads(event), fields)
            for event, fields in columns("requests.txt", "events with something wrong")
        ),
        ({"kind": "play", "seat": "p1", "cards": ["3s"] * 105}, "cards"),
        ({"kind": "adjust", "payer": "p1", "payee": "p2", "points": 1, "reason": "x" * 201}, "reason"),
        ({"kind": "correct", "changes": [PASS] * 65, "reason": "x"}, "changes"),
    ],
)
def test_what_is_wrong_with_an_event_is_listed(idle: Phone, event: Data, fields: str) -> None:
    problem = refused(idle, 400, "unreadable", **event)
    assert set(problem.get("fields", ["expected"])) == set(fields.split())
    assert_worded(problem)

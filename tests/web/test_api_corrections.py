"""Corrections, voids, results and what players say of them, over HTTP: who may, and with which status."""

from typing import Any

import pytest
from flask.testing import FlaskClient
from marshmallow import EXCLUDE

from ledger.web.api.answers import Preview, Recorded
from tests.web.phones import NIGHTS, Data, Phone, Table, answered, cards, new_id, settle_a_round

STRUCK = {"changes": [{"target": "2.0", "with": None}], "reason": "nhầm"}
ANOTHERS_TWO = {
    "changes": [
        {"target": "4.0", "with": {"kind": "declare", "seat": "p2", "sets": [["2c"]]}},
        {"target": "5.0", "with": {"kind": "declare", "seat": "p3", "sets": []}},
    ],
    "reason": "heo ở tay Bình",
}
"""In the settled round p3 declared the 2♣: entry 5."""


@pytest.fixture
def settled(table: Table) -> Table:
    settle_a_round(table.keeper)
    return table


def sent(phone: Phone, kind: str, **content: Any) -> tuple[int, str | None]:
    """Status and code of what a phone asks, on the board as it is."""
    response = phone.post({"id": new_id(), "after": phone.board()["after"], "kind": kind, **content})
    return response.status_code, answered(response).get("code")


def net(table: Table) -> list[int]:
    return list(table.keeper.board()["net"].values())


def test_a_correction_is_previewed_and_then_brings_what_was_promised(settled: Table) -> None:
    keeper, before = settled.caught_up(), settled.keeper.board()
    event = keeper.event("correct", **ANOTHERS_TWO)
    path = f"{NIGHTS}/{keeper.night}/events?preview=true"
    response = keeper.client.post(path, json=event, headers=keeper.headers)
    promised = answered(response)
    assert response.status_code == 200
    assert Preview(unknown=EXCLUDE).validate(promised) == {}
    assert (promised["seq"], promised["hash"]) == (before["seq"], before["hash"])
    assert settled.keeper.board() == before
    response = keeper.post(event)
    assert (response.status_code, Recorded(unknown=EXCLUDE).validate(answered(response))) == (201, {})
    assert settled.keeper.board()["net"] == promised["balances"]["after"] != before["net"]
    assert keeper.post(event).status_code == 200


def test_a_voided_round_is_reversed(settled: Table) -> None:
    assert any(net(settled))
    settled.caught_up().record("void", round=1, reason="chia nhầm")
    assert net(settled) == [0, 0, 0, 0]
    assert sent(settled.caught_up(), "void", round=1, reason="nữa") == (409, "round-void")
    assert sent(settled.caught_up(), "void", round=2, reason="nữa") == (422, "no-such-entry")


def test_a_result_is_entered_and_settled(table: Table) -> None:
    keeper = table.keeper
    keeper.record("round", opening=True)
    bomb = {"seat": "p1", "beat": "p2", "captured": cards("2d")}
    keeper.record("result", places=["p1", "p2", "p3", "p4"], bombs=[bomb])
    keeper.record("declare", seat="p4", sets=[])
    keeper.record("settle")
    assert net(table) == [4, -1, -1, -2]
    assert sent(keeper, "result", places=["p1"]) == (409, "round-settled")


def test_a_round_is_confirmed_disputed_and_decided(settled: Table) -> None:
    p2, p3 = settled.seat("p2"), settled.seat("p3")
    assert sent(p2, "confirm", round=1) == (201, None)
    assert sent(p2, "confirm", round=1) == (409, "already-confirmed")
    disputed = {"round": 1, "payment": {"seq": 7, "idx": 0}, "reason": "không phải"}
    assert sent(p3, "dispute", **disputed) == (201, None)
    assert sent(p2, "dispute", **disputed) == (409, "already-disputed")
    assert sent(p3, "dispute", round=1, move="99.0", reason="?") == (422, "no-such-entry")
    dispute = p3.log()[-1]["seq"]
    keeper = settled.keeper
    decision = {"dispute": dispute, "reason": "đã xem lại"}
    assert sent(keeper, "decide", **decision, decision="corrected") == (409, "nothing-corrected")
    assert sent(keeper, "decide", **decision, decision="kept") == (201, None)
    assert sent(keeper, "decide", **decision, decision="kept") == (409, "already-decided")
    assert sent(keeper, "decide", dispute=1, decision="kept", reason="?") == (422, "no-such-entry")


def test_a_payment_is_waived_once(settled: Table) -> None:
    before = net(settled)
    for status in ((201, None), (409, "already-decided")):
        disputed = {"round": 1, "payment": {"seq": 7, "idx": 0}, "reason": "không phải"}
        assert sent(settled.seat("p3"), "dispute", **disputed) == (201, None)
        decision = {"dispute": settled.keeper.log()[-1]["seq"], "decision": "waived", "reason": "thôi"}
        assert sent(settled.keeper, "decide", **decision) == status
    assert sum(map(abs, (now - was for now, was in zip(net(settled), before, strict=True)))) > 0


@pytest.mark.parametrize(
    "said",
    [
        {"places": ["p1", "p2", "p3", "p4"]},
        {"places": ["p1", "p2", "p3", "p4"], "bombs": [{"seat": "p1", "beat": "p2", "captured": ["2s"]}]},
    ],
    ids=["the same words", "one payment more"],
)
def test_a_waived_payment_stays_waived_by_a_correction_that_leaves_it(table: Table, said: Data) -> None:
    keeper = table.caught_up()
    keeper.record("round", opening=True)
    keeper.record("result", places=["p1", "p2", "p3", "p4"])
    keeper.record("declare", seat="p4", sets=[])
    keeper.record("settle")
    posted = accounts(table)["payments"]
    (place,) = [(row["seq"], row["idx"]) for row in posted if row["payer"] == "p3"]
    disputed = {"round": 1, "payment": dict(zip(("seq", "idx"), place, strict=True)), "reason": "sai"}
    assert sent(table.seat("p3"), "dispute", **disputed) == (201, None)
    decision = {"dispute": table.keeper.log()[-1]["seq"], "decision": "waived", "reason": "thôi"}
    assert sent(table.keeper, "decide", **decision) == (201, None)
    waived = accounts(table)
    assert waived["balances"]["p3"] == 0
    change = {"target": "2.0", "with": {"kind": "result", **said}}
    keeper.record("correct", changes=[change], reason="xem lại")
    now = accounts(table)
    assert now["balances"]["p3"] == 0
    assert now["payments"][: len(waived["payments"])] == waived["payments"]
    assert len(now["payments"]) - len(waived["payments"]) == len(said.get("bombs", ()))


def accounts(table: Table) -> Data:
    return answered(table.keeper.get("/ledger"))


def test_what_was_handed_over_makes_no_entry_stale_and_needs_no_after(settled: Table) -> None:
    keeper = settled.caught_up()
    paid = {"id": new_id(), "kind": "paid", "payer": "p4", "payee": "p1", "points": 2}
    assert keeper.post(paid).status_code == 201
    confirmed = settled.seat("p2").post({"id": new_id(), "kind": "confirm", "round": 1})
    assert confirmed.status_code == 201
    keeper.record("round", leader="p1")
    assert sent(keeper, "paid", payer="p1", payee="p1", points=2) == (400, "unreadable")


def test_a_seat_says_what_its_player_saw(settled: Table) -> None:
    p2, seen = settled.seat("p2"), settled.keeper.log()[-1]["seq"]
    settled.caught_up().record("void", round=1, reason="chia nhầm")
    problem = p2.post({"id": new_id(), "kind": "confirm", "round": 1, "seen": seen})
    assert (problem.status_code, problem.get_json()["code"]) == (409, "stale")
    assert [event["kind"] for event in problem.get_json()["events"]] == ["void"]
    assert sent(p2, "confirm", round=1, seen=seen + 1) == (409, "round-not-settled")
    assert sent(p2, "confirm", round=1, seen="all of it") == (400, "unreadable")


ASKED: dict[str, dict[str, Any]] = {
    "correct": STRUCK,
    "void": {"round": 1, "reason": "?"},
    "result": {"places": ["p1", "p2"]},
    "decide": {"dispute": 1, "decision": "kept", "reason": "?"},
    "paid": {"payer": "p1", "payee": "p2", "points": 1},
    "undo": {},
    "settle": {},
    "adjust": {"payer": "p1", "payee": "p2", "points": 1, "reason": "?"},
    "join": {"name": "Em"},
}


@pytest.mark.parametrize("kind", ASKED)
def test_a_seat_confirms_and_disputes_and_nothing_else(settled: Table, kind: str) -> None:
    before = settled.keeper.log()
    for phone in (settled.seat("p2"), settled.watch):
        assert sent(phone, kind, **ASKED[kind]) == (403, "forbidden")
    assert settled.keeper.log() == before


@pytest.mark.parametrize(
    ("kind", "content"),
    [("confirm", {"round": 1}), ("dispute", {"round": 1, "move": "2.0", "reason": "?"})],
)
def test_only_a_seat_speaks_for_its_player(settled: Table, kind: str, content: dict[str, Any]) -> None:
    for phone in (settled.keeper, settled.watch):
        assert sent(phone, kind, **content) == (403, "forbidden")
    assert sent(settled.seat("p2"), kind, **content, player="p3") == (400, "unreadable")


def test_a_revoked_seat_confirms_nothing(settled: Table) -> None:
    settled.keeper.record("revoke", role="seat", player="p2")
    before = settled.keeper.log()
    event = {"id": new_id(), "kind": "confirm", "round": 1}
    assert settled.seat("p2").post(event).status_code == 404
    assert settled.keeper.log() == before
    assert settled.seat("p3").post(event).status_code == 201


PASS = {"before": "2.0", "with": {"kind": "pass", "seat": "p2", "stood": True}}


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ([], (400, "unreadable")),
        ([PASS] * 65, (400, "unreadable")),
        ([{"target": "0.0", "with": None}], (400, "unreadable")),
        ([{"target": "99999999999.0", "with": None}], (400, "unreadable")),
        ([{"target": "2.0", "before": "2.0", "with": None}], (400, "unreadable")),
        ([{"before": "2.0", "with": None}], (400, "unreadable")),
        ([{"target": "2.0", "with": {"kind": "settle"}}], (400, "unreadable")),
        ([{"target": "999999999.0", "with": None}], (422, "no-such-entry")),
        ([{"target": "8.0", "with": None}], (422, "no-such-entry")),
        ([{"before": "1.0", "with": PASS["with"]}], (400, "unreadable")),
        ([PASS] * 64, (201, None)),
    ],
)
def test_a_list_of_changes_is_read_or_refused(
    client: FlaskClient, settled: Table, changes: list[dict[str, Any]], expected: tuple[int, str | None]
) -> None:
    settled.keeper.post({"id": new_id(), "kind": "join", "name": "Em"})  # entry 8, of no round
    before = settled.keeper.log()
    assert sent(settled.keeper, "correct", changes=changes, reason="nhầm") == expected
    assert (settled.keeper.log() == before) == (expected[0] != 201)

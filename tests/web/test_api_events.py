"""Recording events: every kind, every refusal, and never twice."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from flask.testing import FlaskClient

from ledger.recorder import KINDS
from ledger.web.api.answers import Recorded
from tests.web.phones import (
    Data,
    Phone,
    Table,
    answered,
    assert_worded,
    cards,
    new_id,
    open_table,
    play_a_round,
    settle_a_round,
)


def refused(keeper: Phone, status: int, code: str, kind: str, **content: Any) -> Data:
    """Ask for an event that must be refused, and leave no trace."""
    before = keeper.log()
    response = keeper.ask(kind, **content)
    problem = answered(response)
    assert (response.status_code, problem["code"]) == (status, code), problem
    assert response.content_type == "application/problem+json"
    assert keeper.log() == before
    return problem


def test_every_kind_that_the_recorder_knows_has_a_schema() -> None:
    assert all(event.kind == kind for kind, event in KINDS.items())


def test_a_night_with_every_kind_of_event(client: FlaskClient) -> None:
    keeper = open_table(client).keeper
    recorded = keeper.record("round", opening=True, seats=["p1", "p2", "p3", "p4"])
    assert Recorded().validate(recorded) == {}
    keeper.record("play", seat="p1", cards=["3s", "3c"], at="2026-11-20T20:15:03.120+07:00")
    keeper.record("pass", seat="p2")
    keeper.record("undo")
    keeper.record("redo")
    keeper.record("play", seat="p4", cards=["10♠", "Tc"], passed=["p3"], stood=True)
    board = keeper.record("undo")["board"]
    assert board["round"]["pile"][-1]["cards"] == ["3s", "3c"]
    keeper.record("undo")
    keeper.record("undo")
    keeper.record("play", seat="p1", cards=cards("3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks As"))
    keeper.record("play", seat="p1", cards=["2s"])
    keeper.record("show", seat="p2", cards=cards("3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac 2c"), round=1)
    keeper.record("declare", seat="p3", sets=[["2d"], ["2h"]])
    keeper.record("declare", seat="p4", sets=[])
    board = keeper.record("settle", round=1)["board"]
    assert board["posted"]
    assert sum(board["net"].values()) == 0
    keeper.record("adjust", payer="p1", payee="p2", points=5, reason="late again")
    hand = cards("3s 3c 3d 3h 4s 4c 5s 5c 6s 6c 7s 7c 8s")
    keeper.record("round", leader="p1")
    keeper.record("claim", seat="p1", cards=hand, stood=True)
    keeper.record("settle")
    assert keeper.record("end")["board"]["ended"]
    assert not keeper.record("reopen", reason="one more")["board"]["ended"]


def test_a_play_records_the_passes_that_it_implies(keeper: Phone) -> None:
    keeper.record("round", opening=True)
    keeper.record("play", seat="p1", cards=["3s"])
    rows = keeper.record("play", seat="p4", cards=["4s"])["board"]["round"]["moves"]
    assert [(row["player"], row["kind"], row["implied"]) for row in rows] == [
        ("p1", "play", False),
        ("p2", "pass", True),
        ("p3", "pass", True),
        ("p4", "play", False),
    ]
    assert [row["address"] for row in rows] == ["2.0", "3.0", "3.1", "3.2"]


# Once, and only once


def test_the_same_event_again_is_answered_and_not_recorded(keeper: Phone) -> None:
    event = keeper.event("round", opening=True)
    first, second = keeper.post(event), keeper.post(event)
    assert (first.status_code, second.status_code) == (201, 200)
    assert first.get_json() == second.get_json()
    assert len(keeper.log()) == 1


def test_an_event_repeated_days_later_is_answered_with_the_board_of_today(keeper: Phone) -> None:
    event = keeper.event("round", opening=True)
    first = answered(keeper.post(event))
    keeper.after = event["id"]
    keeper.record("play", seat="p1", cards=["3s"])
    again = answered(keeper.post(event))
    assert (again["seq"], again["hash"]) == (first["seq"], first["hash"])
    assert again["board"]["seq"] == 2


def test_an_id_is_not_reused_for_another_event(keeper: Phone) -> None:
    event = keeper.event("round", opening=True)
    keeper.post(event)
    response = keeper.post(event | {"seats": ["p1", "p2"]})
    assert (response.status_code, answered(response)["code"]) == (422, "id-reused")


def test_an_event_after_an_older_one_is_stale_and_told_what_came_since(table: Table) -> None:
    late, quick = table.keeper, table.keeper
    quick.record("round", opening=True)
    problem = refused(late, 409, "stale", "round", opening=True)
    assert [event["kind"] for event in problem["events"]] == ["round"]
    assert problem["events"] == quick.log()


def test_an_event_after_one_that_was_never_recorded_is_stale(keeper: Phone) -> None:
    keeper.after = new_id()
    assert refused(keeper, 409, "stale", "round", opening=True)["events"] == []


def test_of_two_phones_that_record_after_the_same_event_one_does(table: Table) -> None:
    """Many at once, each from a client of its own."""
    table.keeper.record("round", opening=True)
    after = table.keeper.log()[-1]["id"]
    phones = [
        Phone(table.client.application.test_client(), table.night, table.tokens["keeper"], after)
        for _ in range(8)
    ]
    with ThreadPoolExecutor(len(phones)) as threads:
        answers = list(
            threads.map(lambda phone: phone.ask("play", seat="p1", cards=["3s"]).status_code, phones)
        )
    assert sorted(answers) == [201, *[409] * 7]
    assert len(table.keeper.log()) == 2


def test_a_phone_that_sends_the_same_event_many_times_at_once_records_it_once(table: Table) -> None:
    event = table.keeper.event("round", opening=True)
    phones = [
        Phone(table.client.application.test_client(), table.night, table.tokens["keeper"]) for _ in range(8)
    ]
    with ThreadPoolExecutor(len(phones)) as threads:
        answers = list(threads.map(lambda phone: phone.post(event).status_code, phones))
    assert sorted(answers) == [*[200] * 7, 201]
    assert len(table.keeper.log()) == 1


# What the state of the night refuses


def test_a_night_that_has_ended_takes_nothing(keeper: Phone) -> None:
    keeper.record("end")
    refused(keeper, 409, "night-ended", "round", opening=True)
    refused(keeper, 409, "night-ended", "end")


def test_a_night_that_goes_on_is_not_reopened(keeper: Phone) -> None:
    refused(keeper, 409, "night-not-ended", "reopen", reason="one more")


def test_a_night_does_not_end_with_a_round_that_is_not_settled(keeper: Phone) -> None:
    play_a_round(keeper)
    assert refused(keeper, 409, "unsettled-round", "end")["rounds"] == [1]


def test_a_settled_round_is_not_settled_again_or_shown(keeper: Phone) -> None:
    settle_a_round(keeper)
    refused(keeper, 409, "round-settled", "settle")
    refused(keeper, 409, "round-settled", "settle", round=1)
    refused(keeper, 409, "round-settled", "show", seat="p2", cards=["3c"])
    refused(keeper, 409, "round-settled", "play", seat="p2", cards=["3c"])


def test_nothing_to_undo_and_nothing_to_redo(keeper: Phone) -> None:
    refused(keeper, 409, "nothing-to-undo", "undo")
    refused(keeper, 409, "nothing-to-redo", "redo")


# What the rules refuse


def test_a_refusal_by_the_rules_names_code_clause_and_cards_in_the_callers_language(keeper: Phone) -> None:
    keeper.record("round", opening=True)
    keeper.record("play", seat="p1", cards=["3s", "3c"])
    problem = refused(keeper, 422, "does-not-beat", "play", seat="p2", cards=["4s"])
    assert problem["clause"] == "S-COMPARE"
    assert (problem["offered"], problem["top"]) == (["4s"], ["3s", "3c"])
    assert (problem["verdict"], problem["player"]) == ("irregular", "p2")
    event = keeper.event("play", seat="p2", cards=["3s"])
    in_english = answered(keeper.post(event, **{"Accept-Language": "en"}))["detail"]
    in_vietnamese = answered(keeper.post(event, **{"Accept-Language": "vi"}))["detail"]
    assert "An" in in_english
    assert "An" in in_vietnamese
    assert in_english != in_vietnamese


def test_a_round_that_another_should_lead_is_refused_and_may_stand(keeper: Phone) -> None:
    settle_a_round(keeper)
    assert refused(keeper, 422, "wrong-leader", "round", leader="p2")["expected"] == ["p1"]
    assert keeper.record("round", leader="p2", stood=True)["board"]["round"]["stood"]


def test_an_irregular_move_is_recorded_if_the_table_let_it_stand(keeper: Phone) -> None:
    keeper.record("round", opening=True)
    refused(keeper, 422, "must-open-lowest", "play", seat="p1", cards=["4s"])
    board = keeper.record("play", seat="p1", cards=["4s"], stood=True)["board"]
    assert [finding["code"] for finding in board["round"]["findings"]] == ["must-open-lowest"]


def test_an_impossible_move_is_refused_whatever_stood(keeper: Phone) -> None:
    keeper.record("round", opening=True)
    keeper.record("play", seat="p1", cards=["3s"])
    problem = refused(keeper, 422, "card-already-played", "play", seat="p2", cards=["3s"], stood=True)
    assert (problem["holder"], problem["move"]) == ("p1", 1)


@pytest.mark.parametrize(
    ("kind", "content", "code"),
    [
        ("play", {"seat": "p1", "cards": ["3s"]}, "no-round"),
        ("settle", {}, "no-round"),
        ("round", {"opening": True, "seats": ["p1", "p9"]}, "not-seated"),
    ],
)
def test_before_the_first_round(keeper: Phone, kind: str, content: Data, code: str) -> None:
    refused(keeper, 422, code, kind, **content)


def test_a_player_who_is_not_in_the_night_is_the_one_who_is_named(keeper: Phone) -> None:
    for header in ({"leader": "p2"}, {"opening": True}):
        problem = refused(keeper, 422, "not-seated", "round", seats=["p2", "p9"], **header)
        assert problem["player"] == "p9"
        assert problem["detail"].startswith("p9 ")


def test_going_forward_where_nobody_is_due_is_refused_in_words_of_its_own(keeper: Phone) -> None:
    keeper.record("round", opening=True)
    play: Data = {"seat": "p1", "cards": ["3s"], "forward": True}
    problem = refused(keeper, 422, "not-your-turn", "play", **play)
    assert (problem["clause"], problem["expected"]) == ("S-FORWARD", [])
    assert "tiến lên ở đây" in problem["detail"]
    board = keeper.record("play", **play, stood=True)["board"]
    (finding,) = board["round"]["findings"]
    assert "tiến lên với 3♠" in finding["message"]


# What cannot be read


@pytest.mark.parametrize("kind", ["fold", "", "__class__"])
def test_a_kind_that_cannot_be_recorded_is_refused_with_those_that_can(keeper: Phone, kind: str) -> None:
    problem = refused(keeper, 400, "unreadable", kind, target="1.0")
    assert_worded(problem)
    assert problem["fields"] == {"kind": [f"a kind of event ({', '.join(KINDS)})"]}


@pytest.mark.parametrize("kind", [None, 7, True, ["play"], {"play": 1}])
def test_a_kind_that_is_no_text_is_refused(keeper: Phone, kind: object) -> None:
    response = keeper.post(keeper.event("play") | {"kind": kind})
    assert (response.status_code, list(answered(response)["fields"])) == (400, ["kind"])


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
    ],
)
def test_what_is_wrong_with_an_event_is_listed(
    keeper: Phone, kind: str, content: Data, fields: set[str]
) -> None:
    problem = refused(keeper, 400, "unreadable", kind, **content)
    assert set(problem.get("fields", ["expected"])) == fields
    assert_worded(problem)


@pytest.mark.parametrize("missing", ["id", "after", "kind"])
def test_what_every_event_needs(keeper: Phone, missing: str) -> None:
    event = keeper.event("undo")
    del event[missing]
    response = keeper.post(event)
    assert response.status_code == 400
    assert answered(response)["fields"] == {missing: ["missing"]}


@pytest.mark.parametrize("after", [None, "", "x", 5, []])
def test_after_is_an_id(keeper: Phone, after: object) -> None:
    response = keeper.post(keeper.event("undo") | {"after": after})
    assert (response.status_code, list(answered(response)["fields"])) == (400, ["after"])

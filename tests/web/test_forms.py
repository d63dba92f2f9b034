"""What the fields of a form record: from a page without scripts, and as a phone has queued them."""

from collections.abc import Mapping
from typing import Any

import pytest

from ledger.web import forms
from tests.nights import new_id
from tests.web.phones import Phone, Table

HAND = {"seat": ["p1"], "cards": ["3s", "3c"]}
PLAY = {"kind": "play", "seat": "p1", "cards": ["3s", "3c"]}
COVERING = {"payer": ["p1"], "covered": ["p1", "p2"], "why": ["let-through"], "round": ["7"]}
OWED = {"note": ["owes"], "player": ["p2"], "other": ["p1"], "count": ["1"], "card": ["any-two"]}

CASES: list[tuple[str, Mapping[str, list[str]], dict[str, Any]]] = [
    ("undo", {}, {"kind": "undo"}),
    ("play", HAND, PLAY),
    ("play", {**HAND, "locks": ["no"]}, PLAY | {"locks": False}),
    (
        "play",
        {**HAND, "stood": ["play"], "passed": ["p3 p4"]},
        PLAY | {"stood": True, "passed": ["p3", "p4"]},
    ),
    ("forward", HAND, PLAY | {"forward": True}),
    ("claim", HAND, PLAY | {"kind": "claim"}),
    ("pass", {"seat": ["p3"], "others": ["p2 p3 p4"]}, {"kind": "pass", "seat": "p3", "passed": ["p2"]}),
    ("pass", {"seat": ["p1"], "others": ["p2 p3 p4"]}, {"kind": "pass", "seat": "p1"}),
    ("pass-all", {"others": ["p2 p3"]}, {"kind": "pass", "seat": "p3", "passed": ["p2"]}),
    ("contract two", HAND, {"kind": "contract", "seat": "p1", "contract": "two"}),
    ("declare", HAND, PLAY | {"kind": "declare"}),
    ("show", {**HAND, "round": ["7"]}, PLAY | {"kind": "show", "round": 7}),
    ("none", {"seat": ["p1"], "round": ["7"]}, {"kind": "declare", "seat": "p1", "cards": [], "round": 7}),
    ("cover", COVERING, {"kind": "cover", "seat": "p1", "covered": ["p2"], "why": "let-through", "round": 7}),
    ("settle", {"round": ["7"]}, {"kind": "settle", "round": 7}),
    ("round", {"seats": ["p1", "p2", ""]}, {"kind": "round", "opening": True, "seats": ["p1", "p2"]}),
    ("round", {"leader": ["p2"], "times": ["", "2", "10"]}, {"kind": "round", "leader": "p2", "times": 10}),
    ("note", OWED, {"kind": "note", "note": "owes p2 p1 1 any-two"}),
    ("note", {"due": ["deals p1"]}, {"kind": "note", "note": "deals p1"}),
    (
        "result",
        {"places": ["p2", "p1"], "extra": ["bomb p1 p2 2d"]},
        {
            "kind": "result",
            "places": ["p2", "p1"],
            "knocked_out": [],
            "bombs": [{"seat": "p1", "beat": "p2", "captured": ["2d"]}],
        },
    ),
]


@pytest.mark.parametrize(("button", "fields", "content"), CASES)
def test_a_button_records_what_the_fields_of_its_form_say(
    button: str, fields: Mapping[str, list[str]], content: dict[str, object]
) -> None:
    assert forms.content_of({**fields, "kind": [button]}) == content


def test_the_cards_of_a_note_are_typed_in_the_letters_of_the_language(table: Table) -> None:
    typed = {"note": ["gives"], "player": ["p1"], "other": ["p2"], "cards": ["3b, 4r"]}
    with table.client.application.test_request_context(headers={"Accept-Language": "vi"}):
        assert forms.content_of({**typed, "kind": ["note"]})["note"] == "gives p1 p2 3s 4d"


def queued(keeper: Phone, button: str, fields: Mapping[str, list[str]], **decided: Any) -> Any:
    return keeper.ask("form", form={**fields, "kind": [button]}, **decided)


def test_a_queued_form_is_recorded_once_as_its_event_is(keeper: Phone) -> None:
    assert queued(keeper, "round", {"leader": ["p1"]}).status_code == 201
    event = keeper.event("form", form={**HAND, "kind": ["play"]}, at="2026-03-01T20:00:00Z")
    first, second = keeper.post(event), keeper.post(event)
    assert (first.status_code, second.status_code) == (201, 200)
    body = keeper.log()[-1]["body"]
    assert '"kind":"play"' in body
    assert '"2026-03-01T20:00:00Z"' in body
    as_event = {name: event[name] for name in ("id", "after", "at")} | PLAY
    assert keeper.post(as_event).status_code == 200


def test_what_a_person_decides_about_a_queued_form_is_laid_over_it(keeper: Phone) -> None:
    keeper.tell("round lead p1")
    out_of_turn = {"seat": ["p3"], "cards": ["4s"]}
    assert queued(keeper, "play", out_of_turn).status_code == 422
    assert queued(keeper, "play", out_of_turn, stood=True, passed=[]).status_code == 201


@pytest.mark.parametrize(
    "form", [None, "kind=play", {"kind": "play"}, {"kind": [1]}, {"kind": ["play", "play"]}, {"seat": ["p1"]}]
)
def test_what_is_no_form_is_refused(idle: Phone, form: object) -> None:
    answer = idle.post({"id": new_id(), "after": idle.after, "kind": "form", "form": form})
    assert (answer.status_code, answer.get_json()["code"]) == (400, "unreadable")

"""The texts of the log are read back as they were written; anything else is refused."""

import gc
from typing import Any

import pytest

from ledger.store import (
    FORMAT,
    WITH_PHONE,
    BodyUnreadable,
    EventBody,
    NewCorrection,
    StoredEvent,
    event_hash,
    new_event,
    read_event,
    read_sealed,
    write_event,
)
from ledger.store.event_codec import read_night
from tests.store.making import NOW, compact, paid

GREATEST = 2**53

EVENT = EventBody(
    format=FORMAT,
    night="a night",
    seq=5,
    id="an id",
    kind="settle",
    round=2,
    after="another id",
    actor="keeper",
    at=NOW,
    client_at=NOW,
    content={"lý do": "♠"},
    parts=[
        {"corrects": "1.0"},
        {"kind": "join", "player": "p5", "name": "00"},
        {"kind": "revoke", "role": "seat", "player": "p5"},
        {"kind": "revoke", "role": "watch"},
        {"corrects": "3.2"},
    ],
    payments=(paid("p1", "p2", 3, cause="1.0"), paid("p2", "p1", 1, reverses=(2, 0))),
    net={"p1": -2, "p2": 2},
    engine="1",
)
ALONE = EVENT._replace(after=None, client_at=None, parts=[], payments=[], net={})
BY_A_PHONE = EVENT._replace(format=WITH_PHONE, phone="3f9a1c07 máy Tí")


def sealed(text: str, event: EventBody = EVENT) -> StoredEvent:
    """The row of an event with another text, chained with it."""
    return new_event(event, text, bytes(32)).row


@pytest.mark.parametrize("event", [EVENT, ALONE, BY_A_PHONE], ids=["whole", "alone", "by a phone"])
def test_an_event_is_read_as_it_was_written(event: EventBody) -> None:
    text = write_event(event)
    assert read_event(text) == event
    assert read_sealed(sealed(text, event)) == event


def test_what_an_event_corrects_names_and_revokes_is_read_from_its_parts() -> None:
    assert EVENT.corrections == (NewCorrection(0, 1, 0), NewCorrection(4, 3, 2))
    assert EVENT.names == {"p5": "00"}
    assert EVENT.revoked == [("seat", "p5"), ("watch", None)]
    assert (ALONE.corrections, ALONE.names, ALONE.revoked) == ((), {}, [])


def test_the_rows_of_an_event_are_those_of_its_text() -> None:
    event = new_event(EVENT, write_event(EVENT), bytes(32))
    row, reversed = event.row, {"reverses_seq": 2, "reverses_idx": 0}
    assert row[:7] == ("a night", 5, "an id", "settle", 2, 2, 4)
    assert (row.prev, row.hash) == (bytes(32), event_hash(bytes(32), row.body))
    common = {"night": "a night", "seq": 5, "reason": "placement", "clause": "S-PAY", "round": 1}
    first = {"idx": 0, "payer": "p1", "payee": "p2", "points": 3, "cause": "1.0"}
    second = {"idx": 1, "payer": "p2", "payee": "p1", "points": 1, "cause": None}
    assert [payment.model_dump() for payment in event.payments()] == [
        common | first | dict.fromkeys(reversed),
        common | second | reversed,
    ]


def changed(**fields: Any) -> str:
    """An event's text with other fields."""
    return compact(PLAIN | fields)


def payments(**fields: Any) -> list[dict[str, Any]]:
    return [PAYMENT | fields]


PAYMENT: dict[str, Any] = {
    "payer": "p1",
    "payee": "p2",
    "points": 1,
    "reason": "r",
    "clause": "c",
    "round": 1,
}
PAYMENT |= {"cause": None, "reverses": None}
PLAIN: dict[str, Any] = ALONE._asdict()
del PLAIN["phone"]
NIGHT: dict[str, Any] = {"night": "a night", "format": 1, "created_at": NOW, "players": {"p1": "00"}}

_NO_TEXT: tuple[Any, ...] = (1, None, True, [], {})
_NO_NUMBER: tuple[Any, ...] = ("1", 1.0, None, True, [], -1, GREATEST + 1)
_NO_ADDRESS = ("", "1", "1.", ".1", "1.1.1", "1,1", "-1.1", "1.x", "x.1", "1.٣", "٣.1", f"1.{'1' * 16}", 1.1)
OTHER_VALUES: dict[str, tuple[object, ...]] = {
    **dict.fromkeys(("night", "id", "kind", "actor", "at", "engine"), _NO_TEXT),
    **dict.fromkeys(("after", "client_at"), (1, True, [], {})),
    **dict.fromkeys(("seq", "round"), _NO_NUMBER),
    "format": ("1", 1.0, None, True, []),
    "content": (None, "", 1, []),
    "parts": (None, "", {}, [1], ["corrects"], [[]], [None]),
    "payments": (None, "", {}, [1], [[]], [None], [{}]),
    "net": (
        None,
        "",
        [],
        *({"p1": points} for points in (None, "1", 1.0, True, GREATEST + 1, -GREATEST - 1)),
    ),
}
OTHER_PAYMENTS: dict[str, tuple[object, ...]] = {
    **dict.fromkeys(("payer", "payee", "reason", "clause"), _NO_TEXT),
    **dict.fromkeys(("points", "round"), _NO_NUMBER),
    "cause": (1, True, []),
    "reverses": (*_NO_ADDRESS, True, [], {}),
    "more": (None,),
}
OTHER_PARTS: list[dict[str, Any]] = [
    *({"corrects": address} for address in (*_NO_ADDRESS, None, True)),
    *({"kind": kind, "player": "p5"} for kind in ("join", "rename")),
    *({"kind": "join", "player": player, "name": "00"} for player in _NO_TEXT),
    *({"kind": "revoke", "role": role} for role in _NO_TEXT),
    *({"kind": "revoke", "role": "seat", "player": player} for player in _NO_TEXT if player is not None),
]
OTHER_NIGHTS: dict[str, tuple[object, ...]] = {
    **dict.fromkeys(("night", "created_at"), _NO_TEXT),
    "format": _NO_NUMBER,
    "players": (None, "", ["p1"], *({"p1": name} for name in _NO_TEXT)),
}
NO_OBJECT = ["", " ", "1", "null", '"text"', "[]", "{", "{}x", "[" * 10_000, '{"a":NaN}', '{"a":1,"a":1}']


def test_the_texts_that_are_changed_are_valid_before() -> None:
    assert read_event(changed()) == ALONE
    assert read_event(changed(payments=payments(cause="1.0", reverses="1.0"))).payments
    assert read_night(compact(NIGHT)).players == NIGHT["players"]


def test_numbers_are_read_up_to_the_greatest() -> None:
    for number, place in ((0, 0), (GREATEST, 10**15 - 1)):
        paid = payments(points=number, round=number, reverses=f"{place}.{place}")
        event = read_event(
            changed(seq=number, round=number, payments=paid, net={"p1": number, "p2": -number})
        )
        (payment,) = event.payments
        assert (event.seq, event.round, payment.points, payment.round) == (number,) * 4
        assert payment.reverses == (place, place)
        assert event.net == {"p1": number, "p2": -number}
        assert read_night(compact(NIGHT | {"format": number})).format == number


def unreadable(text: str) -> None:
    with pytest.raises(BodyUnreadable):
        read_event(text)


def without(fields: dict[str, Any], field: str) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if name != field}


@pytest.mark.parametrize("field", PLAIN)
def test_a_field_of_an_event_that_is_missing_or_of_another_type_is_refused(field: str) -> None:
    unreadable(compact(without(PLAIN, field)))
    for value in OTHER_VALUES[field]:
        unreadable(changed(**{field: value}))


def test_a_field_that_an_event_of_its_format_has_not_is_refused() -> None:
    unreadable(changed(more=None))
    unreadable(changed(phone="3f9a1c07"))
    unreadable(changed(format=WITH_PHONE))
    for phone in _NO_TEXT:
        unreadable(changed(format=WITH_PHONE, phone=phone))


@pytest.mark.parametrize("field", OTHER_PAYMENTS)
def test_a_field_of_a_payment_that_is_missing_unknown_or_of_another_type_is_refused(field: str) -> None:
    if field in PAYMENT:
        unreadable(changed(payments=[without(PAYMENT, field)]))
    for value in OTHER_PAYMENTS[field]:
        unreadable(changed(payments=payments(**{field: value})))


def test_a_part_of_an_event_that_is_none_is_refused() -> None:
    for part in OTHER_PARTS:
        unreadable(changed(parts=[part]))


@pytest.mark.parametrize("field", NIGHT)
def test_a_field_of_a_night_that_is_missing_or_of_another_type_is_refused(field: str) -> None:
    for night in (
        without(NIGHT, field),
        *(NIGHT | {field: value} for value in OTHER_NIGHTS[field]),
    ):
        with pytest.raises(BodyUnreadable):
            read_night(compact(night))


def test_what_is_no_object_is_no_text_of_the_log() -> None:
    gc.collect()  # a finalizer that ran within the deepest text would fail
    for text in NO_OBJECT:
        unreadable(text)
        assert read_sealed(sealed(text)) is None


def test_a_text_is_taken_for_one_validated_before_only_if_its_hash_and_its_columns_answer_for_it() -> None:
    text = write_event(EVENT)
    row = sealed(text)
    assert read_sealed(row) == EVENT
    other: list[StoredEvent] = [
        row._replace(hash=bytes(32)),
        *(row._replace(seq=6), row._replace(id="x"), row._replace(kind="play"), row._replace(round=3)),
        *(sealed(f"{text} "), sealed(text[:-1] + ',"more":1}'), sealed(changed(payments=[1]))),
    ]
    for each in other:
        assert read_sealed(each) is None, each

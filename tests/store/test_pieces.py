"""Read in pieces, a text says what it says as a whole, or nothing at all."""

from collections.abc import Iterator
from typing import Any

import pytest

from ledger.store import NewCorrection
from ledger.store.bodies import BodyUnreadable, EventBody, event_said, read_object
from ledger.store.pieces import Beside, read_text
from tests.store.making import new_event, paid

PLAYED = new_event("018f4b1c-7d1e-7c3a-9a51-3f0c5f2b8e11", 1, bytes(32)).body
SETTLED = new_event(
    "018f4b1c-7d1e-7c3a-9a51-3f0c5f2b8e11",
    2,
    bytes(32),
    kind="settle",
    payments=[paid("p1", "p2", 3), paid("p3", "p2", 2, cause="1.0", reverses=(1, 0))],
    corrections=[NewCorrection(0, 1, 0)],
    parts=[
        {"kind": "join", "player": "p5", "name": "0b"},
        {"kind": "revoke", "role": "seat", "player": "p1"},
    ],
).body
TWICE = (
    '"round":1,',
    '"net":{},',
    ',"engine":"1"',
    ',"content":{}',
    ',"parts":[]',
    ',"payments":[]',
    "{",
    "}",
)


Said = tuple[EventBody, list[Any]]


def as_a_whole(text: str) -> Said | None:
    try:
        body = read_object(text)
        return event_said(body), [body[name] for name in Beside._fields]
    except BodyUnreadable:
        return None


def in_pieces(text: str) -> Said | None:
    read = read_text(text)
    if read is None:
        return None
    amounts = [payment.points for payment in read.said.payments]
    assert read.columns == (*read.said[:5], len(amounts), sum(amounts))
    return read.said, [list(value) if isinstance(value, tuple) else value for value in read.beside]


def altered(text: str) -> Iterator[str]:
    """With one character less, another one, or some more words, at every place."""
    for at in range(len(text)):
        before, after = text[:at], text[at + 1 :]
        yield before + after
        yield from (before + other + after for other in '",:\\{}[]09-e \n\x00é\udcff')
        yield from (before + more + text[at:] for more in TWICE)


@pytest.mark.parametrize("text", [PLAYED, SETTLED], ids=["played", "settled"])
def test_whatever_is_altered_in_a_text_is_read_as_in_the_whole(text: str) -> None:
    assert in_pieces(text) == as_a_whole(text) is not None
    read = 0
    for other in altered(text):
        found = in_pieces(other)
        assert found is None or found == as_a_whole(other), other
        read += found is not None
    assert read > len(text)


@pytest.mark.parametrize(
    "text",
    [
        PLAYED.replace('"round":1', '"round":1,"round":1'),
        PLAYED.replace('"content":{', '"content":{"a":1,"a":1,'),
        PLAYED.replace('"parts":[', '"parts":[{"b":1,"b":1}'),
        PLAYED.removesuffix("}") + ',"round":1}',
        PLAYED.removesuffix("}") + ',"engine":"1"}',
        PLAYED.replace('"seq":1', '"seq":01'),
        PLAYED.replace('"seq":1', '"seq":١'),
        PLAYED.replace('"net":{', '"net":{"p1":NaN,'),
    ],
)
def test_what_cannot_be_read_as_a_whole_cannot_be_read_in_pieces(text: str) -> None:
    assert read_text(text) is None is as_a_whole(text)


def test_another_order_or_another_spelling_is_read_as_a_whole_alone() -> None:
    for text in (PLAYED.replace('"seq":1,', '"seq": 1,'), PLAYED.replace('"keeper"', '"kee\\u0070er"')):
        assert read_text(text) is None is not as_a_whole(text)

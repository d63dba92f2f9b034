"""The texts of many events, read one after another: in pieces, most of which were in a text before.

As the recorder writes it, a text is a head of its own, and behind it what was asked, what came of that, and the
payments with the net: words that come again and again. Each of these is read once, and remembered.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

from ledger.store.bodies import (
    BodyUnreadable,
    EventBody,
    PartsSaid,
    get,
    in_points,
    read_object,
    read_value,
    said_by_parts,
    said_payments,
)
from ledger.store.rows import NewPayment

_MOST: Final = 2048
"""Pieces of each sort that are remembered: all that are usual, and room for the others."""

_TEXT: Final = r'"([^"\\\x00-\x1f]*)"'
_NUMBER: Final = "0|[1-9][0-9]{0,14}"
_HEAD: Final = re.compile(
    rf'\{{"format":(?:{_NUMBER}),"night":{_TEXT},"seq":({_NUMBER}),"id":{_TEXT},"kind":{_TEXT},"round":({_NUMBER}),'
    rf'"after":(?:{_TEXT}|null),"actor":{_TEXT},"at":{_TEXT},"client_at":(?:{_TEXT}|null)'
)


class Text(NamedTuple):
    """What an event's text says. Texts share their pieces: nobody changes them."""

    columns: tuple[str, int, str, str, int, int, int]
    """What the first columns of its row repeat."""
    beside: Mapping[str, Any]
    """What it says beside that."""
    parts: PartsSaid
    end: "End"

    @property
    def said(self) -> EventBody:
        """What all its rows repeat."""
        return EventBody(*self.columns[:5], self.end.payments, self.end.net, *self.parts)


class End(NamedTuple):
    """The end of a text: its payments, the net, and the engine; `paid` is how many payments, and how much."""

    data: Mapping[str, Any]
    payments: tuple[NewPayment, ...]
    net: Mapping[str, int]
    paid: tuple[int, int]


def read_text(text: str) -> Text | None:
    """What a text says; None where it has not the form that the recorder gives it, or cannot be read.

    Every piece is a value by itself and no key is in two of them: together they can be read in one way only.
    """
    head, _, rest = text.partition(',"content":')
    asked, _, rest = rest.partition(',"parts":')
    made, _, rest = rest.partition(',"payments":')
    own = _HEAD.fullmatch(head)
    if own is None:
        return None
    try:
        content, (parts, said), end = _value(asked), _parts(made), _end(rest)
    except BodyUnreadable:
        return None
    night, seq, id, kind, round, after, actor, at, client_at = own.groups()
    beside = {
        "after": after,
        "actor": actor,
        "at": at,
        "client_at": client_at,
        "content": content,
        "parts": parts,
        **end.data,
    }
    return Text((night, int(seq), id, kind, int(round), *end.paid), beside, said, end)


_value = lru_cache(_MOST)(read_value)


@lru_cache(_MOST)
def _parts(text: str) -> tuple[list[Any], PartsSaid]:
    parts = read_value(text)
    if not isinstance(parts, list):
        raise BodyUnreadable("the parts are no list")
    return parts, said_by_parts(parts)


@lru_cache(_MOST)
def _end(text: str) -> End:
    data = read_object('{"payments":' + text)
    if data.keys() != {"payments", "net", "engine"}:
        raise BodyUnreadable("an event does not end with this")
    payments = said_payments(get(data, "payments", list))
    paid = len(payments), sum(payment.points for payment in payments)
    return End(data, payments, in_points(get(data, "net", dict)), paid)

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
    event_said,
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

_PLAIN: Final = r'[^"\\\x00-\x1f]*'
_TEXT: Final = f'"({_PLAIN})"'
_NUMBER: Final = "0|[1-9][0-9]{0,14}"
_HEAD: Final = re.compile(
    rf'\{{"format":({_NUMBER}),"night":{_TEXT},"seq":({_NUMBER}),"id":{_TEXT},"kind":{_TEXT},"round":({_NUMBER}),'
    rf'"after":(?:{_TEXT}|null),"actor":{_TEXT},"at":{_TEXT},"client_at":(?:{_TEXT}|null)'
)


class Beside(NamedTuple):
    """What an event's text says beside its columns. Texts share their pieces: nobody changes them."""

    format: int
    after: str | None
    actor: str
    at: str
    client_at: str | None
    content: Any
    parts: tuple[Any, ...]
    payments: tuple[Any, ...]
    net: Mapping[str, int]
    engine: Any


class Text(NamedTuple):
    """What an event's text says."""

    columns: tuple[str, int, str, str, int, int, int]
    """What the first columns of its row repeat."""
    beside: Beside
    parts: PartsSaid
    end: "End"

    @property
    def said(self) -> EventBody:
        """What all its rows repeat."""
        return EventBody(*self.columns[:5], self.end.payments, self.end.net, *self.parts)


class End(NamedTuple):
    """The end of a text: its payments, the net, and the engine; `paid` is how many payments, and how much."""

    payments: tuple[NewPayment, ...]
    net: Mapping[str, int]
    paid: tuple[int, int]
    beside: tuple[tuple[Any, ...], Mapping[str, int], Any]


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
    format, night, seq, id, kind, round, after, actor, at, client_at = own.groups()
    return Text(
        (night, int(seq), id, kind, int(round), *end.paid),
        Beside(int(format), after, actor, at, client_at, content, parts, *end.beside),
        said,
        end,
    )


def read_beside(text: str) -> Beside:
    """What an event's text says beside its columns, whatever its form. Raises BodyUnreadable."""
    read = read_text(text)
    if read is not None:
        return read.beside
    body = read_object(text)
    event_said(body)
    if body.keys() != _KEYS:
        raise BodyUnreadable("these are not the fields of an event")
    found = Beside._make(body[name] for name in Beside._fields)
    return found._replace(parts=tuple(found.parts), payments=tuple(found.payments))


_KEYS: Final = {"night", "seq", "id", "kind", "round", *Beside._fields}


_value = lru_cache(_MOST)(read_value)


@lru_cache(_MOST)
def _parts(text: str) -> tuple[tuple[Any, ...], PartsSaid]:
    parts = read_value(text)
    if not isinstance(parts, list):
        raise BodyUnreadable("the parts are no list")
    return tuple(parts), said_by_parts(parts)


@lru_cache(_MOST)
def _end(text: str) -> End:
    data = read_object('{"payments":' + text)
    if data.keys() != {"payments", "net", "engine"}:
        raise BodyUnreadable("an event does not end with this")
    payments, net = get(data, "payments", list), in_points(get(data, "net", dict))
    said = said_payments(payments)
    paid = len(said), sum(payment.points for payment in said)
    return End(said, net, paid, (tuple(payments), net, data["engine"]))

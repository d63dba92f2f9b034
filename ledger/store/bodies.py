"""Reading the text of a night or of an event: what its columns, payments and corrections repeat.

The text is exact and stays as it is; this only looks into it. Whoever wrote it may have lied:
every shape is checked.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeVar

from ledger.store.rows import NewCorrection, NewPayment

_GREATEST: Final = 2**53
_Value = TypeVar("_Value")


class BodyUnreadable(Exception):
    """A text that is not what a night or an event writes; says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class NightBody:
    """What a night's text says of itself."""

    night: str
    format: int
    created_at: str
    players: Mapping[str, str]
    """The commitment to each player's name."""


class EventBody(NamedTuple):
    """What an event's text says of itself."""

    night: str
    seq: int
    id: str
    kind: str
    round: int
    payments: tuple[NewPayment, ...]
    net: Mapping[str, int]
    corrections: tuple[NewCorrection, ...]
    names: Mapping[str, str]
    revoked: tuple[tuple[str, str | None], ...]


class PartsSaid(NamedTuple):
    """What the parts of an event correct, which names they commit to, and which links they revoke."""

    corrections: tuple[NewCorrection, ...]
    names: Mapping[str, str]
    """The commitments to the names of those who joined, or whose name was corrected."""
    revoked: tuple[tuple[str, str | None], ...]
    """The role of each link, and the player of a seat's."""


def read_night(text: str) -> NightBody:
    """Look into a night's text. Raises BodyUnreadable."""
    body = read_object(text)
    players = get(body, "players", dict)
    for player in players:
        get(players, player, str)
    return NightBody(get(body, "night", str), _number(body, "format"), get(body, "created_at", str), players)


def read_event(text: str) -> EventBody:
    """Look into an event's text. Raises BodyUnreadable."""
    return event_said(read_object(text))


def event_said(body: Mapping[str, Any]) -> EventBody:
    """What an event's text says, once it has been read as an object. Raises BodyUnreadable.

    A part that corrects a move says which: `"corrects": "12.2"`; one that names a player holds the commitment,
    `"player": "p5", "name": HEX`.
    """
    found: tuple[Any, ...] = tuple(map(body.get, _FIELDS))
    if tuple(map(type, found)) != _TYPES:  # all at once: an audit asks this of every entry there is
        for name, wanted in _FIELDS.items():
            get(body, name, wanted)
    night, seq, id, kind, round, net, parts, payments = found
    said = said_by_parts(parts)
    return EventBody(
        night=night,
        seq=_in_range(seq, "seq"),
        id=id,
        kind=kind,
        round=_in_range(round, "round"),
        payments=said_payments(payments),
        net=in_points(net),
        corrections=said.corrections,
        names=said.names,
        revoked=said.revoked,
    )


_FIELDS: Final[Mapping[str, type]] = {
    "night": str,
    "seq": int,
    "id": str,
    "kind": str,
    "round": int,
    "net": dict,
    "parts": list,
    "payments": list,
}
"""What an event's text says of itself, and in what type each."""
_TYPES: Final = tuple(_FIELDS.values())


def in_points(net: dict[str, Any]) -> dict[str, int]:
    """A net, if it is one. Raises BodyUnreadable."""
    for player, points in net.items():
        if type(points) is not int or not -_GREATEST <= points <= _GREATEST:
            get(net, player, int)
            raise BodyUnreadable("the net is out of range")
    return net


def said_by_parts(parts: list[Any]) -> PartsSaid:
    """What the parts of an event say. Raises BodyUnreadable."""
    corrections, names, revoked = [], {}, []
    for place, part in enumerate(parts):
        if not isinstance(part, dict):
            continue
        if "corrects" in part:
            corrections.append(NewCorrection(place, *_address(get(part, "corrects", str))))
        kind = part.get("kind")
        if kind in ("join", "rename"):
            names[get(part, "player", str)] = get(part, "name", str)
        elif kind == "revoke":
            revoked.append(_holder(part))
    return PartsSaid(tuple(corrections), names, tuple(revoked))


def said_payments(payments: list[Any]) -> tuple[NewPayment, ...]:
    """The payments of an event. Raises BodyUnreadable."""
    return tuple(map(_payment, payments))


def read_value(text: str) -> Any:
    """A JSON value, whatever the text; keys come once and numbers are numbers. Raises BodyUnreadable."""
    try:
        return _READ(text)
    except BodyUnreadable:
        raise
    except (ValueError, RecursionError) as error:
        raise BodyUnreadable("this is not JSON") from error


def read_object(text: str) -> Mapping[str, Any]:
    """A JSON object, as a value is read. Raises BodyUnreadable."""
    value = read_value(text)
    if not isinstance(value, dict):
        raise BodyUnreadable("this is not a JSON object")
    return value


def get(value: Mapping[str, Any], name: str, kind: type[_Value]) -> _Value:
    """A field of an object, of the type that it must have. Raises BodyUnreadable."""
    found = value.get(name)
    if type(found) is not kind:
        raise BodyUnreadable(f"{name} is missing or not what it should be")
    return found


def _payment(value: object) -> NewPayment:
    if not isinstance(value, dict):
        raise BodyUnreadable("a payment is not an object")
    cause, reverses = value.get("cause"), value.get("reverses")
    return NewPayment(
        payer=get(value, "payer", str),
        payee=get(value, "payee", str),
        points=_number(value, "points"),
        reason=get(value, "reason", str),
        clause=get(value, "clause", str),
        round=_number(value, "round"),
        cause=None if cause is None else get(value, "cause", str),
        reverses=None if reverses is None else _address(get(value, "reverses", str)),
    )


def _holder(part: Mapping[str, Any]) -> tuple[str, str | None]:
    """Whose link a part revokes."""
    return get(part, "role", str), None if part.get("player") is None else get(part, "player", str)


def _number(value: Mapping[str, Any], name: str) -> int:
    return _in_range(get(value, name, int), name)


def _in_range(number: int, name: str) -> int:
    if not 0 <= number <= _GREATEST:
        raise BodyUnreadable(f"{name} is out of range")
    return number


def _address(text: str) -> tuple[int, int]:
    """A move or a payment: `seq.part` or `seq.idx`."""
    left, dot, right = text.partition(".")
    if not dot or not all(part.isascii() and part.isdigit() and len(part) <= 15 for part in (left, right)):
        raise BodyUnreadable("an address is not two numbers with a dot between them")
    return int(left), int(right)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise BodyUnreadable("a key comes twice")
    return found


def _no_constant(name: str) -> Any:
    raise BodyUnreadable(f"{name} is not a number")


_READ: Final = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_no_constant).decode

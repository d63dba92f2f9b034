"""Writing and reading the texts of the log: a night's own text, and those of events.

A text is written once and never rewritten. It may have been forged, so its structure is checked here; the recorder
checks what its values mean.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from operator import itemgetter
from typing import Any, Final, NamedTuple, TypeVar

from ledger.store.chain import NOT_OF_THE_TEXT, event_hash
from ledger.store.models import REVOKING, Correction, Payment, StoredEvent

FORMAT: Final = 1
"""The format of a night's own text, and of an event's text without a phone."""
WITH_PHONE: Final = 2
"""The format of an event's text with the phone that sent it."""
_GREATEST: Final = 2**53
Place = tuple[int, int]
"""Where an entry or a payment is in the log: the seq of its event, and its number among the event's parts or
payments."""
_Value = TypeVar("_Value")


class BodyUnreadable(Exception):
    """The text of a night or an event is invalid; the message says how."""


@dataclass(frozen=True, slots=True)
class NewPayment:
    """A payment in an event's text. `cause` is a move's address."""

    payer: str
    payee: str
    points: int
    reason: str
    clause: str
    round: int
    cause: str | None = None
    reverses: Place | None = None


@dataclass(frozen=True, slots=True)
class NewCorrection:
    """Part `part` of an event corrects the move `target_seq.target_part`."""

    part: int
    target_seq: int
    target_part: int


@dataclass(frozen=True, slots=True)
class NightBody:
    """The fields of a night's own text that the store uses."""

    night: str
    format: int
    created_at: str
    players: Mapping[str, str]
    """Player -> the commitment to their name."""


class EventBody(NamedTuple):
    """All fields of an event's text, in the order in which they are written."""

    format: int
    night: str
    seq: int
    id: str
    kind: str
    round: int
    after: str | None
    """The `after` of the request: the id of the last event about the play that the client knew."""
    actor: str
    at: str
    client_at: str | None
    content: Any
    """The content of the request."""
    parts: Sequence[Any]
    """The entries drafted from it by the rules."""
    payments: Sequence[NewPayment]
    net: Mapping[str, int]
    """Player -> points won after it."""
    engine: str
    """The version of the rules that judged it."""
    phone: str | None = None
    """The phone that sent it: its tag in this night, and its name; None if unknown."""

    @property
    def corrections(self) -> tuple[NewCorrection, ...]:
        """The moves that its parts correct: `"corrects": "12.2"`. Raises BodyUnreadable."""
        return tuple(
            NewCorrection(place, *read_place(get(part, "corrects", str)))
            for place, part in enumerate(self.parts)
            if "corrects" in part
        )

    @property
    def names(self) -> dict[str, str]:
        """Player who joins or is renamed -> the commitment to the name. Raises BodyUnreadable."""
        return {
            get(part, "player", str): get(part, "name", str)
            for part in self.parts
            if part.get("kind") in ("join", "rename")
        }

    @property
    def revoked(self) -> list[tuple[str, str | None]]:
        """The links that its parts revoke, as (role, player of a seat's link). Raises BodyUnreadable."""
        return [
            (get(part, "role", str), None if part.get("player") is None else get(part, "player", str))
            for part in self.parts
            if part.get("kind") == REVOKING
        ]


def read_night(text: str) -> NightBody:
    """Read a night's text. Raises BodyUnreadable."""
    body = read_object(text)
    players = get(body, "players", dict)
    for player in players:
        get(players, player, str)
    return NightBody(get(body, "night", str), _number(body, "format"), get(body, "created_at", str), players)


def read_event(text: str) -> EventBody:
    """Read an event's text. Raises BodyUnreadable."""
    body = read_object(text)
    fields = _TYPES_WITH_PHONE if body.get("format") == WITH_PHONE else _TYPES
    if body.keys() != fields.keys():
        raise BodyUnreadable("these are not the fields of an event")
    for name, types in fields.items():
        if type(body[name]) not in types:
            raise BodyUnreadable(f"{name} is not what it should be")
    _in_range(body["seq"], "seq")
    _in_range(body["round"], "round")
    for part in body["parts"]:
        if type(part) is not dict:
            raise BodyUnreadable("a part is not an object")
    for points in body["net"].values():
        if type(points) is not int or not -_GREATEST <= points <= _GREATEST:
            raise BodyUnreadable("the net is out of range, or no number")
    event = EventBody(**body)
    _ = event.corrections, event.names, event.revoked  # they raise BodyUnreadable
    return event._replace(payments=tuple(map(_payment, event.payments))) if event.payments else event


def read_sealed(row: StoredEvent) -> EventBody | None:
    """The fields of a stored event's text if its hash and its columns fit: then it was read by `read_event`, and by
    the schemas of requests, before it was chained. Otherwise, or if it is no event's text, None."""
    if row.hash != event_hash(row.prev, row.body):
        return None
    try:
        body, end = _DECODE(row.body)
        event = EventBody._make((*_FIELDS(body), body.get("phone")))
        fields = _TYPES_WITH_PHONE if "phone" in body else _TYPES
        if end != len(row.body) or len(body) != len(fields):
            return None
        if (event.seq, event.id, event.kind, event.round) != (row.seq, row.id, row.kind, row.round):
            return None
        return event._replace(payments=tuple(map(_payment, event.payments))) if event.payments else event
    except (AttributeError, BodyUnreadable, KeyError, TypeError, ValueError, RecursionError):
        return None


def alteration(row: StoredEvent) -> str | None:
    """How the hash or the columns of a stored event differ from its text; None if they do not."""
    if row.hash != event_hash(row.prev, row.body):
        return NOT_OF_THE_TEXT
    return "its columns are not what the text says" if read_sealed(row) is None else None


_DECODE: Final = json.JSONDecoder().raw_decode
_FIELDS: Final = itemgetter(*EventBody._fields[:-1])
"""Returns the fields of an event's text, as a mapping, in their order; KeyError if one is missing."""
_TYPES: Final[Mapping[str, tuple[type, ...]]] = {
    "format": (int,),
    "night": (str,),
    "seq": (int,),
    "id": (str,),
    "kind": (str,),
    "round": (int,),
    "after": (str, type(None)),
    "actor": (str,),
    "at": (str,),
    "client_at": (str, type(None)),
    "content": (dict,),
    "parts": (list,),
    "payments": (list,),
    "net": (dict,),
    "engine": (str,),
}
_TYPES_WITH_PHONE: Final[Mapping[str, tuple[type, ...]]] = {**_TYPES, "phone": (str,)}


def write_event(event: EventBody) -> str:
    """Write an event's text."""
    payments = [
        asdict(payment) | {"reverses": payment.reverses and "{}.{}".format(*payment.reverses)}
        for payment in event.payments
    ]
    body = event._asdict() | {"payments": payments}
    if event.phone is None:
        del body["phone"]
    return write_text(body)


class NewEvent(NamedTuple):
    """An event to be appended: its row, and the fields of its text."""

    row: StoredEvent
    body: EventBody

    def payments(self) -> list[Payment]:
        """The payments that it posts, as rows."""
        found = []
        for idx, payment in enumerate(self.body.payments):
            fields: dict[str, Any] = asdict(payment)
            fields["reverses_seq"], fields["reverses_idx"] = fields.pop("reverses") or (None, None)
            found.append(Payment(night=self.row.night, seq=self.row.seq, idx=idx, **fields))
        return found

    def corrections(self) -> list[Correction]:
        """Its corrections, as rows."""
        return [
            Correction(night=self.row.night, seq=self.row.seq, **asdict(correction))
            for correction in self.body.corrections
        ]


def new_event(body: EventBody, text: str, prev: bytes) -> NewEvent:
    """Make an event from its text and the text's fields, to be appended after the head `prev`."""
    row = StoredEvent(
        night=body.night,
        seq=body.seq,
        id=body.id,
        kind=body.kind,
        round=body.round,
        payment_count=len(body.payments),
        payment_total=sum(payment.points for payment in body.payments),
        body=text,
        prev=prev,
        hash=event_hash(prev, text),
    )
    return NewEvent(row, body)


def write_text(value: Mapping[str, Any]) -> str:
    """Write a text of the log: compact JSON, without ASCII escapes."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def read_object(text: str) -> dict[str, Any]:
    """Read a JSON object, in which keys are unique and NaN is refused. Raises BodyUnreadable."""
    try:
        value = _READ(text)
    except BodyUnreadable:
        raise
    except (ValueError, RecursionError) as error:
        raise BodyUnreadable("this is not JSON") from error
    if type(value) is not dict:
        raise BodyUnreadable("this is not a JSON object")
    return value


def get(value: Mapping[str, Any], name: str, kind: type[_Value]) -> _Value:
    """A field of an object. Raises BodyUnreadable unless it has exactly this type."""
    found = value.get(name)
    if type(found) is not kind:
        raise BodyUnreadable(f"{name} is missing or not what it should be")
    return found


def _payment(value: object) -> NewPayment:
    if type(value) is not dict or value.keys() != _PAYMENT:
        raise BodyUnreadable("these are not the fields of a payment")
    cause, reverses = value["cause"], value["reverses"]
    return NewPayment(
        payer=get(value, "payer", str),
        payee=get(value, "payee", str),
        points=_number(value, "points"),
        reason=get(value, "reason", str),
        clause=get(value, "clause", str),
        round=_number(value, "round"),
        cause=None if cause is None else get(value, "cause", str),
        reverses=None if reverses is None else read_place(get(value, "reverses", str)),
    )


_PAYMENT: Final = {"payer", "payee", "points", "reason", "clause", "round", "cause", "reverses"}


def _number(value: Mapping[str, Any], name: str) -> int:
    return _in_range(get(value, name, int), name)


def _in_range(number: int, name: str) -> int:
    if not 0 <= number <= _GREATEST:
        raise BodyUnreadable(f"{name} is out of range")
    return number


def read_place(text: str) -> Place:
    """Read the address of an entry or a payment: `12.2`. Raises BodyUnreadable."""
    if not (found := _PLACE(text)):
        raise BodyUnreadable("an address is not two numbers with a dot between them")
    return int(found[1]), int(found[2])


_PLACE: Final = re.compile("([0-9]{1,15})[.]([0-9]{1,15})").fullmatch


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise BodyUnreadable("a key comes twice")
    return found


def _no_constant(name: str) -> Any:
    raise BodyUnreadable(f"{name} is not a number")


_READ: Final = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_no_constant).decode

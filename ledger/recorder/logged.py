"""Reading the events of the log; `terms` reads its nights.

What arrives from elsewhere, or is audited, is read by the schemas of requests, with three differences: a commitment
replaces each name, a seat's event names its player, and the characters of typed texts are not checked again, as
newer versions refuse more of them.
"""

import json
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, ClassVar, NamedTuple

from marshmallow import ValidationError

from ledger.game.rulesets.model import Direction, Ruleset
from ledger.game.rulesets.paying import Chain
from ledger.recorder.events.event import OF_EVERY_EVENT, REGISTERED
from ledger.recorder.fields import (
    Player,
    Request,
    Text,
    Time,
    TypedText,
    Uuid,
)
from ledger.recorder.parts import Content, Part
from ledger.recorder.terms import Commitment, require_format, what_is_wrong
from ledger.store import (
    FORMAT,
    WITH_PHONE,
    BodyUnreadable,
    EntryUnreadable,
    EventBody,
    NewPayment,
    Role,
    StoredEvent,
    read_sealed,
)
from ledger.store import read_event as read_text

ENGINE = "3"
"""Incremented whenever a fix of the rules changes what an old round pays; `affected_by_fix` says which rounds."""
ENGINES = tuple(map(str, range(1, int(ENGINE) + 1)))
"""This version and all before it: this program has written no other."""


class Logged(NamedTuple):
    """An event of the log with its text parsed."""

    seq: int
    id: str
    kind: str
    round: int
    hash: bytes
    after: str | None
    actor: str
    at: str
    content: Content
    parts: Sequence[Part]
    payments: Sequence[NewPayment]
    net: Mapping[str, int]
    engine: str
    phone: str | None = None
    """The phone that sent it: its tag in this night and its name, `3f9a1c07 máy Tí`."""


def affected_by_fix(event: Logged, ruleset: Ruleset) -> bool:
    """Whether the rules were fixed since an event was written in a way that may change its parts or payments.

    False for events of the current engine, or of an unknown one.
    """
    # Engine 1: a correction reposted unchanged payments; each counted bomb of a result cost 1; the direction never
    # alternated; nobody could come in late where a pass does not lock out; counting cards, it counted some twice,
    # and 2s worth less than a card too low. Engines 1 and 2 knew one trump card only, though two packs have two.
    if event.engine in ("1", "2") and ruleset.trumps and ruleset.deck.has_twins:
        return True
    rules, passing = ruleset.payments, ruleset.passing
    return event.engine == "1" and (
        event.kind == "correct"
        or rules.chain is Chain.COUNTING
        or ruleset.deal.direction is Direction.ALTERNATING
        or bool(passing.late and not passing.locks)
        or bool(rules.card and (rules.hoarding or any(rules.card > one.points for one in rules.special_sets)))
    )


def read_event(row: StoredEvent) -> Logged:
    """Read a stored event. Its text was validated before it was chained, and its hash answers for it.

    Raises EntryUnreadable if it is damaged.
    """
    body = read_sealed(row)
    return validated(row) if body is None or body.format not in _FORMATS else _logged(row, body)


def validated(row: StoredEvent, body: EventBody | None = None) -> Logged:
    """Read an event whose text the hash does not answer for, by the schemas of requests; `body` is the text if it
    was parsed before. Raises EntryUnreadable."""
    try:
        body = body or read_text(row.body)
        require_format(body.format, *_FORMATS)
        _require_event(row.kind, row.id, body)
    except (BodyUnreadable, ValidationError) as error:
        raise EntryUnreadable(row.night, row.seq, what_is_wrong(error)) from error
    return _logged(row, body)


_FORMATS = (FORMAT, WITH_PHONE)


def _logged(row: StoredEvent, body: EventBody) -> Logged:
    return Logged(
        row.seq,
        row.id,
        row.kind,
        row.round,
        row.hash,
        body.after,
        body.actor,
        body.at,
        body.content,
        body.parts,
        body.payments,
        body.net,
        body.engine,
        body.phone,
    )


KEEPER, HOST = "keeper", "host"
"""The actors of events recorded by the keeper, and by the host (an import)."""

LONGEST_TEXT = 10_000
"""Characters: no version accepted a longer name or reason."""


class Actor(Text):
    """Who recorded an event: the keeper, the host, or a seat by its player."""

    pattern = f"{KEEPER}|{HOST}|{Player.pattern}"
    expected = f"{KEEPER}, {HOST} or a player"
    openapi: ClassVar = {}


class Phone(Text):
    """The phone that sent an event: its tag in the night, then a space and its name if it has one."""

    pattern = r"[0-9a-f]{8}(?: \S[^\x00-\x1f\x7f-\x9f]{0,63})?"
    expected = "a phone's tag (3f9a1c07), and its name"
    openapi: ClassVar = {}


class TextKept(Text):
    """A name or a reason that some version accepted."""

    pattern = ".*"
    expected = f"a text of 1 to {LONGEST_TEXT} characters, without control characters"
    openapi: ClassVar = {}

    def read(self, text: str) -> str:
        refused = any(unicodedata.category(char) in ("Cc", "Cs") for char in text)
        if refused or not 1 <= len(text) <= LONGEST_TEXT:
            raise self.make_error("invalid")
        return text


@cache
def _content_schema(kind: str) -> Request | None:
    """The schema for the content of logged events of a kind; None for an unknown kind."""
    event = REGISTERED.get(kind)
    if event is None:
        return None
    schema = type(event.schema)
    held: dict[str, Any] = {
        name: Commitment(required=True)
        if name == "name"
        else TextKept(required=field.required, allow_none=field.allow_none)
        for name, field in schema._declared_fields.items()
        if isinstance(field, TypedText)
    }
    if event.recorded_by is Role.SEAT:
        held["player"] = Player(required=True)
    logged: type[Request] = type(schema.__name__, (schema,), held)
    return logged(exclude=OF_EVERY_EVENT)


_ID, _ACTOR, _TIME, _PHONE, _TEXT = Uuid(), Actor(), Time(), Phone(), TextKept()


def require_name(name: str) -> None:
    """Raise ValidationError for a name that no version accepted."""
    _TEXT.deserialize(name)


def _require_event(kind: str, id: str, body: EventBody) -> None:
    """Raise ValidationError, by field, for values that no version has written."""
    for name, field, value in (
        ("id", _ID, id),
        ("after", _ID, body.after),
        ("actor", _ACTOR, body.actor),
        ("at", _TIME, body.at),
        ("client_at", _TIME, body.client_at),
        ("phone", _PHONE, body.phone),
    ):
        if value is None and name in ("after", "client_at", "phone"):
            continue
        try:
            if field.deserialize(value) != value:
                raise ValidationError(field.expected)
        except ValidationError as error:
            raise ValidationError({name: error.messages}) from None
    if wrong := _wrong_with(kind, json.dumps(body.content, ensure_ascii=False)):
        raise ValidationError({"content": wrong})


@lru_cache(maxsize=2048)
def _wrong_with(kind: str, text: str) -> Any:
    """The validation errors of an event's content; None if there are none. Cached: in an audit most contents
    recur."""
    schema, content = _content_schema(kind), json.loads(text)
    if schema is None:
        return {"kind": ["a kind of event"]}
    try:
        return None if schema.load(content) == content else ["as this program writes it"]
    except ValidationError as error:
        return error.messages

"""The texts of the events of the log; `terms` has those of its nights.

A log is read by the schemas of requests. Three things are otherwise in it: a commitment stands for each name, what
a seat says names its player, and texts that people typed are not judged again by the characters in them, of which
newer versions refuse more.
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
    Event,
    EventBody,
    NewPayment,
    Role,
)
from ledger.store import read_event as read_text

ENGINE = "3"
"""Rises whenever a fix of the rules changes what an old round pays; `mended_since` says which."""
ENGINES = tuple(map(str, range(1, int(ENGINE) + 1)))
"""This one and those before it: what names another was written by none."""


class Logged(NamedTuple):
    """An event of the log, its body read."""

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
    """The phone that it came from, by its tag in this night and its name: `3f9a1c07 máy Tí`."""


def mended_since(event: Logged, ruleset: Ruleset) -> bool:
    """Whether a fix of the rules since an event was written may change what it comes to under its night's ruleset.

    False for events of the engine of now, and of one that never was.
    """
    # Engine 1 posted anew what a correction did not change, fined every counted bomb of a result 1, never changed
    # the direction, and let nobody come in late where a pass locks nobody out; where cards are counted it counted
    # some twice, and 2s of less value than a card as less. Engines 1 and 2 knew of one trump only, where two packs
    # have it twice.
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


def read_event(row: Event, body: EventBody | None = None) -> Logged:
    """What an event's text says; `body` is what has been read of it already.

    EntryUnreadable if that is no such text any more.
    """
    try:
        body = body or read_text(row.body)
        require_format(body.format, FORMAT, WITH_PHONE)
        _require_event(row.kind, row.id, body)
    except (BodyUnreadable, ValidationError) as error:
        raise EntryUnreadable(row.night, row.seq, what_is_wrong(error)) from error
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
"""The actors of what the keeper records, and whoever runs the server (an import)."""

LONGEST_TEXT = 10_000
"""Characters: no version took a longer name or reason."""
_MOST_CONTENTS = 2048
"""Contents that are remembered: most of them come again and again."""


class Actor(Text):
    """Who recorded an event: the keeper, whoever runs the server, or a seat."""

    pattern = f"{KEEPER}|{HOST}|{Player.pattern}"
    expected = f"{KEEPER}, {HOST} or a player"
    openapi: ClassVar = {}


class Phone(Text):
    """Which phone an event came from: its tag in the night, and after a space what its people call it."""

    pattern = r"[0-9a-f]{8}(?: \S[^\x00-\x1f\x7f-\x9f]{0,63})?"
    expected = "a phone's tag (3f9a1c07), and its name"
    openapi: ClassVar = {}


class TextKept(Text):
    """A name or a reason as some version took it."""

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
    """What the content of an event of a kind is read by; None for what is no kind."""
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
    """Raises ValidationError for what no version took for a name."""
    _TEXT.deserialize(name)


def _require_event(kind: str, id: str, body: EventBody) -> None:
    """Raises ValidationError, by field, for what an event of no version says."""
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


@lru_cache(maxsize=_MOST_CONTENTS)
def _wrong_with(kind: str, text: str) -> Any:
    """What is wrong with the content of an event, if anything is."""
    schema, content = _content_schema(kind), json.loads(text)
    if schema is None:
        return {"kind": ["a kind of event"]}
    try:
        return None if schema.load(content) == content else ["as this program writes it"]
    except ValidationError as error:
        return error.messages

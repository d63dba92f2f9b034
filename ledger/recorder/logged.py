"""The texts of the log: what a night agreed on when it was opened, and each of its events.

A log is read by the schemas of requests. Three things are otherwise in it: a commitment stands for each name, what
a seat says names its player, and texts that people typed are not judged again by the characters in them, of which
newer versions refuse more.
"""

import json
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cache, cached_property, lru_cache
from typing import Any, ClassVar, NamedTuple

from marshmallow import ValidationError, validates
from marshmallow.fields import Dict, Nested, String

from ledger.game.night import Stake
from ledger.game.notation import MOST_PLAYERS, tag
from ledger.game.rulesets.model import Direction, Ruleset
from ledger.game.rulesets.overrides import own_rules
from ledger.game.rulesets.paying import Chain
from ledger.game.rulesets.serialization import from_data, to_data
from ledger.recorder.events.event import OF_EVERY_EVENT, REGISTERED
from ledger.recorder.fields import (
    Amount,
    Currency,
    Player,
    Request,
    Text,
    Time,
    TypedText,
    Uuid,
    wrong_fields,
)
from ledger.recorder.parts import Content, Part
from ledger.store import (
    FORMAT,
    WITH_PHONE,
    BodyUnreadable,
    EntryUnreadable,
    Event,
    EventBody,
    NewPayment,
    Night,
    Role,
    read_object,
    write_text,
)
from ledger.store import read_event as read_text

ENGINE = "3"
"""Rises whenever a fix of the rules changes what an old round pays; `mended_since` says which."""
ENGINES = tuple(map(str, range(1, int(ENGINE) + 1)))
"""This one and those before it: what names another was written by none."""


@dataclass(frozen=True)
class Terms:
    """What a night agreed on when it was opened."""

    night: str
    ruleset: Ruleset
    stake: Stake | None
    players: tuple[str, ...]
    """The tags of those who were there then, p1 first."""
    names: tuple[str, ...]
    """The commitments to their names."""
    date: str
    """The day of the night: when it was opened, unless it was carried in later."""

    @cached_property
    def rules(self) -> tuple[tuple[str, str], ...]:
        """The `rule` lines that make its ruleset of the preset."""
        return tuple(own_rules(self.ruleset))


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


def write_night(
    night: str,
    ruleset: Ruleset,
    stake: Stake | None,
    commitments: Mapping[str, str],
    created_at: str,
    date: str,
) -> str:
    """A night's own text. `commitments` stands for the names, by player; `date` is its day where it is played."""
    return write_text(
        {
            "format": FORMAT,
            "night": night,
            "ruleset": to_data(ruleset),
            "stake": {"amount": f"{stake.amount:f}", "currency": stake.currency} if stake else None,
            "players": dict(commitments),
            "created_at": created_at,
            "date": date,
        }
    )


def read_night(row: Night) -> Terms:
    """What a night's own text says. EntryUnreadable if that is no such text any more."""
    return _read_night(row.id, row.body)


@lru_cache(maxsize=256)
def _read_night(id: str, text: str) -> Terms:
    try:
        body = read_object(text)
        _require_format(body.get("format"), FORMAT)
        said = _NIGHT.load({name: value for name, value in body.items() if name != "format"})
    except (BodyUnreadable, ValidationError) as error:
        raise EntryUnreadable(id, 0, _message(error)) from error
    stake, players = said["stake"], said["players"]
    return Terms(
        night=said["night"],
        ruleset=said["ruleset"],
        stake=Stake(Decimal(stake["amount"]), stake["currency"]) if stake else None,
        players=tuple(players),
        names=tuple(players.values()),
        # Nights of the first versions name no day but that of UTC.
        date=said["date"] or said["created_at"][:10],
    )


def _require_format(format: object, *known: int) -> None:
    if format not in known:
        raise BodyUnreadable(f"format: {' or '.join(map(str, known))} is expected")


def _message(error: BodyUnreadable | ValidationError) -> str:
    """What is wrong with a text, in a line."""
    if isinstance(error, BodyUnreadable):
        return str(error)
    return "; ".join(f"{field}: {', '.join(said)}" for field, said in wrong_fields(error).items())


def read_event(row: Event, said: EventBody | None = None) -> Logged:
    """What an event's text says; `said` is what has been read of it already.

    EntryUnreadable if that is no such text any more.
    """
    try:
        said = said or read_text(row.body)
        _require_format(said.format, FORMAT, WITH_PHONE)
        _require_event(row.kind, row.id, said)
    except (BodyUnreadable, ValidationError) as error:
        raise EntryUnreadable(row.night, row.seq, _message(error)) from error
    return Logged(
        row.seq,
        row.id,
        row.kind,
        row.round,
        row.hash,
        said.after,
        said.actor,
        said.at,
        said.content,
        said.parts,
        said.payments,
        said.net,
        said.engine,
        said.phone,
    )


KEEPER, HOST = "keeper", "host"
"""The actors of what the keeper records, and whoever runs the server (an import)."""

LONGEST_TEXT = 10_000
"""Characters: no version took a longer name or reason."""
_MOST_CONTENTS = 2048
"""Contents that are remembered: most of them come again and again."""


class StakeSchema(Request):
    """What one point is worth, in the currency's own decimals."""

    amount = Amount(required=True)
    currency = Currency(required=True)


class Commitment(Text):
    """What stands in the chain for a name."""

    pattern = "[0-9a-f]{64}"
    expected = "a commitment of 64 hexadecimal digits"
    told: ClassVar = {}


class Actor(Text):
    """Who recorded an event: the keeper, whoever runs the server, or a seat."""

    pattern = f"{KEEPER}|{HOST}|{Player.pattern}"
    expected = f"{KEEPER}, {HOST} or a player"
    told: ClassVar = {}


class Phone(Text):
    """Which phone an event came from: its tag in the night, and after a space what its people call it."""

    pattern = r"[0-9a-f]{8}(?: \S[^\x00-\x1f\x7f-\x9f]{0,63})?"
    expected = "a phone's tag (3f9a1c07), and its name"
    told: ClassVar = {}


class Date(Text):
    """The day of a night."""

    pattern = r"\d{4}-\d\d-\d\d"
    expected = "a date (2026-11-20)"
    told: ClassVar = {}

    def read(self, text: str) -> str:
        try:
            return date.fromisoformat(super().read(text)).isoformat()
        except ValueError:
            raise self.make_error("invalid") from None


class TextKept(String):
    """A name or a reason as some version took it."""

    def __init__(self, **kwargs: Any) -> None:
        expected = f"a text of 1 to {LONGEST_TEXT} characters, without control characters"
        super().__init__(error_messages=dict.fromkeys(("invalid", "null"), expected), **kwargs)

    def _deserialize(self, value: object, attr: str | None, data: Any, **kwargs: Any) -> str:
        if not isinstance(value, str) or not 1 <= len(value) <= LONGEST_TEXT:
            raise self.make_error("invalid")
        if any(unicodedata.category(char) in ("Cc", "Cs") for char in value):
            raise self.make_error("invalid")
        return value


class RulesetData(Dict):
    """A ruleset as `to_data` writes it; read as the ruleset."""

    def _deserialize(self, value: object, attr: str | None, data: Any, **kwargs: Any) -> Ruleset:  # type: ignore[override]
        try:
            return _ruleset(json.dumps(value, ensure_ascii=False))
        except (ValueError, ArithmeticError, LookupError, TypeError, AttributeError, RecursionError) as error:
            raise ValidationError(f"a ruleset: {error}") from error


@lru_cache(maxsize=64)
def _ruleset(text: str) -> Ruleset:
    """A ruleset takes milliseconds to read; nights that agreed on the same share what is known of cards by it."""
    return from_data(json.loads(text))


class NightSchema(Request):
    """A night's own text, but for its format."""

    night = Uuid(required=True)
    ruleset = RulesetData(required=True)
    stake = Nested(StakeSchema, required=True, allow_none=True)
    players = Dict(Player(), Commitment(), required=True)
    created_at = Time(required=True)
    date = Date(required=True, allow_none=True)
    """Nights of the first versions name none."""

    @validates("players")
    def in_order(self, players: Mapping[str, str], **kwargs: Any) -> None:
        if not 2 <= len(players) <= MOST_PLAYERS or list(players) != list(map(tag, range(len(players)))):
            raise ValidationError(f"2 to {MOST_PLAYERS} players, from p1 on")


@cache
def _content_schema(kind: str) -> Request | None:
    """What the content of an event of a kind is read by; None for what is no kind."""
    event = REGISTERED.get(kind)
    if event is None:
        return None
    schema = type(event.schema)
    held: dict[str, Any] = {
        name: Commitment(required=True) if name == "name" else TextKept(required=True)
        for name, field in schema._declared_fields.items()
        if isinstance(field, TypedText)
    }
    if event.recorded_by is Role.SEAT:
        held["player"] = Player(required=True)
    logged: type[Request] = type(schema.__name__, (schema,), held)
    return logged(exclude=OF_EVERY_EVENT)


_NIGHT, _ID, _ACTOR, _TIME, _PHONE, _TEXT = NightSchema(), Uuid(), Actor(), Time(), Phone(), TextKept()


def require_name(name: str) -> None:
    """Raises ValidationError for what no version took for a name."""
    _TEXT.deserialize(name)


def _require_event(kind: str, id: str, said: EventBody) -> None:
    """Raises ValidationError, by field, for what an event of no version says."""
    for name, field, value in (
        ("id", _ID, id),
        ("after", _ID, said.after),
        ("actor", _ACTOR, said.actor),
        ("at", _TIME, said.at),
        ("client_at", _TIME, said.client_at),
        ("phone", _PHONE, said.phone),
    ):
        if value is None and name in ("after", "client_at", "phone"):
            continue
        try:
            if field.deserialize(value) != value:
                raise ValidationError(field.expected)
        except ValidationError as error:
            raise ValidationError({name: error.messages}) from None
    if wrong := _wrong_with(kind, json.dumps(said.content, ensure_ascii=False)):
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

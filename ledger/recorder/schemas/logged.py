"""What the log of a night may say: its own text, and every event's content as the chain holds it.

A log is read by the schemas of requests. Three things are otherwise in it: a commitment stands for each name, what
a seat says names its player, and texts that people typed are not judged again by the characters in them, of which
newer versions refuse more.
"""

import json
import unicodedata
from collections.abc import Mapping
from datetime import date
from functools import cache, lru_cache
from typing import Any, ClassVar

from marshmallow import ValidationError, validates
from marshmallow.fields import Dict, Nested, String

from ledger.game.notation import MOST_PLAYERS, tag
from ledger.game.rulesets.model import Ruleset
from ledger.game.rulesets.serialization import from_data
from ledger.recorder.events.event import OF_EVERY_EVENT, REGISTERED
from ledger.recorder.schemas.fields import Amount, Currency, Player, Text, Time, TypedText, Uuid
from ledger.recorder.schemas.request import Request
from ledger.store import Role

Data = dict[str, Any]

KEEPER, HOST = "keeper", "host"
"""The actors of what the keeper records, and whoever runs the server (an import)."""

LONGEST_TEXT = 10_000
"""Characters: no version took a longer name or reason."""
_MOST_CONTENTS = 2048
"""Contents that are remembered: most of them come again and again."""


class Stake(Request):
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


class Night(Request):
    """A night's own text, but for its format."""

    night = Uuid(required=True)
    ruleset = RulesetData(required=True)
    stake = Nested(Stake, required=True, allow_none=True)
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
    held: Data = {
        name: Commitment(required=True) if name == "name" else TextKept(required=True)
        for name, field in schema._declared_fields.items()
        if isinstance(field, TypedText)
    }
    if event.recorded_by is Role.SEAT:
        held["player"] = Player(required=True)
    logged: type[Request] = type(schema.__name__, (schema,), held)
    return logged(exclude=OF_EVERY_EVENT)


_NIGHT, _ID, _ACTOR, _TIME, _TEXT = Night(), Uuid(), Actor(), Time(), TextKept()


def read_night(body: Data) -> Data:
    """A night's text with its ruleset read. Raises ValidationError."""
    said: Data = _NIGHT.load(body)
    return said


def require_name(name: str) -> None:
    """Raises ValidationError for what no version took for a name."""
    _TEXT.deserialize(name)


def require_event(
    kind: str, id: str, after: str | None, actor: str, at: str, client_at: str | None, content: Any
) -> None:
    """Raises ValidationError, by field, for what an event of no version says."""
    for name, field, value in (
        ("id", _ID, id),
        ("after", _ID, after),
        ("actor", _ACTOR, actor),
        ("at", _TIME, at),
        ("client_at", _TIME, client_at),
    ):
        if value is None and name in ("after", "client_at"):
            continue
        try:
            if field.deserialize(value) != value:
                raise ValidationError(field.expected)
        except ValidationError as error:
            raise ValidationError({name: error.messages}) from None
    if wrong := _wrong_with(kind, json.dumps(content, ensure_ascii=False)):
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

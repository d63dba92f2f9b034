"""The base of request schemas, and their fields: stricter than marshmallow's own, and described for OpenAPI.

Error messages say what was expected, so they can be shown to users unchanged.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, ClassVar

from marshmallow import RAISE, Schema, ValidationError
from marshmallow.fields import Boolean, Field, Integer, List, String
from marshmallow.validate import Equal, Length, OneOf, Range

from ledger.game.cards import Card
from ledger.game.notation import MOST_PLAYERS
from ledger.game.rulesets.serialization import LONGEST
from ledger.recorder.names import NAME_CHARACTERS, REASON_CHARACTERS, clean
from ledger.store import Role

MISSING = "missing"
"""The error message of a required field."""


class Request(Schema):
    """The base of every request schema: refuses unknown fields."""

    class Meta:
        unknown = RAISE

    error_messages = {"unknown": "no such field", "type": "a JSON object"}  # noqa: RUF012

    openapi: ClassVar[Mapping[str, object]] = {}
    """Further keywords of its OpenAPI schema: which fields belong together or exclude each other."""

    def on_bind_field(self, field_name: str, field_obj: Field[Any]) -> None:
        field_obj.error_messages |= {
            "required": MISSING,
            "null": field_obj.error_messages.get("invalid", "not null"),
        }


def one_of_both(one: str, other: str) -> Mapping[str, object]:
    """OpenAPI for "exactly one of two fields". Generators would read a `oneOf` as two schemas without fields."""
    return {"if": {"required": [one]}, "then": {"not": {"required": [other]}}, "else": {"required": [other]}}


def wrong_fields(error: ValidationError) -> dict[str, list[str]]:
    """Dotted path of a field -> its error messages."""
    fields: dict[str, list[str]] = {}
    for path, message in _flat(error.messages):
        fields.setdefault(path, []).append(message)
    return fields


def _flat(messages: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Marshmallow's nested messages as (dotted path, message)."""
    if isinstance(messages, dict):
        for key, inner in messages.items():
            # Marshmallow puts "key" or "value" between a mapping's entry and its errors.
            below = (
                path if key in ("_schema", "key", "value") and path else f"{path}.{key}" if path else str(key)
            )
            yield from _flat(inner, below)
    else:
        for message in messages if isinstance(messages, list) else [messages]:
            yield path, str(message)


MOST_POINTS = 999_999_999
MOST_CARDS = 104
"""Two packs."""

_UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"


class Text(String):
    """A text that matches a pattern as a whole. `expected` is its error message, `openapi` adds keywords."""

    pattern: str
    expected: str
    openapi: ClassVar[dict[str, Any]]

    def __init__(
        self, *, expected: str = "", metadata: Mapping[str, object] | None = None, **kwargs: Any
    ) -> None:
        described = {"pattern": f"^{self.pattern}$", **self.openapi, **(metadata or {})}
        message = expected or self.expected
        super().__init__(error_messages={"invalid": message, "null": message}, metadata=described, **kwargs)

    def _deserialize(self, value: object, attr: str | None, data: Any, **kwargs: Any) -> str:
        if not isinstance(value, str):
            raise self.make_error("invalid")
        return self.read(value)

    def read(self, text: str) -> str:
        """The text as stored. Raises ValidationError."""
        if not re.fullmatch(self.pattern, text, re.ASCII):
            raise self.make_error("invalid")
        return text


class Uuid(Text):
    """A UUID, stored in lower case so that one id has one spelling."""

    pattern = f"(?i:{_UUID})"
    expected = "a UUID"
    openapi: ClassVar = {
        "format": "uuid",
        "pattern": f"^{_UUID}$",
        "example": "018f4b1c-7d1e-7c3a-9a51-3f0c5f2b8e11",
    }

    def read(self, text: str) -> str:
        return super().read(text).lower()


class Secret(Text):
    """Proof that a repeated request to open a night comes from the same client."""

    pattern = "[0-9a-f]{32}"
    expected = "32 hexadecimal digits"
    openapi: ClassVar = {
        "writeOnly": True,
        "example": "0" * 32,
        "description": "128 random bits in lower-case hexadecimal, made by the client and told to nobody else.",
    }


class Player(Text):
    """A player's tag, p1 to p12."""

    pattern = r"p([1-9]|1[0-2])"
    expected = "a player (p1 to p12)"
    openapi: ClassVar = {"example": "p1"}


class RoleWord(Text):
    """The role of a link."""

    pattern = "|".join(Role)
    expected = f"a role ({', '.join(Role)})"
    openapi: ClassVar = {"pattern": f"^({pattern})$", "example": "seat"}


class CardText(Text):
    """A card, stored in canonical form: `10♥` as `Th`. `3s'` with an apostrophe is the second pack's card."""

    pattern = "[3-9TJQKA2][scdh]'?"
    expected = "a card (3s, Th)"
    openapi: ClassVar = {"example": "3s"}

    def read(self, text: str) -> str:
        try:
            return str(Card.read(text))
        except ValueError:
            raise self.make_error("invalid") from None


class Time(Text):
    """A time with its UTC offset, stored as sent."""

    pattern = r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)"
    expected = "a time (2026-11-20T20:15:03Z)"
    openapi: ClassVar = {"format": "date-time", "example": "2026-11-20T20:15:03.120Z"}

    def read(self, text: str) -> str:
        try:
            datetime.fromisoformat(super().read(text).upper())
        except ValueError:
            raise self.make_error("invalid") from None
        return text


class Zone(Text):
    """A UTC offset."""

    pattern = r"[+-](0\d|1[0-4]):[0-5]\d"
    expected = "a zone (+07:00)"
    openapi: ClassVar = {"pattern": f"^{pattern}$", "example": "+07:00"}


class Address(Text):
    """The address of an entry in the log: `seq.part`."""

    pattern = "[1-9][0-9]{0,8}[.][0-9]{1,4}"
    expected = "an entry (12.2)"
    openapi: ClassVar = {"example": "12.2"}


class Amount(Text):
    """A positive amount of money, in digits with at most four decimals."""

    pattern = r"(?!0+(\.0+)?$)\d{1,12}(\.\d{1,4})?"
    expected = "an amount of money (1000, 0.50)"
    openapi: ClassVar = {"example": "1000"}

    def _serialize(self, value: Any, attr: str | None, obj: Any, **kwargs: Any) -> str:
        """The text of a Decimal."""
        return f"{value:f}"


class Currency(Text):
    """The ISO 4217 code of a currency."""

    pattern = "[A-Z]{3}"
    expected = "a currency (VND)"
    openapi: ClassVar = {"example": "VND"}


class Word(Text):
    """An id in a ruleset, or the value of one of its fields."""

    pattern = "[A-Za-z0-9_.-]{1,64}"
    expected = "a word of a ruleset (southern-classic, passing.locks, no)"
    openapi: ClassVar = {"example": "southern-classic"}


class RuleName(Text):
    """The left side of a `rule` line: the rule that it sets."""

    pattern = "[A-Za-z0-9_.@+/-]{1,64}"
    expected = "the name of a rule (passing.locks, price.red-two)"
    openapi: ClassVar = {"example": "price.red-two"}


class RuleValue(Text):
    """The right side of a `rule` line: the new value."""

    pattern = f"[A-Za-z0-9_.=:,|/@<+'-]{{1,{LONGEST}}}"
    expected = "a value of a rule (no, 26, 3/1/-1/-3, 1@2:5)"
    openapi: ClassVar = {"example": "no"}


class RuleLine(Text):
    """A `rule` line: a rule and its value."""

    pattern = f"({RuleName.pattern})=({RuleValue.pattern})"
    expected = "a rule and its value (price.red-two=6)"
    openapi: ClassVar = {"pattern": f"^{pattern}$", "example": "price.red-two=6"}


class TypedText(Text):
    """A text typed by a person, normalized by `clean`."""

    pattern = "[^;\\x00-\\x1f\\x7f-\\x9f]*"
    openapi: ClassVar = {
        "minLength": 1,
        "description": "Nothing invisible, nothing that turns the direction of writing, no heaps of marks.",
    }

    def __init__(self, characters: int, example: str, **kwargs: Any) -> None:
        super().__init__(
            expected=f"a text of 1 to {characters} characters, without control characters and semicolons",
            metadata={"maxLength": characters, "example": example},
            **kwargs,
        )
        self.characters = characters

    def read(self, text: str) -> str:
        try:
            return clean(text, self.characters)
        except ValueError:
            raise self.make_error("invalid") from None


def name(**kwargs: Any) -> TypedText:
    """A player's name."""
    return TypedText(NAME_CHARACTERS, "Bình", **kwargs)


def reason() -> TypedText:
    """The reason for an entry; it stays in the log permanently."""
    return TypedText(REASON_CHARACTERS, "late again", required=True)


class Whole(Integer):
    """A whole number within bounds; refuses numeric texts and booleans."""

    def __init__(self, lowest: int, highest: int, **kwargs: Any) -> None:
        expected = f"a whole number from {lowest} to {highest}"
        super().__init__(
            strict=True,
            validate=Range(lowest, highest, error=expected),
            error_messages={"invalid": expected, "too_large": expected},
            **kwargs,
        )

    def _validated(self, value: Any) -> int:
        if isinstance(value, bool | str):
            raise self.make_error("invalid")
        return super()._validated(value)


class KindField(String):
    """A field with one valid value: the kind of the event."""

    def __init__(self, kind: str) -> None:
        super().__init__(required=True, validate=Equal(kind), metadata={"enum": [kind]})


class Truth(Boolean):
    """`true` or `false`; refuses the texts and numbers that marshmallow would accept."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(error_messages={"invalid": "true or false"}, **kwargs)

    def _deserialize(self, value: object, attr: str | None, data: Any, **kwargs: Any) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid")
        return value


def stood_field() -> Truth:
    """Whether a move was against the rules and stands."""
    return Truth(metadata={"description": "It was against the rules, and the table let it stand."})


def round_number(lowest: int = 1, **kwargs: Any) -> Whole:
    """The number of a round."""
    return Whole(lowest, MOST_POINTS, **kwargs)


def points() -> Whole:
    """Points that change hands."""
    return Whole(1, MOST_POINTS, required=True)


class OneWord(String):
    """One word of a fixed list."""

    def __init__(self, words: Sequence[str], **kwargs: Any) -> None:
        expected = f"one of {', '.join(words)}"
        super().__init__(
            validate=OneOf(words, error=expected),
            error_messages={"invalid": expected},
            **kwargs,
        )


def cards(lowest: int = 1, **kwargs: Any) -> List[str]:
    """A list of cards, `lowest` at least."""
    expected = f"a list of {lowest} to {MOST_CARDS} cards"
    return List(
        CardText(),
        validate=Length(lowest, MOST_CARDS, error=expected),
        error_messages={"invalid": expected},
        **kwargs,
    )


def players(lowest: int = 2, **kwargs: Any) -> List[str]:
    """A list of players, each once, `lowest` at least."""
    expected = f"a list of {lowest} to {MOST_PLAYERS} players, each once"

    def check(value: list[str]) -> None:
        if not lowest <= len(value) <= MOST_PLAYERS or len(set(value)) != len(value):
            raise ValidationError(expected)

    limits = {"minItems": lowest, "maxItems": MOST_PLAYERS, "uniqueItems": True, **kwargs.pop("metadata", {})}
    return List(Player(), validate=check, error_messages={"invalid": expected}, metadata=limits, **kwargs)


LONGEST_TEXT = 10_000
"""Characters: no version accepted a longer name or reason."""


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

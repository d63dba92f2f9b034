"""The terms that a night agrees on when it is opened: as requested, and as stored in the night's own text."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from dataclasses import fields as fields_of
from datetime import date
from decimal import Decimal
from functools import cached_property, lru_cache
from typing import Any, ClassVar, Final

from marshmallow import ValidationError, post_dump, post_load, validates
from marshmallow.fields import Dict, Field, List, Nested
from marshmallow.validate import Length

from ledger.game.notation import MOST_PLAYERS, tag
from ledger.game.rulesets import PRESETS
from ledger.game.rulesets.compiled import compiled
from ledger.game.rulesets.model import Ruleset
from ledger.game.rulesets.overrides import own_rules
from ledger.game.rulesets.serialization import from_data, to_data
from ledger.game.terms import TYPED, Stake, Terms, Written
from ledger.recorder import fields
from ledger.recorder.fields import Player, Request, Text, TextKept, Time, Uuid, wrong_fields
from ledger.recorder.names import all_differ
from ledger.store import FORMAT, BodyUnreadable, EntryUnreadable, Night, read_object, write_text

MOST_RULES = 64
MOST_RULES_SAID = f"a house rule ({MOST_RULES} at the most)"
NAMES = f"2 to {MOST_PLAYERS} names"


class Worth(Request):
    """What one point is worth, in the content of an event: an amount in the currency of the night."""

    amount = fields.Amount(required=True)
    currency = fields.Currency(required=True)


class StakeSchema(Worth):
    """What one point is worth: an amount in a currency."""

    @post_load
    def as_stake(self, data: Mapping[str, Any], **kwargs: Any) -> Stake:
        return Stake(Decimal(data["amount"]), data["currency"])


STAKE: Final = StakeSchema()


class Date(Text):
    """A night's date in ISO format."""

    pattern = r"\d{4}-\d\d-\d\d"
    expected = "a date (2026-11-20)"
    openapi: ClassVar = {}

    def read(self, text: str) -> str:
        try:
            return date.fromisoformat(super().read(text)).isoformat()
        except ValueError:
            raise self.make_error("invalid") from None


def typed_terms(field: Callable[[Written], Text]) -> dict[str, Text]:
    """A field for each term that is a typed text."""
    return {name: field(term) for name, term in TYPED.items()}


class TermsSchema(Request):
    """The terms of a night other than ruleset, players and date: in the log, in moves files and in requests. Its
    fields are attributes of `Terms`."""

    stake = Nested(StakeSchema, load_default=None, allow_none=True)
    locals().update(
        typed_terms(lambda term: fields.TypedText(term.most_typed, term.example, load_default=""))
    )

    @post_dump
    def drop_empty(self, data: Mapping[str, Any], **kwargs: Any) -> Mapping[str, Any]:
        return {
            name: value
            for name, value in data.items()
            if value not in (None, "") or self.fields[name].required
        }


def list_of_names(each: Text) -> List[str]:
    """The names of a night's first players."""
    return List(
        each,
        required=True,
        validate=Length(2, MOST_PLAYERS, error=NAMES),
        error_messages={"invalid": NAMES},
        metadata={
            "uniqueItems": True,
            "description": "No two that look the same.",
            "example": ["An", "Bình", "Chi", "Dũng"],
        },
    )


def rule_values(**kwargs: Any) -> Dict:
    """The field of `rule` lines."""
    return Dict(
        fields.RuleName(),
        fields.RuleValue(),
        validate=Length(max=MOST_RULES, error=MOST_RULES_SAID),
        error_messages={"invalid": "a JSON object"},
        metadata={
            "description": "House rules, a payment scheme and fields: RULE -> VALUE.",
            "example": {"passing.locks": "no"},
        },
        **kwargs,
    )


class NightTerms(TermsSchema):
    """The terms of a night as clients send them: a preset, `rule` values and names."""

    ruleset = fields.Word(required=True, metadata={"enum": list(PRESETS)})
    rules = rule_values(load_default=dict)
    players = list_of_names(fields.name())

    @validates("players")
    def names_differ(self, players: list[str], **kwargs: Any) -> None:
        if not all_differ(players):
            raise ValidationError("names that differ")


class Commitment(Text):
    """The salted hash that replaces a name in the chain."""

    pattern = "[0-9a-f]{64}"
    expected = "a commitment of 64 hexadecimal digits"
    openapi: ClassVar = {}


class RulesetData(Field[Ruleset]):
    """A ruleset, as `to_data` writes it."""

    def _serialize(self, value: Any, attr: str | None, obj: Any, **kwargs: Any) -> object:
        return to_data(value)

    def _deserialize(self, value: object, attr: str | None, data: Any, **kwargs: Any) -> Ruleset:
        try:
            return _ruleset(json.dumps(value, ensure_ascii=False))
        except (ValueError, ArithmeticError, LookupError, TypeError, AttributeError, RecursionError) as error:
            raise ValidationError(f"a ruleset: {error}") from error


RULESET: Final = RulesetData()


@lru_cache(maxsize=64)
def _ruleset(text: str) -> Ruleset:
    """The ruleset that equal ones share with their compiled tables. Cached: reading one takes milliseconds."""
    return compiled(from_data(json.loads(text))).ruleset


class NightSchema(TermsSchema):
    """A night's own text without its `format`."""

    night = Uuid(required=True)
    ruleset = RulesetData(required=True)
    stake = Nested(StakeSchema, required=True, allow_none=True)
    players = Dict(Player(), Commitment(), required=True)
    created_at = Time(required=True)
    date = Date(required=True, allow_none=True)
    """None in nights of the first versions."""
    locals().update(typed_terms(lambda term: TextKept(load_default="")))

    @validates("players")
    def in_order(self, players: Mapping[str, str], **kwargs: Any) -> None:
        if not 2 <= len(players) <= MOST_PLAYERS or list(players) != list(map(tag, range(len(players)))):
            raise ValidationError(f"2 to {MOST_PLAYERS} players, from p1 on")


@dataclass(frozen=True)
class Opening:
    """How a night was opened."""

    night: str
    """Its id."""
    terms: Terms
    players: Mapping[str, str]
    """Player -> the commitment to their name, p1 first, for the players at the opening."""

    @cached_property
    def rules(self) -> tuple[tuple[str, str], ...]:
        """The `rule` lines that turn the preset into its ruleset."""
        return tuple(own_rules(self.terms.ruleset))


_NIGHT = NightSchema()
_IN_ORDER = ("night", "ruleset", "stake", "players", "created_at", "date")
"""The first fields of a night's text after its format; terms of later versions follow, if set."""
_TERMS = frozenset(one.name for one in fields_of(Terms))


def agreed(ruleset: Ruleset, values: Mapping[str, Any]) -> Terms:
    """The terms of a night from its ruleset and the values that a schema has loaded; others take their default."""
    return Terms(
        ruleset,
        **{name: values[name] for name in _TERMS & values.keys() - {"ruleset"} if values[name] is not None},
    )


def write_night(opening: Opening, created_at: str) -> str:
    """A night's own text."""
    own = {"night": opening.night, "players": opening.players, "created_at": created_at}
    values = _NIGHT.dump(own | {name: getattr(opening.terms, name) for name in _TERMS})
    return write_text({"format": FORMAT, **{name: values[name] for name in _IN_ORDER}, **values})


def read_night(row: Night) -> Opening:
    """Read a night's own text. Raises EntryUnreadable if it is damaged."""
    return _read_night(row.id, row.body)


@lru_cache(maxsize=256)
def _read_night(id: str, text: str) -> Opening:
    try:
        body = read_object(text)
        require_format(body.get("format"), FORMAT)
        values = _NIGHT.load({name: value for name, value in body.items() if name != "format"})
    except (BodyUnreadable, ValidationError) as error:
        raise EntryUnreadable(id, 0, what_is_wrong(error)) from error
    # Nights of the first versions have no date: they get the UTC date of their opening.
    terms = agreed(values["ruleset"], {**values, "date": values["date"] or values["created_at"][:10]})
    return Opening(values["night"], terms, values["players"])


def require_format(format: object, *known: int) -> None:
    """Raise BodyUnreadable if the format is not one of those known."""
    if format not in known:
        raise BodyUnreadable(f"format: {' or '.join(map(str, known))} is expected")


def what_is_wrong(error: BodyUnreadable | ValidationError) -> str:
    """The error of a text on one line."""
    if isinstance(error, BodyUnreadable):
        return str(error)
    return "; ".join(f"{field}: {', '.join(values)}" for field, values in wrong_fields(error).items())

"""The request schemas of the API other than events: new nights and query strings; and functions that load them."""

import re
from collections.abc import Mapping
from typing import Any, ClassVar, Final

from flask import request
from marshmallow import EXCLUDE, Schema, ValidationError, pre_load, validates_schema
from marshmallow.fields import Boolean, Dict, List, Nested, String
from marshmallow.validate import Length, OneOf

from ledger.game.rulesets import PRESETS
from ledger.game.statistics import Heading
from ledger.language import CURRENCIES
from ledger.recorder import KINDS, EventRequest, Problem, ProblemCode, fields
from ledger.recorder.events.event import OF_EVERY_EVENT, IndependentSchema
from ledger.recorder.fields import MISSING, Request, Text, Whole, wrong_fields
from ledger.recorder.terms import MOST_RULES, MOST_RULES_SAID, NightTerms, StakeSchema
from ledger.web.preferences import sender


class HeadingWord(Text):
    """A heading of the points of a round."""

    pattern = "|".join(heading for heading in Heading if heading is not Heading.ADJUSTMENTS)
    expected = f"a kind of payment ({pattern.replace('|', ', ')})"
    openapi: ClassVar = {"pattern": f"^({pattern})$", "example": "bombs"}


class QueryWhole(Whole):
    """A whole number in a query string."""

    def _validated(self, value: Any) -> int:
        if not isinstance(value, str) or not re.fullmatch("[0-9]{1,9}", value):
            raise self.make_error("invalid")
        return super()._validated(int(value))


class NewStake(StakeSchema):
    """The value of one point, in an existing currency."""

    currency = fields.Currency(
        required=True, validate=OneOf(CURRENCIES, error="a currency that exists (VND)")
    )


class NewNight(NightTerms):
    """A night to open. The client makes its id, so that opening is idempotent, and its secret, so that only it can
    repeat the request."""

    id = fields.Uuid(required=True)
    secret = fields.Secret(required=True)
    stake = Nested(NewStake, load_default=None, allow_none=True)
    zone = fields.Zone(
        load_default=None,
        allow_none=True,
        metadata={
            "description": "Where the night is played: it is of the day that it is there. Else the server's."
        },
    )


QUEUED_FORM: Final = "form"
"""The kind of a request that has a form in place of an event."""


class QueuedForm(IndependentSchema):
    """A form of a page in place of an event, which the server makes from its fields: so phones queue what is tapped
    while there is no network. `stood` and `passed` are what a person has decided about it since."""

    kind = fields.KindField(QUEUED_FORM)
    form = Dict(
        keys=String(),
        values=List(String()),
        required=True,
        error_messages={"invalid": "fields of a form, each with a list of its values"},
        metadata={
            "description": "Field -> its values; the button's is `kind`.",
            "example": {"kind": ["play"], "seat": ["p1"], "cards": ["3s"]},
        },
    )
    stood = fields.stood_field()
    passed = List(fields.Player())


class Recording(Request):
    """The query parameters for recording an event."""

    preview = Boolean(
        truthy={"true"},
        falsy={"false"},
        load_default=False,
        error_messages={"invalid": "true or false"},
        metadata={"description": "Nothing is recorded: answered is what it would change."},
    )


class ScoredText(Request):
    """A text to score, for programs that can send only JSON."""

    text = String(
        required=True,
        error_messages=dict.fromkeys(("invalid", "null"), "a replay"),
        metadata={"example": "tienlen 1\nruleset southern-classic\np1 An\np2 Bình\n"},
    )


class Scoring(Request):
    """The query parameters for scoring a text."""

    under = fields.Word(
        load_default=None,
        metadata={
            "enum": list(PRESETS),
            "description": "Another preset's id: the same night under its rules.",
        },
    )
    rule = List(
        fields.RuleLine(),
        validate=Length(max=MOST_RULES, error=MOST_RULES_SAID),
        load_default=list,
        metadata={"description": "Laid over that preset, as often as there are rules: RULE=VALUE."},
    )

    @validates_schema
    def rules_are_laid_over_some(self, data: Mapping[str, Any], **kwargs: Any) -> None:
        if data["rule"] and not data["under"]:
            raise ValidationError("a house rule over a preset, whose id is `under`", "rule")
        names = [line.partition("=")[0] for line in data["rule"]]
        if len(set(names)) < len(names):
            raise ValidationError("a house rule once", "rule")


class LogPage(Request):
    """The part of the log to return."""

    after = QueryWhole(0, fields.MOST_POINTS, load_default=0)
    limit = QueryWhole(1, 1000, load_default=500)


class Following(Request):
    """The entry after which a stream begins."""

    after = QueryWhole(
        0,
        fields.MOST_POINTS,
        load_default=0,
        metadata={"description": "The entry that was seen last; `Last-Event-ID` says it better."},
    )


class LedgerPage(Request):
    """The part of the ledger to return."""

    after = QueryWhole(0, fields.MOST_POINTS, load_default=0)
    limit = QueryWhole(1, 1000, load_default=None)


class RoundSearch(Request):
    """Which rounds a page lists. Unknown fields are ignored: chat programs append some to addresses."""

    class Meta:
        unknown = EXCLUDE

    player = fields.Player(load_default=None)
    heading = HeadingWord(load_default=None)
    bomber = fields.Player(load_default=None)
    bombed = fields.Player(load_default=None)

    @pre_load
    def no_matter(self, data: Mapping[str, str], **kwargs: Any) -> Mapping[str, str]:
        """Drop the empty values that a form sends where nothing was chosen."""
        return {name: value for name, value in data.items() if value}


Data = dict[str, Any]


def load(schema: Schema, data: Mapping[str, object]) -> Data:
    """Load data by a schema. Raises a Problem with every field that is missing, unknown or wrong."""
    try:
        loaded: Data = schema.load(data)
    except ValidationError as error:
        raise Problem(ProblemCode.UNREADABLE, fields=wrong_fields(error)) from None
    return loaded


def load_query(schema: Schema) -> Data:
    """Load the query string by a schema. Raises a Problem also for a repeated field that is not a list."""
    sent: dict[str, Any] = request.args.to_dict(flat=False)
    once = [name for name in sent if not isinstance(schema.fields.get(name), List)]
    twice = [name for name in once if len(sent[name]) > 1]
    if twice:
        raise Problem(ProblemCode.UNREADABLE, fields={name: ["once"] for name in twice})
    return load(schema, {name: sent[name][0] if name in once else sent[name] for name in sent})


def event_request(sent: Mapping[str, object]) -> EventRequest:
    """Load an event by the schema of its kind. Raises a Problem that lists the wrong fields."""
    kind = sent.get("kind")
    asked = KINDS.get(kind) if isinstance(kind, str) else None
    if asked is None:
        expected = f"a kind of event ({', '.join(KINDS)})" if "kind" in sent else MISSING
        raise Problem(ProblemCode.UNREADABLE, fields={"kind": [expected]})
    event = load(asked.schema, sent)
    content = {name: value for name, value in event.items() if name not in OF_EVERY_EVENT}
    return EventRequest(event["id"], event.get("after"), event["kind"], content, event.get("at"), sender())

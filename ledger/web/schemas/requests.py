"""What the interface takes beside events: nights to be opened, and what a query may ask."""

from collections.abc import Mapping
from typing import Any

from marshmallow import EXCLUDE, ValidationError, pre_load, validates
from marshmallow.fields import Dict, List, Nested
from marshmallow.validate import Length

from ledger.game.notation import MOST_PLAYERS
from ledger.game.rulesets import PRESETS
from ledger.recorder import all_differ
from ledger.recorder.schemas import fields
from ledger.recorder.schemas.logged import Stake
from ledger.recorder.schemas.request import Request
from ledger.web.schemas.fields import HeadingWord, QueryTruth, QueryWhole

MOST_RULES = 64
NAMES = f"2 to {MOST_PLAYERS} names"
_PRESET = {"enum": list(PRESETS)}


class NewNight(Request):
    """A night to be opened. The client makes its id, so that a repeated request opens one night, and its secret, so
    that nobody else can repeat it."""

    id = fields.Uuid(required=True)
    secret = fields.Secret(required=True)
    ruleset = fields.Word(required=True, metadata=_PRESET)
    rules = Dict(
        fields.Word(),
        fields.Word(),
        validate=Length(max=MOST_RULES, error=f"a house rule ({MOST_RULES} at the most)"),
        error_messages={"invalid": "a JSON object"},
        load_default=dict,
        metadata={
            "description": "House rules, a payment scheme and fields: RULE -> VALUE.",
            "example": {"passing.locks": "no"},
        },
    )
    players = List(
        fields.name(),
        required=True,
        validate=Length(2, MOST_PLAYERS, error=NAMES),
        error_messages={"invalid": NAMES},
        metadata={
            "uniqueItems": True,
            "description": "No two that look the same.",
            "example": ["An", "Bình", "Chi", "Dũng"],
        },
    )
    stake = Nested(Stake, load_default=None, allow_none=True)
    zone = fields.Zone(
        load_default=None,
        allow_none=True,
        metadata={
            "description": "Where the night is played: it is of the day that it is there. Else the server's."
        },
    )

    @validates("players")
    def names_differ(self, players: list[str], **kwargs: Any) -> None:
        if not all_differ(players):
            raise ValidationError("names that differ")


class Recording(Request):
    """How an event is recorded."""

    preview = QueryTruth(
        load_default=False,
        metadata={"description": "Nothing is recorded: answered is what it would change."},
    )


class Scoring(Request):
    """How a text is scored."""

    under = fields.Word(
        load_default=None,
        metadata=_PRESET | {"description": "Another preset's id: the same night under its rules."},
    )


class LogPage(Request):
    """Which part of the log."""

    after = QueryWhole(0, fields.MOST_POINTS, load_default=0)
    limit = QueryWhole(1, 1000, load_default=500)


class Following(Request):
    """From where a stream goes on."""

    after = QueryWhole(
        0,
        fields.MOST_POINTS,
        load_default=0,
        metadata={"description": "The entry that was seen last; `Last-Event-ID` says it better."},
    )


class LedgerPage(Request):
    """Which part of the ledger."""

    after = QueryWhole(0, fields.MOST_POINTS, load_default=0)
    limit = QueryWhole(1, 1000, load_default=None)


class RoundSearch(Request):
    """Which rounds a page lists. An address that went through a chat may have grown fields that are nobody's."""

    class Meta:
        unknown = EXCLUDE

    player = fields.Player(load_default=None)
    heading = HeadingWord(load_default=None)
    bomber = fields.Player(load_default=None)
    bombed = fields.Player(load_default=None)

    @pre_load
    def no_matter(self, data: Mapping[str, str], **kwargs: Any) -> Mapping[str, str]:
        """What a form sends where nothing was chosen."""
        return {name: value for name, value in data.items() if value}

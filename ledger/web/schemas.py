"""What the interface takes: the only gate for input. One schema for each kind of event."""

from collections.abc import Mapping
from typing import Any

from marshmallow import RAISE, Schema, ValidationError, validates_schema
from marshmallow.fields import Dict, Field, List, Nested
from marshmallow.validate import Equal, Length

from ledger.web import fields
from ledger.web.texts import REASON_CHARACTERS

Data = dict[str, Any]

MOST_RULES = 64
NAMES = f"2 to {fields.MOST_PLAYERS} names"
SETS = f"a list of 0 to {fields.MOST_CARDS} sets of cards"
MISSING = "missing"
"""What is said of a field that must be there."""


class Request(Schema):
    """What every request keeps to: no field that it does not know."""

    class Meta:
        unknown = RAISE

    error_messages = {"unknown": "no such field", "type": "a JSON object"}  # noqa: RUF012

    def on_bind_field(self, field_name: str, field_obj: Field[Any]) -> None:
        field_obj.error_messages |= {
            "required": MISSING,
            "null": field_obj.error_messages.get("invalid", "not null"),
        }


class Stake(Request):
    """What one point is worth, in the currency's own decimals."""

    amount = fields.Amount(required=True)
    currency = fields.Currency(required=True)


class NewNight(Request):
    """A night to be opened. The client makes its id, so that a repeated request opens one night."""

    id = fields.Uuid(required=True)
    ruleset = fields.Word(required=True)
    rules = Dict(
        fields.Word(),
        fields.Word(),
        validate=Length(max=MOST_RULES, error=f"a house rule ({MOST_RULES} at the most)"),
        error_messages={"invalid": "a JSON object"},
        load_default=dict,
        metadata={"description": "House rules: FIELD -> VALUE.", "example": {"passing.locks": "no"}},
    )
    players = List(
        fields.name(),
        required=True,
        validate=Length(2, fields.MOST_PLAYERS, error=NAMES),
        error_messages={"invalid": NAMES},
        metadata={"example": ["An", "Bình", "Chi", "Dũng"]},
    )
    stake = Nested(Stake, load_default=None, allow_none=True)

    @validates_schema
    def names_differ(self, data: Data, **kwargs: Any) -> None:
        names = data["players"]
        if len(set(names)) != len(names):
            raise ValidationError("names that differ", "players")


class Event(Request):
    """What every event carries beside the fields of its kind."""

    id = fields.Uuid(required=True)
    after = fields.Uuid(
        required=True,
        metadata={"description": "The id of the last recording event seen; for the first, the night's."},
    )
    at = fields.Time(metadata={"description": "When it was entered, by the client's clock."})


class Stood(Event):
    stood = fields.Truth(metadata={"description": "It was against the rules, and the table let it stand."})


class Round(Stood):
    """A round begins: the lowest card opens, or a player leads."""

    kind = fields.Kind("round")
    opening = fields.Truth(validate=Equal(True, error="true, or `leader` instead"))
    leader = fields.Player()
    seats = fields.players(metadata={"description": "Who sits in, in playing order."})

    @validates_schema
    def one_way_to_begin(self, data: Data, **kwargs: Any) -> None:
        if ("opening" in data) == ("leader" in data):
            raise ValidationError("either `opening: true` or `leader`", "leader")


class Play(Stood):
    """Cards laid on the pile. The players skipped in between pass."""

    kind = fields.Kind("play")
    seat = fields.Player(required=True)
    cards = fields.cards(required=True)
    passed = fields.players(1, metadata={"description": "Who passed before it, said outright."})
    forward = fields.Truth(metadata={"description": "It goes on beating the player's own pile."})
    locks = fields.Truth(metadata={"description": "Said to lock the pile to one suit, or to unlock it."})


class Pass(Stood):
    """A player passes."""

    kind = fields.Kind("pass")
    seat = fields.Player(required=True)


class Claim(Stood):
    """An instant win, with all the cards that the player was dealt."""

    kind = fields.Kind("claim")
    seat = fields.Player(required=True)
    cards = fields.cards(required=True)


class Contract(Event):
    """A bet on one's own first place, taken before the play."""

    kind = fields.Kind("contract")
    seat = fields.Player(required=True)
    contract = fields.Word(required=True)


class _Hand(Event):
    seat = fields.Player(required=True)
    round = fields.Whole(1, fields.MOST_POINTS, metadata={"description": "Left out: the last round."})


class Show(_Hand):
    """The cards that a player still holds when the round has ended."""

    kind = fields.Kind("show")
    cards = fields.cards(required=True)


class Declare(_Hand):
    """The special sets that a player still holds; none at all: an empty list."""

    kind = fields.Kind("declare")
    sets = List(
        fields.cards(),
        required=True,
        validate=Length(max=fields.MOST_CARDS, error=SETS),
        error_messages={"invalid": SETS},
        metadata={"example": [["2h"], ["9s", "9c", "9d", "9h"]]},
    )


class Settle(Event):
    """A round's payments are posted."""

    kind = fields.Kind("settle")
    round = fields.Whole(1, fields.MOST_POINTS, metadata={"description": "Left out: the last round."})


class Undo(Event):
    """The last recording event of the running round is taken back."""

    kind = fields.Kind("undo")


class Redo(Event):
    """The last undo is taken back."""

    kind = fields.Kind("redo")


class Adjust(Event):
    """A payment by hand."""

    kind = fields.Kind("adjust")
    payer = fields.Player(required=True)
    payee = fields.Player(required=True)
    points = fields.Whole(1, fields.MOST_POINTS, required=True)
    reason = fields.reason()

    @validates_schema
    def points_change_hands(self, data: Data, **kwargs: Any) -> None:
        if data["payer"] == data["payee"]:
            raise ValidationError("another player than the payer", "payee")


class Note(Event):
    """Something that is agreed on beside the play, as the replay notation says it."""

    kind = fields.Kind("note")
    note = fields.TypedText(REASON_CHARACTERS, "kneels p2 until-first", required=True)


class End(Event):
    """The night is closed for recording."""

    kind = fields.Kind("end")


class Reopen(Event):
    """The night goes on after all."""

    kind = fields.Kind("reopen")
    reason = fields.reason()


EVENTS: Mapping[str, Event] = {
    "round": Round(),
    "play": Play(),
    "pass": Pass(),
    "claim": Claim(),
    "contract": Contract(),
    "show": Show(),
    "declare": Declare(),
    "settle": Settle(),
    "undo": Undo(),
    "redo": Redo(),
    "adjust": Adjust(),
    "note": Note(),
    "end": End(),
    "reopen": Reopen(),
}
"""What each kind of event that can be recorded is read by."""


class Scoring(Request):
    """How a text is scored."""

    under = fields.Word(
        load_default=None, metadata={"description": "Another preset's id: the same night under its rules."}
    )


class LogPage(Request):
    """Which part of the log."""

    after = fields.QueryWhole(0, fields.MOST_POINTS, load_default=0)
    limit = fields.QueryWhole(1, 1000, load_default=500)


class LedgerPage(Request):
    """Which part of the ledger."""

    after = fields.QueryWhole(0, fields.MOST_POINTS, load_default=0)
    limit = fields.QueryWhole(1, 1000, load_default=None)

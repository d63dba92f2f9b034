"""Events about the play: rounds, moves, hands, and taking the last entry back."""

from typing import Any, ClassVar

from marshmallow import ValidationError, post_load, validates_schema
from marshmallow.fields import List, Nested
from marshmallow.validate import Equal, Length

from ledger.recorder.schemas import fields
from ledger.recorder.schemas.heaps import heaps
from ledger.recorder.schemas.request import MISSING, Request, one_of_both

Data = dict[str, Any]

SETS = f"a list of 0 to {fields.MOST_CARDS} sets of cards"


class Beside(Request):
    """What every event carries beside the fields of its kind; what records nothing of the play needs no more."""

    id = fields.Uuid(required=True)
    after = fields.Uuid(metadata={"description": "Not needed, and not judged."})
    at = fields.Time(metadata={"description": "When it was entered, by the client's clock."})


class Event(Beside):
    """What every event about the play carries."""

    after = fields.Uuid(
        required=True,
        metadata={"description": "The id of the last recording event seen; for the first, the night's."},
    )


class Stood(Event):
    stood = fields.Truth(metadata={"description": "It was against the rules, and the table let it stand."})


class Round(Stood):
    """A round begins: the lowest card opens, or a player leads."""

    kind = fields.Kind("round")
    opening = fields.Truth(validate=Equal(True, error="true, or `leader` instead"), metadata={"enum": [True]})
    leader = fields.Player()
    seats = fields.players(metadata={"description": "Who sits in, in playing order."})
    told: ClassVar = one_of_both("opening", "leader")

    @validates_schema
    def one_way_to_begin(self, data: Data, **kwargs: Any) -> None:
        if ("opening" in data) == ("leader" in data):
            raise ValidationError("either `opening: true` or `leader`", "leader")


class Play(Stood):
    """Cards laid on the pile. The players skipped in between pass."""

    kind = fields.Kind("play")
    seat = fields.Player(required=True)
    cards = fields.cards(required=True)
    passed = fields.players(
        0, metadata={"description": "Who passed before it, said outright. Nobody: then no pass is inferred."}
    )
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


class BombResult(Request):
    """What a bomb took, and from whom."""

    seat = fields.Player(required=True)
    beat = fields.Player(required=True, metadata={"description": "Whose play it beat, and who pays."})
    captured = fields.cards(required=True)


class Result(Event):
    """How a round came out that nobody recorded move by move."""

    kind = fields.Kind("result")
    places = fields.players(1, required=True, metadata={"description": "The finishing order."})
    knocked_out = fields.players(0, metadata={"description": "Who had played nothing."})
    bombs = List(
        Nested(BombResult),
        validate=Length(max=fields.MOST_CARDS, error=SETS),
        error_messages={"invalid": SETS},
    )


class _Hand(Event):
    seat = fields.Player(required=True)
    round = fields.Whole(1, fields.MOST_POINTS, metadata={"description": "Left out: the last round."})


class Show(_Hand):
    """The cards that a player still holds when the round has ended."""

    kind = fields.Kind("show")
    cards = fields.cards(required=True)


class Declare(_Hand):
    """The special sets that a player still holds, or their cards in one list; none at all: an empty list."""

    kind = fields.Kind("declare")
    sets = List(
        fields.cards(),
        validate=Length(max=fields.MOST_CARDS, error=SETS),
        error_messages={"invalid": SETS},
        metadata={"example": [["2h"], ["9s", "9c", "9d", "9h"]]},
    )
    cards = fields.cards(0, metadata={"description": "Instead of `sets`, which are then made of them."})
    told: ClassVar = one_of_both("sets", "cards")

    @validates_schema
    def one_way_to_declare(self, data: Data, **kwargs: Any) -> None:
        if "sets" not in data and "cards" not in data:
            raise ValidationError(MISSING, "sets")
        if "sets" in data and "cards" in data:
            raise ValidationError("either `sets` or `cards`", "cards")

    @post_load
    def laid_in_heaps(self, data: Data, **kwargs: Any) -> Data:
        return data if "sets" in data else {"sets": heaps(data.pop("cards")), **data}


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

"""Events of a night beside its moves: payments by hand, people and links, agreement, its end."""

from typing import Any, ClassVar

from marshmallow import ValidationError, validates_schema
from marshmallow.fields import Nested

from ledger.recorder.schemas import fields
from ledger.recorder.schemas.play import Beside, Event
from ledger.recorder.schemas.request import Request, one_of_both
from ledger.recorder.schemas.texts import REASON_CHARACTERS
from ledger.store import Role

Data = dict[str, Any]

KEPT, CORRECTED, WAIVED = "kept", "corrected", "waived"
DECISIONS = (KEPT, CORRECTED, WAIVED)
"""How a dispute may end: nothing changes; a correction put it right; an adjustment takes the payment back."""


class Stake(Request):
    """What one point is worth, in the currency's own decimals."""

    amount = fields.Amount(required=True)
    currency = fields.Currency(required=True)


class Void(Event):
    """A round does not count: a misdeal, or abandoned."""

    kind = fields.Kind("void")
    round = fields.Whole(1, fields.MOST_POINTS, required=True)
    reason = fields.reason()


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


class PaymentPlace(Request):
    """A posted payment, as the ledger names it."""

    seq = fields.Whole(1, fields.MOST_POINTS, required=True)
    idx = fields.Whole(0, fields.MOST_POINTS, required=True)


class OfSeat(Beside):
    """What a seat says of what its player has seen."""

    seen = fields.Whole(
        0,
        fields.MOST_POINTS,
        metadata={
            "description": "The seq of the newest entry that the player saw: where the round has changed since, or "
            "a dispute of it was decided, it is stale. Left out, it is about the round as it is."
        },
    )


class Confirm(OfSeat):
    """A seat agrees with a settled round."""

    kind = fields.Kind("confirm")
    round = fields.Whole(1, fields.MOST_POINTS, required=True)


class Dispute(OfSeat):
    """A seat disputes a payment or a move."""

    kind = fields.Kind("dispute")
    round = fields.Whole(
        0, fields.MOST_POINTS, required=True, metadata={"description": "0: a payment by hand."}
    )
    payment = Nested(PaymentPlace)
    move = fields.Address()
    reason = fields.reason()
    told: ClassVar = one_of_both("payment", "move")

    @validates_schema
    def one_thing(self, data: Data, **kwargs: Any) -> None:
        if ("payment" in data) == ("move" in data):
            raise ValidationError("either `payment` or `move`", "payment")


class Decide(Beside):
    """A dispute is closed."""

    kind = fields.Kind("decide")
    dispute = fields.Whole(
        1, fields.MOST_POINTS, required=True, metadata={"description": "The seq of the dispute."}
    )
    decision = fields.OneWord(DECISIONS, required=True)
    reason = fields.reason()


class Paid(Beside):
    """A transfer of the settle-up was handed over."""

    kind = fields.Kind("paid")
    payer = fields.Player(required=True)
    payee = fields.Player(required=True)
    points = fields.Whole(1, fields.MOST_POINTS, required=True)


class Join(Beside):
    """Somebody comes to the table; the answer has the new link."""

    kind = fields.Kind("join")
    name = fields.name(required=True)


class Rename(Beside):
    """A player's name is corrected."""

    kind = fields.Kind("rename")
    player = fields.Player(required=True)
    name = fields.name(required=True)


class Revoke(Beside):
    """A link opens nothing any more; the answer has the one in its place."""

    kind = fields.Kind("revoke")
    role = fields.RoleWord(required=True)
    player = fields.Player(metadata={"description": "Whose seat's link; for the role `seat` alone."})
    told: ClassVar = {
        "if": {"properties": {"role": {"enum": [Role.SEAT.value]}}},
        "then": {"required": ["player"]},
        "else": {"not": {"required": ["player"]}},
    }

    @validates_schema
    def seats_have_players(self, data: Data, **kwargs: Any) -> None:
        if (data["role"] == Role.SEAT) != ("player" in data):
            raise ValidationError("a player, for a seat's link alone", "player")


class End(Event):
    """The night is closed for recording."""

    kind = fields.Kind("end")


class Reopen(Event):
    """The night goes on after all."""

    kind = fields.Kind("reopen")
    reason = fields.reason()

"""Payments outside rounds: adjustments, and transfers of the settle-up."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from marshmallow import ValidationError, validates_schema

from ledger.recorder import fields
from ledger.recorder.drafts import Draft, adjustment
from ledger.recorder.events.event import Event, EventSchema, IndependentSchema
from ledger.recorder.parts import Part
from ledger.recorder.problems import unreadable
from ledger.recorder.state import NightState


class AdjustSchema(EventSchema):
    """Posts an adjustment: a payment entered by hand."""

    kind = fields.Kind("adjust")
    payer = fields.Player(required=True)
    payee = fields.Player(required=True, metadata={"example": "p2"})
    points = fields.points()
    reason = fields.reason()

    @validates_schema
    def points_change_hands(self, data: Mapping[str, object], **kwargs: Any) -> None:
        if data["payer"] == data["payee"]:
            raise ValidationError("another player than the payer", "payee")


@dataclass(frozen=True, slots=True, kw_only=True)
class PointsAdjusted(Event):
    """An adjustment: a payment entered by hand, with a reason that stays in the log."""

    schema = AdjustSchema()
    in_replays = True
    posts = True

    payer: str
    payee: str
    points: int
    reason: str

    def draft(self, state: NightState) -> Draft:
        _require_two_players(state, self.payer, self.payee)
        return Draft(0, payments=[adjustment(self.payer, self.payee, self.points)])


class PaidSchema(IndependentSchema):
    """A transfer of the settle-up was paid, or carried over to another night. A debt carried from another night is
    owed here from then on: it is recorded as a transfer in the other direction."""

    kind = fields.Kind("paid")
    payer = fields.Player(required=True)
    payee = fields.Player(required=True, metadata={"example": "p2"})
    points = fields.points()
    carried_to = fields.Uuid(metadata={"description": "The night in which it is owed from now on."})
    carried_from = fields.Uuid(metadata={"description": "The night in which it was owed before."})
    openapi: ClassVar = {"not": {"required": ["carried_to", "carried_from"]}}

    @validates_schema
    def one_other_night(self, data: Mapping[str, object], **kwargs: Any) -> None:
        if "carried_to" in data and "carried_from" in data:
            raise ValidationError("one other night", "carried_from")


@dataclass(frozen=True, slots=True, kw_only=True)
class TransferPaid(Event):
    """A transfer of the settle-up was paid. It changes no points of the game."""

    schema = PaidSchema()
    after_the_end = True

    payer: str
    payee: str
    points: int
    carried_to: str | None = None
    carried_from: str | None = None

    def draft(self, state: NightState) -> Draft:
        _require_two_players(state, self.payer, self.payee)
        part: Part = {"kind": "paid", "payer": self.payer, "payee": self.payee, "points": self.points}
        return Draft(0, [part])


def _require_two_players(state: NightState, payer: str, payee: str) -> None:
    """Raise Problem unless payer and payee are two players of the night."""
    for field, player in (("payer", payer), ("payee", payee)):
        if player not in state.players:
            raise unreadable(field, "a player of this night")
    if payer == payee:
        raise unreadable("payee", "another player than the payer")

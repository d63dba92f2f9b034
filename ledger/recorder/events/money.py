"""Payments outside rounds: adjustments, and transfers of the settle-up."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from marshmallow import ValidationError, validates_schema
from marshmallow.fields import Nested

from ledger.recorder import fields
from ledger.recorder.drafts import Draft, adjustment
from ledger.recorder.events.event import Event, EventSchema, IndependentSchema, requested
from ledger.recorder.parts import Part
from ledger.recorder.problems import unreadable
from ledger.recorder.state import NightState
from ledger.recorder.terms import Worth


class TwoPlayers(EventSchema):
    """The base of the schema of an adjustment."""

    @validates_schema
    def points_change_hands(self, data: Mapping[str, object], **kwargs: Any) -> None:
        if data["payer"] == data["payee"]:
            raise ValidationError("another player than the payer", "payee")


@dataclass(frozen=True, slots=True, kw_only=True)
class PointsAdjusted(Event):
    """An adjustment: a payment entered by hand, with a reason that stays in the log."""

    kind = "adjust"
    base = TwoPlayers
    in_replays = True
    posts = True

    payer: str = requested(fields.Player(required=True))
    payee: str = requested(fields.Player(required=True, metadata={"example": "p2"}))
    points: int = requested(fields.points())
    reason: str = requested(fields.reason())

    def draft(self, state: NightState) -> Draft:
        _require_two_players(state, self.payer, self.payee)
        return Draft(0, payments=[adjustment(self.payer, self.payee, self.points)])


class OneOtherNight(IndependentSchema):
    """The base of the schema of a transfer."""

    openapi: ClassVar = {"not": {"required": ["carried_to", "carried_from"]}}

    @validates_schema
    def one_other_night(self, data: Mapping[str, object], **kwargs: Any) -> None:
        if "carried_to" in data and "carried_from" in data:
            raise ValidationError("one other night", "carried_from")


@dataclass(frozen=True, slots=True, kw_only=True)
class TransferPaid(Event):
    """A transfer of the settle-up was paid, or carried over to another night; it changes no points of the game.

    A debt carried from another night is owed here from then on: it is recorded in the other direction."""

    kind = "paid"
    base = OneOtherNight
    after_the_end = True

    payer: str = requested(fields.Player(required=True))
    payee: str = requested(fields.Player(required=True, metadata={"example": "p2"}))
    points: int = requested(fields.points())
    worth: Mapping[str, str] | None = requested(
        Nested(
            Worth,
            metadata={"description": "What one of these points is worth; left out: what one is worth then."},
        ),
        None,
    )
    carried_to: str | None = requested(
        fields.Uuid(metadata={"description": "The night in which it is owed from now on."}), None
    )
    carried_from: str | None = requested(
        fields.Uuid(metadata={"description": "The night in which it was owed before."}), None
    )

    def draft(self, state: NightState) -> Draft:
        _require_two_players(state, self.payer, self.payee)
        part: Part = {"kind": "paid", "payer": self.payer, "payee": self.payee, "points": self.points}
        stake = state.terms.stake
        if self.worth is not None and (stake is None or stake.currency != self.worth["currency"]):
            raise unreadable("worth", "an amount in the currency of the night")
        return Draft(0, [part])


def _require_two_players(state: NightState, payer: str, payee: str) -> None:
    """Raise Problem unless payer and payee are two players of the night."""
    for field, player in (("payer", payer), ("payee", payee)):
        if player not in state.players:
            raise unreadable(field, "a player of this night")
    if payer == payee:
        raise unreadable("payee", "another player than the payer")

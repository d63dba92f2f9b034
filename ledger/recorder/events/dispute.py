"""Agreement and dispute: seats confirm rounds and dispute payments or moves; the keeper decides disputes.

None of these events is about the play, so none makes a keeper's entry stale.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import dropwhile
from typing import Any, ClassVar, NamedTuple

from marshmallow import ValidationError, validates_schema
from marshmallow.fields import Nested

from ledger.recorder import fields
from ledger.recorder.drafts import Draft, adjustment
from ledger.recorder.events.correcting import posted, waivers
from ledger.recorder.events.event import Event, IndependentSchema, requested
from ledger.recorder.fields import Request, one_of_both
from ledger.recorder.parts import Part
from ledger.recorder.problems import Problem, ProblemCode
from ledger.recorder.round_log import RoundLog
from ledger.recorder.state import NightState
from ledger.store import EventBody, NewPayment, Role, read_place

KEPT, CORRECTED, WAIVED = "kept", "corrected", "waived"
DECISIONS = (KEPT, CORRECTED, WAIVED)
"""How a dispute may end: nothing changes, a correction has fixed it, or an adjustment takes the payment back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatEvent(Event):
    """The base of events recorded by a seat for its player."""

    base = IndependentSchema
    recorded_by = Role.SEAT
    after_the_end = True

    player: str
    """Taken from the link, not from the request."""
    seen: int | None = requested(
        fields.Whole(
            0,
            fields.MOST_POINTS,
            metadata={
                "description": "The seq of the newest entry that the player saw: where the round has changed "
                "since, or a dispute of it was decided, it is stale. Left out, it is about the round as it is."
            },
        ),
        None,
    )
    round: int = requested(fields.round_number(required=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundConfirmed(SeatEvent):
    """A player agrees with a settled round."""

    kind = "confirm"

    def draft(self, state: NightState) -> Draft:
        log = state.logs.get(self.round)
        if log is None or not log.stands or not log.settled:
            raise Problem(ProblemCode.ROUND_NOT_SETTLED, round=self.round)
        if self.player in (agreed(log.events) or ()):
            raise Problem(ProblemCode.ALREADY_CONFIRMED, round=log.number)
        return Draft(log.number, [{"kind": "confirm", "player": self.player}])


class PaymentPlaceSchema(Request):
    """The `seq` and `idx` of a posted payment, as the ledger shows them."""

    seq = fields.Whole(1, fields.MOST_POINTS, required=True)
    idx = fields.Whole(0, fields.MOST_POINTS, required=True)


class PaymentOrMove(IndependentSchema):
    """Requires the payment or the move that is disputed."""

    openapi: ClassVar = one_of_both("payment", "move")

    @validates_schema
    def one_thing(self, data: Mapping[str, object], **kwargs: Any) -> None:
        if ("payment" in data) == ("move" in data):
            raise ValidationError("either `payment` or `move`", "payment")


@dataclass(frozen=True, slots=True, kw_only=True)
class Disputed(SeatEvent):
    """A player disputes a payment that holds, or a move that stands."""

    kind = "dispute"
    base = PaymentOrMove

    round: int = requested(
        fields.round_number(0, required=True, metadata={"description": "0: a payment by hand."})
    )
    payment: dict[str, int] | None = requested(Nested(PaymentPlaceSchema), None)
    move: str | None = requested(fields.Address(), None)
    reason: str = requested(fields.reason())

    def apply(self, state: NightState) -> NightState:
        return state._replace(open_disputes=state.open_disputes + 1)

    def draft(self, state: NightState) -> Draft:
        log = state.logs.get(self.round, RoundLog(self.round))
        if self.payment is not None:
            place = self.payment["seq"], self.payment["idx"]
            if place not in posted(log):
                raise Problem(ProblemCode.NO_SUCH_ENTRY)
            part: Part = {"kind": "dispute", "player": self.player, "payment": f"{place[0]}.{place[1]}"}
        else:
            if self.move is None or self.move not in {entry.address for entry in log.entries}:
                raise Problem(ProblemCode.NO_SUCH_ENTRY)
            part = {"kind": "dispute", "player": self.player, "move": self.move}
        closed = decisions(log.events)
        disputes = [one.parts[0] for one in log.events if one.kind == "dispute" and one.seq not in closed]
        if any(part == other | {"player": self.player} for other in disputes):
            raise Problem(ProblemCode.ALREADY_DISPUTED)
        return Draft(log.number, [part])


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputeDecided(Event):
    """The keeper closes a dispute, with a reason."""

    kind = "decide"
    base = IndependentSchema
    changes_rounds = True
    posts = True
    after_the_end = True

    dispute: int = requested(
        fields.Whole(
            1, fields.MOST_POINTS, required=True, metadata={"description": "The seq of the dispute."}
        )
    )
    decision: str = requested(fields.OneWord(DECISIONS, required=True))
    reason: str = requested(fields.reason())

    def target_entry(self) -> int:
        return self.dispute

    def apply(self, state: NightState) -> NightState:
        return state._replace(open_disputes=state.open_disputes - 1)

    def draft(self, state: NightState) -> Draft:
        log, event = self._disputed(state)
        if event.seq in decisions(log.events):
            raise Problem(ProblemCode.ALREADY_DECIDED)
        if self.decision == CORRECTED and not log.corrected_since(event.seq):
            raise Problem(ProblemCode.NOTHING_CORRECTED)
        payments = [_waiver(state, log, event)] if self.decision == WAIVED else []
        part: Part = {"kind": "decide", "dispute": event.seq, "decision": self.decision}
        return Draft(log.number, [part], payments=payments)

    def _disputed(self, state: NightState) -> tuple[RoundLog, EventBody]:
        for log in state.logs.values():
            for event in log.events:
                if event.seq == self.dispute and event.kind == "dispute":
                    return log, event
        raise Problem(ProblemCode.NO_SUCH_ENTRY)


def _waiver(state: NightState, log: RoundLog, event: EventBody) -> NewPayment:
    """The adjustment that takes a disputed payment back; Problem if the payment was taken back already."""
    if state.ended:
        raise Problem(ProblemCode.NIGHT_ENDED)
    address, holds = event.parts[0].get("payment"), posted(log)
    place = read_place(address) if address else None
    if place not in holds:
        raise Problem(ProblemCode.NO_SUCH_ENTRY)
    if place in waivers(log):
        raise Problem(ProblemCode.ALREADY_DECIDED)
    payment = holds[place]
    return adjustment(payment.payee, payment.payer, payment.points)


class Agreed(NamedTuple):
    """Since when a player agrees with a round, and the phone that confirmed it, in the log's form."""

    at: str
    phone: str | None


def agreed(events: Iterable[EventBody]) -> dict[str, Agreed] | None:
    """The players who agree with a round as it stands, from its events; None if it is not settled or does not
    count. A correction removes the players whose payments it changes: they must confirm again."""
    found: dict[str, Agreed] | None = None
    voided = ""
    """The address of the entry that voids it after it was settled."""
    for event in events:
        match event.kind:
            case "settle":
                found = {}
            case "confirm" if found is not None:
                found[event.parts[0]["player"]] = Agreed(event.at, event.phone)
            case "correct" if found is not None:
                for payment in event.payments:
                    found.pop(payment.payer, None)
                    found.pop(payment.payee, None)
            case "correct" if any(part.get("corrects") == voided for part in event.parts):
                found, voided = {}, ""
            case "void" if found is not None:
                found, voided = None, f"{event.seq}.0"
    return found


def asked_again(log: RoundLog) -> EventBody | None:
    """The last correction that changed the payments of a settled round: the players affected must confirm again."""
    since = dropwhile(lambda event: event.kind != "settle", log.events)
    found = [event for event in since if event.kind == "correct" and event.payments]
    return found[-1] if found else None


def decisions(events: Iterable[EventBody]) -> dict[int, EventBody]:
    """Seq of a dispute -> the decision that closed it."""
    return {event.parts[0]["dispute"]: event for event in events if event.kind == "decide"}

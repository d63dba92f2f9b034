"""Agreement with settled rounds, and disputes of payments and moves."""

from collections.abc import Iterable
from dataclasses import dataclass

from ledger.game.notation import Tag
from ledger.recorder.events.dispute import decisions
from ledger.store import EventBody


@dataclass(frozen=True, slots=True)
class Decision:
    """How the keeper closed a dispute."""

    seq: int
    """The seq of the decision; if it waives a payment, that event's first payment is the adjustment."""
    decision: str
    """kept, corrected or waived."""
    reason: str
    at: str
    actor: str


@dataclass(frozen=True, slots=True)
class DisputeView:
    """A payment or a move that a player disputes."""

    seq: int
    round: int
    """0 for an adjustment."""
    player: Tag
    payment: str | None
    """The address of the payment, `seq.idx`; None if a move is disputed."""
    move: str | None
    """The address of the move, `seq.part`; None if a payment is disputed."""
    reason: str
    at: str
    decision: Decision | None
    """None while it is open."""


def disputes_in(events: Iterable[EventBody]) -> list[DisputeView]:
    """The disputes among some events, each with the decision that closed it."""
    events = tuple(events)
    closed = decisions(events)
    return [_dispute(event, closed.get(event.seq)) for event in events if event.kind == "dispute"]


def _dispute(event: EventBody, decided: EventBody | None) -> DisputeView:
    part = event.parts[0]
    decision = decided and Decision(
        decided.seq, decided.parts[0]["decision"], decided.content["reason"], decided.at, decided.actor
    )
    return DisputeView(
        seq=event.seq,
        round=event.round,
        player=part["player"],
        payment=part.get("payment"),
        move=part.get("move"),
        reason=event.content["reason"],
        at=event.at,
        decision=decision,
    )

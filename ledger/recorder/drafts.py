"""Requests to record an event, and drafts of what would be appended: shared by all kinds."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ledger.game.errors import Clause, Code, Detail, Refusal, Refused
from ledger.game.hands import missing_hands
from ledger.game.notation import tag
from ledger.game.payments import Payment
from ledger.game.round import Round
from ledger.game.scoring import payments
from ledger.recorder.parts import Content, Part
from ledger.recorder.round_log import RoundLog
from ledger.store import NewPayment

ADJUSTMENT = "adjustment"
"""The reason and the clause of an adjustment, which no rule causes."""


@dataclass(frozen=True, slots=True)
class EventRequest:
    """A client's request for one event. `id` and `after` are UUIDs; `after` is None for kinds that are not about
    the play. `content` holds the kind's own fields, their types checked; the recorder judges their values."""

    id: str
    after: str | None
    kind: str
    content: Content
    at: str | None = None
    """The client's own time: stored, never relied on."""
    phone: str | None = None
    """The phone that sent it, in the log's form; None if unknown."""


class Draft(NamedTuple):
    """What an event would append. `round` is the number of its round, 0 for none."""

    round: int
    parts: Sequence[Part] = ()
    payments: Sequence[NewPayment] = ()


def settlement(log: RoundLog) -> list[NewPayment]:
    """The payments to post for a round, each with the address of the move that caused it; none if it is void.

    Raises Refused while the round goes on or a hand is missing.
    """
    round = log.round
    assert round is not None
    if round.void is not None:
        return []
    if not round.over:
        raise Refused(not_over(round))
    if missing := missing_hands(round):
        raise Refused(round.ruleset.refusal(Code.HANDS_MISSING, Clause.SHOW, expected=tuple(missing)))
    return as_posted(log, payments(round))


def as_posted(log: RoundLog, paid: Iterable[Payment]) -> list[NewPayment]:
    """The payments of a round as they would be posted."""
    return [
        NewPayment(
            payer=tag(payment.payer),
            payee=tag(payment.payee),
            points=payment.points,
            reason=payment.reason,
            clause=payment.clause,
            round=log.number,
            cause=log.address_of(payment.move),
        )
        for payment in paid
    ]


def not_over(round: Round) -> Refusal:
    """The refusal to settle a round that still goes on; `expected` are the players still in it."""
    expected = tuple(round.seats_in(round.active))
    return round.ruleset.refusal(Code.ROUND_NOT_OVER, Clause.END, expected=expected, detail=Detail.PLAYING)


def adjustment(payer: str, payee: str, points: int) -> NewPayment:
    """The payment of an adjustment: of no round, caused by no move."""
    return NewPayment(payer=payer, payee=payee, points=points, reason=ADJUSTMENT, clause=ADJUSTMENT, round=0)

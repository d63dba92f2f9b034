"""A dispute's own page: what it is about, and what lies around that."""

from dataclasses import dataclass

from ledger.recorder.problems import Problem, ProblemCode
from ledger.recorder.round_log import RoundLog
from ledger.recorder.state import NightState, in_sight
from ledger.recorder.views.dispute import DisputeView, view_disputes
from ledger.recorder.views.entry import EntryRow
from ledger.recorder.views.payment import PaymentView, Words, view_payment
from ledger.recorder.views.round_page import RoundPage, view_round_page
from ledger.store import Reader

ROWS_AROUND = 3
"""How many lines of a round are shown before and after a disputed one."""


@dataclass(frozen=True, slots=True)
class DisputePage:
    """A dispute with all that helps to decide it."""

    dispute: DisputeView
    number: int
    """Which of the night's it is, from 1."""
    about: PaymentView | None
    """The disputed payment; None where a move is disputed."""
    target: str | None
    """The address of the move that it is about, as it stands now."""
    round: RoundPage | None
    """Its round; None for a payment by hand, or where the round's beginning does not stand."""
    around: list[EntryRow]
    """The lines of the round before and after the target, and those of all moves that the payment charges."""
    corrected: bool
    """Whether a correction or a voiding of the round came since."""


def view_dispute_page(reader: Reader, state: NightState, seq: int, words: Words) -> DisputePage:
    """A dispute by its seq; Problem (not found) if there is none."""
    disputes = view_disputes(reader, state.night)
    one = next((one for one in disputes if one.seq == seq), None)
    if one is None:
        raise Problem(ProblemCode.NOT_FOUND)
    log = in_sight(reader, state, one.round).logs[one.round]
    about = view_payment(reader, state, one.payment, words) if one.payment else None
    round = view_round_page(reader, state, log, words.finding) if log.round is not None else None
    target = _standing_for(log, about.payment.cause) if about else one.move
    charged = {row.address for row in about.why.moves} if about and about.why else set[str]()
    return DisputePage(
        dispute=one,
        number=disputes.index(one) + 1,
        about=about,
        target=target,
        round=round,
        around=_around(round.lines, target, charged) if round else [],
        corrected=any(event.kind in ("correct", "void") and event.seq > seq for event in log.events),
    )


def _standing_for(log: RoundLog, cause: str | None) -> str | None:
    """The address of the move that stands where the cause of a payment was recorded; its own, where none does."""
    chain = log.chain_at(cause) if cause else None
    return chain.standing.address if chain and chain.standing else cause


def _around(lines: list[EntryRow], target: str | None, charged: set[str]) -> list[EntryRow]:
    """The lines of a round before and after an entry, and those of the moves that are charged."""
    at = next((at for at, line in enumerate(lines) if line.address == target), None)
    if at is None:
        return []
    near = range(at - ROWS_AROUND, at + ROWS_AROUND + 1)
    return [line for place, line in enumerate(lines) if place in near or line.address in charged]

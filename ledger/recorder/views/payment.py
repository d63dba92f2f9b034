"""Payments explained: why each was made and others were not, who posted it, its reversal and its disputes; and the
page of a dispute.

A payment that a correction has reversed is explained by the round as it stood when the payment was posted.
"""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from typing import Protocol

from ledger.game.cards import Deck
from ledger.game.errors import Finding
from ledger.game.explaining import Unpaid, explain
from ledger.game.payments import Payment
from ledger.game.scoring import payments
from ledger.game.terms import Stake
from ledger.recorder.events.correcting import places_posted, posted
from ledger.recorder.history import read_event, with_round_loaded
from ledger.recorder.parts import player
from ledger.recorder.problems import Problem, ProblemCode
from ledger.recorder.round_log import RoundLog
from ledger.recorder.state import NightState
from ledger.recorder.views import attributes
from ledger.recorder.views.dispute import DisputeView
from ledger.recorder.views.entry import EntryRow, rows_of
from ledger.recorder.views.ledger import LedgerPayment, PostedBy, RoundAccount, view_agreement, view_worths
from ledger.recorder.views.round_page import RoundPage, view_round_page
from ledger.store import Reader


class Words(Hashable, Protocol):
    """Words findings and explanations in a language. Names are by player number."""

    def finding(self, finding: Finding, names: Mapping[int, str]) -> str: ...

    def explanation(self, payment: Payment, deck: Deck, names: Mapping[int, str]) -> str: ...

    def unpaid(self, unpaid: Unpaid, deck: Deck, names: Mapping[int, str]) -> str: ...


@dataclass(frozen=True, slots=True)
class PaymentSum:
    """How the points of a payment add up, in words."""

    sentence: str
    clauses: tuple[str, ...]
    """All clauses that it rests on, its own first."""
    moves: tuple[int, ...]
    """The numbers of all moves that led to it."""


@dataclass(frozen=True, slots=True)
class UnpaidView:
    """A payment that was not made, and why."""

    sentence: str
    clause: str
    move: int
    """The number of the move that it is about; 0 for none."""


@dataclass(frozen=True, kw_only=True)
class RoundExplained(RoundPage):
    """A round with the reasons of its payments."""

    why: list[PaymentSum]
    """One for each payment of the round, in the same order."""
    why_not: list[UnpaidView]


@dataclass(frozen=True, slots=True)
class PostedSum:
    """How the points of a posted payment added up when it was posted."""

    sentence: str
    clauses: tuple[str, ...]
    moves: list[EntryRow]
    """The moves that led to it, with their current numbers or the kind of event that struck them."""


@dataclass(frozen=True, slots=True)
class Reversal:
    """The reversal of a payment."""

    posted_by: PostedBy
    place: str
    """The address of the reversing payment."""
    instead: list[LedgerPayment]
    """The new payments that the same event posted for the same round."""


@dataclass(frozen=True, slots=True)
class PaymentView:
    """A posted payment: why it was made, its reversal and its disputes."""

    payment: LedgerPayment
    actor: str
    """Who posted it."""
    reversal: Reversal | None
    why: PostedSum | None
    """None for an adjustment, for a reversal, and if the current rules would not make it."""
    disputes: list[DisputeView]
    """All its disputes, in order."""
    waives: DisputeView | None
    """The dispute whose decision posted it, for a waiver."""
    stake: Stake | None
    """What a point of it is worth."""

    @property
    def clauses(self) -> tuple[str, ...]:
        """All clauses that it rests on, from its explanation if it has one."""
        return self.why.clauses if self.why else (self.payment.clause,)


def view_explained(
    log: RoundLog, names: Mapping[str, str], words: Words, stake: Stake | None
) -> RoundExplained:
    """The page of a round, in which a point is worth `stake`, with an explanation of each payment (`why`), and of
    payments not made (`why_not`)."""
    assert log.round is not None
    deck, explained = log.round.ruleset.deck, explain(log.round)
    named = {player(tag): name for tag, name in names.items()}
    return RoundExplained(
        **attributes(view_round_page(log, names, words.finding, stake)),
        why=[
            PaymentSum(words.explanation(one, deck, named), one.clauses, one.moves) for one in explained.why
        ],
        why_not=[
            UnpaidView(words.unpaid(one, deck, named), one.clause, one.move) for one in explained.why_not
        ],
    )


def view_payment(
    reader: Reader, state: NightState, accounts: Mapping[int, RoundAccount], place: str, words: Words
) -> PaymentView:
    """A posted payment, by its address; Problem (not found) if there is none."""
    posted = chain.from_iterable(account.payments for account in accounts.values())
    payment = next((one for one in posted if one.address == place), None)
    if payment is None:
        raise Problem(ProblemCode.NOT_FOUND)
    log = with_round_loaded(reader, state, payment.round).logs[payment.round]
    names = {player(tag): name for tag, name in reader.names(state.night).items()}
    disputes = view_agreement(accounts).disputes
    (row,) = reader.events(state.night, after=payment.seq - 1, limit=1)
    return PaymentView(
        payment=payment,
        actor=read_event(row).actor,
        reversal=_reversal(accounts[payment.round].payments, payment),
        why=None if payment.reverses else _explained(state, log, (payment.seq, payment.idx), words, names),
        disputes=[one for one in disputes if one.payment == place],
        waives=next((one for one in disputes if one.decision and one.decision.seq == payment.seq), None),
        stake=view_worths(state, accounts).of(payment.posted_by.round, payment.seq),
    )


def _explained(
    state: NightState, log: RoundLog, place: tuple[int, int], words: Words, names: Mapping[int, str]
) -> PostedSum | None:
    """Explain a posted payment; None if the rules do not make it from the round as it stood then."""
    then = log
    if place not in posted(log):
        events = tuple(event for event in log.events if event.seq <= place[0])
        then = RoundLog.fold(state.agreements, log.number, events, None)
    if then.round is None:
        return None
    paid = payments(then.round)
    places = places_posted(then, paid)
    if place not in places:
        return None
    one = paid[places.index(place)]
    now = {entry.address: number for number, entry in enumerate(log.entries, start=1)}
    struck = _struck(log)
    rows = rows_of(then)
    return PostedSum(
        words.explanation(one, then.round.ruleset.deck, names),
        one.clauses,
        [
            replace(row, move=now.get(row.address), struck_by=struck.get(row.address))
            for row in (rows[number - 1] for number in one.moves)
        ],
    )


def _struck(log: RoundLog) -> dict[str, str]:
    """Address of a move that does not stand -> the kind of event that struck it."""
    return {
        entry.address: by.event.kind
        for chain in log.chains
        for entry, by in pairwise(chain.versions)
        if entry != chain.standing
    }


def _reversal(payments: Iterable[LedgerPayment], reversed: LedgerPayment) -> Reversal | None:
    """The reversal of a payment among those of its round, with what the same event posted instead."""
    reversing = next((one for one in payments if one.reverses == reversed.address), None)
    if reversing is None:
        return None
    instead = [one for one in payments if one.seq == reversing.seq and not one.reverses]
    return Reversal(reversing.posted_by, reversing.address, instead)


ROWS_AROUND = 3
"""How many lines of a round are shown before and after a disputed one."""


@dataclass(frozen=True, slots=True)
class DisputePage:
    """A dispute with all that the keeper needs to decide it."""

    dispute: DisputeView
    number: int
    """Its number among the disputes of the night, from 1."""
    about: PaymentView | None
    """The disputed payment; None if a move is disputed."""
    target: str | None
    """The address of the disputed move, or of the move now standing that caused the payment."""
    round: RoundPage | None
    """Its round; None for an adjustment, and if the round's beginning does not stand."""
    around: list[EntryRow]
    """The lines of the round near the target, and those of all moves that led to the payment."""
    corrected: bool
    """Whether the round was corrected or voided since."""


def view_dispute_page(
    reader: Reader, state: NightState, accounts: Mapping[int, RoundAccount], seq: int, words: Words
) -> DisputePage:
    """A dispute by its seq; Problem (not found) if there is none."""
    disputes = view_agreement(accounts).disputes
    one = next((one for one in disputes if one.seq == seq), None)
    if one is None:
        raise Problem(ProblemCode.NOT_FOUND)
    log = with_round_loaded(reader, state, one.round).logs[one.round]
    about = view_payment(reader, state, accounts, one.payment, words) if one.payment else None
    names = reader.names(state.night)
    stake = state.worth_in(log)
    round = view_round_page(log, names, words.finding, stake) if log.round is not None else None
    target = _standing_for(log, about.payment.cause) if about else one.move
    charged = {row.address for row in about.why.moves} if about and about.why else set[str]()
    return DisputePage(
        dispute=one,
        number=disputes.index(one) + 1,
        about=about,
        target=target,
        round=round,
        around=_around(round.lines, target, charged) if round else [],
        corrected=log.corrected_since(seq),
    )


def _standing_for(log: RoundLog, cause: str | None) -> str | None:
    """The address of the standing version of the move that caused a payment; the cause's own if none stands."""
    chain = log.chain_at(cause) if cause else None
    return chain.standing.address if chain and chain.standing else cause


def _around(lines: list[EntryRow], target: str | None, charged: set[str]) -> list[EntryRow]:
    """The lines of a round near an entry, and those of the charged moves."""
    at = next((at for at, line in enumerate(lines) if line.address == target), None)
    if at is None:
        return []
    near = range(at - ROWS_AROUND, at + ROWS_AROUND + 1)
    return [line for place, line in enumerate(lines) if place in near or line.address in charged]

"""Why something earned nothing, as plain values: cards as sets, moves by their numbers in the round, from 1."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from ledger.game.cards import Cards
from ledger.game.errors import Clause
from ledger.game.payments import Payment
from ledger.game.round import Round


class About(StrEnum):
    """What earned nothing."""

    BOMB = "bomb"
    """A bomb that was played."""
    PLAYED = "played"
    """A special set, or 2s, on a pile that were beaten."""
    HELD = "held"
    """A special set, or 2s, left in a hand."""
    PLACE = "place"
    """A player whose place neither pays nor is paid."""
    CLAIM = "claim"
    """An instant win that was claimed."""
    ROUND = "round"
    """Everything else that could have been paid."""


class WhyNot(StrEnum):
    """Why something earned nothing."""

    # A bomb, and what it beat
    LED = "led"
    """The bomb was led: it beat nothing."""
    NOT_LAST = "not-last"
    """Another play beat the bomb, and only the last bomb of a pile is paid."""
    BEATEN_WENT_OUT = "beaten-went-out"
    """The player who would pay went out with the beaten play."""
    OWN_PLAY = "own-play"
    """The bomb lay on its own player's play: payer and payee are the same."""
    WORTHLESS = "worthless"
    """The cards are worth nothing."""
    NOT_BOMBABLE = "not-bombable"
    """No bomb beats such cards."""
    # 2s and other special sets on a pile
    NO_BOMB = "no-bomb"
    """They were beaten, but not by a bomb."""
    PILE_OPEN = "pile-open"
    """No bomb has come, but one still may."""
    ONLY_FIRST = "only-first"
    ONLY_FIRST_DOUBLES = "only-first-doubles"
    """Only what the first bomb beat is doubled; the value of the bombs themselves does not count."""
    # Cards left in a hand
    OVERLAP = "overlap"
    """They share cards with a set that makes the hand worth more."""
    LESS_THAN_CARDS = "less-than-cards"
    """They are worth less than their cards, which are counted."""
    PAID_TO_WINNER = "paid-to-winner"
    """A knocked-out player's hand is paid to the winner, not to the player whom others pay."""
    COVERED = "covered"
    """The payee pays what the player owes, who would have paid this to the payee."""
    HAND_MISSING = "hand-missing"
    """The hand has not been seen yet."""
    # Places
    VACANT = "vacant"
    """No player has the place that would pay."""
    FULL_INSTEAD = "full-instead"
    """The player who would pay pays the winner for a full hand instead."""
    NO_PAYMENT_FOR_PLACE = "no-payment-for-place"
    """This place neither pays nor is paid."""
    # Everything
    NOT_PAID_HERE = "not-paid-here"
    """The table's rules do not pay for such things."""
    INSTANT_WIN = "instant-win"
    """After an instant win nothing else is paid."""
    LAST_TWOS = "last-twos"
    """The winner went out with 2s and pays for them; nothing else is paid."""
    # Instant wins
    STRONGER_CLAIM = "stronger-claim"
    """Of several claims only the strongest is paid."""
    EARLIER_CLAIM = "earlier-claim"
    """Of several claims only the first in turn order is paid."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unpaid:
    """Something that earned nothing, or less than it seems, and why."""

    reason: WhyNot
    about: About
    clause: str
    player: int | None = None
    """Whose bomb, play, hand or place it is; for PAID_TO_WINNER, the player who is not paid."""
    other: int | None = None
    """The other player whom the reason names."""
    cards: Cards = 0
    move: int = 0
    """The number of the play that the cards were in; 0: not on a pile."""
    by: Cards = 0
    """The cards that beat these, or that count instead of them."""
    place: int = 0
    """The place, from 1, that the reason names."""


@dataclass(frozen=True, slots=True)
class Explained:
    """A round explained: its payments, each with its sum, and everything that earned none."""

    why: tuple[Payment, ...]
    why_not: tuple[Unpaid, ...]


_CLAUSES: Mapping[WhyNot, Clause] = {
    WhyNot.LED: Clause.CHOP,
    WhyNot.NOT_LAST: Clause.CHOP,
    WhyNot.BEATEN_WENT_OUT: Clause.CHOP_OUT,
    WhyNot.OWN_PLAY: Clause.CHOP,
    WhyNot.WORTHLESS: Clause.SPECIAL,
    WhyNot.NOT_BOMBABLE: Clause.BOMB,
    WhyNot.NO_BOMB: Clause.CHOP,
    WhyNot.PILE_OPEN: Clause.PILE,
    WhyNot.ONLY_FIRST: Clause.CHOP,
    WhyNot.ONLY_FIRST_DOUBLES: Clause.CHOP,
    WhyNot.OVERLAP: Clause.SPECIAL,
    WhyNot.LESS_THAN_CARDS: Clause.CARDS,
    WhyNot.PAID_TO_WINNER: Clause.HOARD,
    WhyNot.COVERED: Clause.COVER,
    WhyNot.HAND_MISSING: Clause.SHOW,
    WhyNot.VACANT: Clause.PLACE,
    WhyNot.FULL_INSTEAD: Clause.FULL,
    WhyNot.NO_PAYMENT_FOR_PLACE: Clause.PLACE,
    WhyNot.INSTANT_WIN: Clause.INSTANT,
    WhyNot.LAST_TWOS: Clause.END,
    WhyNot.STRONGER_CLAIM: Clause.INSTANT,
    WhyNot.EARLIER_CLAIM: Clause.INSTANT,
}
_NOT_PAID_HERE: Mapping[About, Clause] = {
    About.BOMB: Clause.CHOP,
    About.PLAYED: Clause.CHOP,
    About.HELD: Clause.HOARD,
    About.PLACE: Clause.PLACE,
}


def unpaid(round: Round, reason: WhyNot, about: About, **facts: Any) -> Unpaid:
    """An `Unpaid` of a round, with the clause of its reason; `facts` are its further attributes."""
    clause = _NOT_PAID_HERE[about] if reason is WhyNot.NOT_PAID_HERE else _CLAUSES[reason]
    return Unpaid(reason=reason, about=about, clause=round.ruleset.clause(clause), **facts)

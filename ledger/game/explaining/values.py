"""Why something earned nothing, as plain values: cards as sets, moves by their numbers in the round, from 1."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Self

from ledger.game.cards import Cards, shown
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
    """Why something earned nothing, and the clause that says so; None if that depends on what it is."""

    clause: Clause | None

    def __new__(cls, text: str, clause: Clause | None) -> Self:
        why = str.__new__(cls, text)
        why._value_, why.clause = text, clause
        return why

    # A bomb, and what it beat
    LED = "led", Clause.CHOP
    """The bomb was led: it beat nothing."""
    NOT_LAST = "not-last", Clause.CHOP
    """Another play beat the bomb, and only the last bomb of a pile is paid."""
    BEATEN_WENT_OUT = "beaten-went-out", Clause.CHOP_OUT
    """The player who would pay went out with the beaten play."""
    OWN_PLAY = "own-play", Clause.CHOP
    """The bomb lay on its own player's play: payer and payee are the same."""
    WORTHLESS = "worthless", Clause.SPECIAL
    """The cards are worth nothing."""
    NOT_BOMBABLE = "not-bombable", Clause.BOMB
    """No bomb beats such cards."""
    # 2s and other special sets on a pile
    NO_BOMB = "no-bomb", Clause.CHOP
    """They were beaten, but not by a bomb."""
    PILE_OPEN = "pile-open", Clause.PILE
    """No bomb has come, but one still may."""
    ONLY_FIRST = "only-first", Clause.CHOP
    ONLY_FIRST_DOUBLES = "only-first-doubles", Clause.CHOP
    """Only what the first bomb beat is doubled; the value of the bombs themselves does not count."""
    # Cards left in a hand
    OVERLAP = "overlap", Clause.SPECIAL
    """They share cards with a set that makes the hand worth more."""
    LESS_THAN_CARDS = "less-than-cards", Clause.CARDS
    """They are worth less than their cards, which are counted."""
    PAID_TO_WINNER = "paid-to-winner", Clause.HOARD
    """A knocked-out player's hand is paid to the winner, not to the player whom others pay."""
    COVERED = "covered", Clause.COVER
    """The payee pays what the player owes, who would have paid this to the payee."""
    HAND_MISSING = "hand-missing", Clause.SHOW
    """The hand has not been seen yet."""
    # Places
    VACANT = "vacant", Clause.PLACE
    """No player has the place that would pay."""
    FULL_INSTEAD = "full-instead", Clause.FULL
    """The player who would pay pays the winner for a full hand instead."""
    NO_PAYMENT_FOR_PLACE = "no-payment-for-place", Clause.PLACE
    """This place neither pays nor is paid."""
    # Everything
    NOT_PAID_HERE = "not-paid-here", None
    """The table's rules do not pay for such things."""
    INSTANT_WIN = "instant-win", Clause.INSTANT
    """After an instant win nothing else is paid."""
    LAST_TWOS = "last-twos", Clause.END
    """The winner went out with 2s and pays for them; nothing else is paid."""
    # Instant wins
    STRONGER_CLAIM = "stronger-claim", Clause.INSTANT
    """Of several claims only the strongest is paid."""
    EARLIER_CLAIM = "earlier-claim", Clause.INSTANT
    """Of several claims only the first in turn order is paid."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unpaid:
    """Something that earned nothing, or less than it seems, and why."""

    __repr__ = shown
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


_NOT_PAID_HERE: Mapping[About, Clause] = {
    About.BOMB: Clause.CHOP,
    About.PLAYED: Clause.CHOP,
    About.HELD: Clause.HOARD,
    About.PLACE: Clause.PLACE,
}


def unpaid(round: Round, reason: WhyNot, about: About, **facts: Any) -> Unpaid:
    """An `Unpaid` of a round, with the clause of its reason; `facts` are its further attributes."""
    clause = round.ruleset.clause(reason.clause or _NOT_PAID_HERE[about])
    return Unpaid(reason=reason, about=about, clause=clause, **facts)

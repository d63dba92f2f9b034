"""A round -> payments, each with its cause and its clause; and what else there is to say of a round.

Every payment goes from one player to another, so that a round sums to zero whatever happens in it. A payment
of nothing, or to oneself, is none.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from ledger.game.cards import Cards
from ledger.game.errors import Clause, Finding, Notice
from ledger.game.hands import Hand, Source, hand_of, holders, missing_hands
from ledger.game.moves import Claim, Declare, Play, Show
from ledger.game.rounds import ends_with_bomb
from ledger.game.state import Laid, Round


class Reason(StrEnum):
    """What a payment is for, in the order in which payments are listed."""

    BOMB_BONUS = "bomb-bonus"
    INSTANT_WIN = "instant-win"
    PLACEMENT = "placement"
    HOARDING_PENALTY = "hoarding-penalty"


class Status(StrEnum):
    """How far a round has come."""

    IN_PROGRESS = "in-progress"
    UNSETTLED = "unsettled"
    """Ended, but hands are missing."""
    SETTLED = "settled"
    INSTANT_WIN = "instant-win"


@dataclass(frozen=True, slots=True)
class Payment:
    """`points`, a positive whole number, from one player to another; `move` caused it, `clause` says so."""

    payer: int
    payee: int
    points: int
    reason: Reason
    clause: str
    move: int


def status(round: Round) -> Status:
    """How far the round has come."""
    if round.claims:
        return Status.INSTANT_WIN
    if not round.over:
        return Status.IN_PROGRESS
    return Status.UNSETTLED if missing_hands(round) else Status.SETTLED


def payments(round: Round) -> list[Payment]:
    """What has to be paid as far as the round has come: bomb bonuses by move, then placement, then hoarding,
    within these by payer's seat.

    The bonus of a pile that is still open is provisional, and so is everything of a round that is unsettled.
    """
    if round.claims:
        found = _instant_wins(round)
    else:
        found = [*_bomb_bonuses(round), *(_at_the_end(round) if round.over else ())]
    return [payment for payment in found if payment.points and payment.payer != payment.payee]


def hands(round: Round) -> dict[int, Hand]:
    """The hands that are known of players left with cards at the end of a round."""
    if not round.over or round.claims:
        return {}
    known = {player: hand_of(round, player) for player in holders(round)}
    return {player: hand for player, hand in known.items() if hand is not None}


def net(payments: Sequence[Payment]) -> dict[int, int]:
    """Player -> received less paid, for everyone who appears in a payment."""
    totals: dict[int, int] = {}
    for payment in payments:
        totals[payment.payer] = totals.get(payment.payer, 0) - payment.points
        totals[payment.payee] = totals.get(payment.payee, 0) + payment.points
    return totals


def findings(round: Round) -> list[Finding]:
    """What the rules noticed, by move: irregular moves that stood, a wrong opening, a win nobody claimed."""
    found = [*round.findings, *_opened_too_high(round), *_unclaimed(round)]
    return sorted(found, key=lambda finding: finding.move)


def _instant_wins(round: Round) -> list[Payment]:
    points, clause = round.ruleset.instant_wins.points, round.ruleset.clause(Clause.INSTANT)
    return [
        Payment(payer, claimant, points, Reason.INSTANT_WIN, clause, move)
        for claimant, move in round.claims
        for payer in round.header.seats
    ]


def _bomb_bonuses(round: Round) -> Iterator[Payment]:
    """Clauses CHOP, CHOP-OUT: the last bomb of a pile takes everything below it, from the player it beat."""
    piles: list[Sequence[Laid]] = [*round.chops]
    if not round.over and ends_with_bomb(round.pile):
        piles.append(round.pile)
    value = round.ruleset.values.of
    for pile in piles:
        beaten, bomb = pile[-2], pile[-1]
        if not beaten.last:
            captured = sum(value(laid.cards) for laid in pile[:-1])
            clause = round.ruleset.clause(Clause.CHOP)
            yield Payment(beaten.player, bomb.player, captured, Reason.BOMB_BONUS, clause, bomb.move)


def _at_the_end(round: Round) -> Iterator[Payment]:
    yield from _placement(round)
    yield from _hoarding(round)


def _placement(round: Round) -> Iterator[Payment]:
    """Clauses PLACE, FULL, by payer's seat."""
    ruleset, winner, move = round.ruleset, round.places[0], round.ended_by
    table = [row for row in ruleset.payments.places if row.players == len(round.header.seats)]
    for payer in round.header.seats:
        if round.knocked >> payer & 1 or not round.played[payer]:
            points, clause = ruleset.payments.full_hand, ruleset.clause(Clause.FULL)
            yield Payment(payer, winner, points, Reason.PLACEMENT, clause, move)
        elif payer not in round.places:
            points, clause = ruleset.payments.left, ruleset.clause(Clause.PLACE)
            yield Payment(payer, winner, points, Reason.PLACEMENT, clause, move)
        else:
            place = round.places.index(payer) + 1
            for row in table:
                if row.payer == place and row.payee <= len(round.places):
                    payee = round.places[row.payee - 1]
                    clause = ruleset.clause(Clause.PLACE)
                    yield Payment(payer, payee, row.points, Reason.PLACEMENT, clause, move)


def _hoarding(round: Round) -> Iterator[Payment]:
    """Clause HOARD: the knocked out pay the winner, others left pay whoever went out most recently."""
    clause = round.ruleset.clause(Clause.HOARD)
    last_out = next(player for player in reversed(round.places) if not round.left[player])
    for payer in holders(round):
        hand = hand_of(round, payer)
        if hand is not None:
            payee = round.places[0] if round.knocked >> payer & 1 else last_out
            points = round.ruleset.values.of(hand.cards)
            yield Payment(payer, payee, points, Reason.HOARDING_PENALTY, clause, round.ended_by)


def _opened_too_high(round: Round) -> Iterator[Finding]:
    """Clause OPEN: a card lower than the opening's lowest proves that the wrong player opened."""
    opened = round.opened_by
    if opened is None or not round.opening or round.deals_all:
        return
    write = round.ruleset.deck.write
    lowest = opened.cards & -opened.cards
    for number, move in enumerate(round.moves, start=1):
        if isinstance(move, Play | Claim | Show) and number > opened.move and move.cards & (lowest - 1):
            lower = move.cards & -move.cards
            yield Finding(
                Notice.OPENING_NOT_LOWEST,
                round.ruleset.clause(Clause.OPEN),
                number,
                move.player,
                (*write(lower), *write(lowest)),
            )
            return


def _unclaimed(round: Round) -> Iterator[Finding]:
    """Clause MISSED: a whole hand that is known now, and would have won at once."""
    if round.claims:
        return
    for player in round.header.seats:
        hand = hand_of(round, player) if round.over and round.left[player] else None
        known = hand is not None and hand.source is not Source.DECLARED
        dealt = round.played[player] | (hand.cards if hand and known else 0)
        if dealt.bit_count() == round.ruleset.deal.hand and round.ruleset.instant_win(
            dealt, opening=round.opening
        ):
            yield Finding(
                Notice.UNCLAIMED_INSTANT_WIN,
                round.ruleset.clause(Clause.MISSED),
                _known_since(round, player, dealt),
                player,
                round.ruleset.deck.write(dealt),
            )


def _known_since(round: Round, player: int, dealt: Cards) -> int:
    """The move that completed what is known of a player's hand: the last that showed a card of it, or took
    the last card that was not of it."""
    known: Cards = 0
    for number, move in enumerate(round.moves, start=1):
        if move.player == player and isinstance(move, Play | Show | Declare):
            known |= move.cards
            if not dealt & ~known:
                return number
    shown = [number for number, move in enumerate(round.moves, start=1) if isinstance(move, Show)]
    return max([*shown, round.ended_by])

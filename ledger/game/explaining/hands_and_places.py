"""Why hands and places earned nothing."""

from collections.abc import Iterator, Sequence

from ledger.game.cards import Cards, union
from ledger.game.explaining.piles import pieces
from ledger.game.explaining.values import About, Unpaid, WhyNot, unpaid
from ledger.game.hands import hand_of, holders, missing_hands, waits_for_count
from ledger.game.payments import Payment, Reason
from ledger.game.round import Round
from ledger.game.rulesets.paying import PlacePayment
from ledger.game.scoring import hoard_payee, place_rows

_OF_HANDS = (Reason.CARD_COUNT, Reason.HOARDING_PENALTY)
"""Payments for what is left in a hand."""


def hands(round: Round, paid: Sequence[Payment]) -> Iterator[Unpaid]:
    """Special sets and 2s that were left in a hand and not paid for, and hands that have not been seen."""
    missing = missing_hands(round)
    for player in holders(round):
        hand = hand_of(round, player)
        if player in missing:
            yield unpaid(round, WhyNot.HAND_MISSING, About.HELD, player=player)
        elif hand is not None:
            of_hand = [one for one in paid if one.owed_by == player and one.reason in _OF_HANDS]
            yield from _left(round, player, hand.cards, of_hand)
    yield from _to_winner_instead(round, paid)


def hands_for_nothing(round: Round) -> Iterator[Unpaid]:
    """Special sets and 2s that were left in a hand where only the winner's last 2s are paid for."""
    winner = round.winner
    for player in holders(round):
        hand = hand_of(round, player)
        for cards in pieces(round, hand.cards if hand else 0, captured=False):
            yield unpaid(round, WhyNot.LAST_TWOS, About.HELD, player=player, other=winner, cards=cards)


def places(round: Round, paid: Sequence[Payment]) -> Iterator[Unpaid]:
    """Players whose place neither pays nor is paid."""
    rules, seats = round.ruleset.payments, round.header.seats
    table = [row for row in place_rows(round) if row.points]
    if not (table or rules.left or rules.full_hand):
        yield unpaid(round, WhyNot.NOT_PAID_HERE, About.PLACE)
        return
    placed = [payment for payment in paid if payment.reason is Reason.PLACEMENT]
    settled = {player for payment in placed for player in (payment.owed_by, payment.payee)}
    for player in seats:
        if player not in settled:
            yield from _left_out(round, player, table)


def _left_out(round: Round, player: int, table: Sequence[PlacePayment]) -> Iterator[Unpaid]:
    """Why a player has no part in the payments for places: what became of each row that would pay."""
    place = round.places.index(player) + 1 if player in round.places else 0
    rows = [row for row in table if place and row.payee == place]
    for row in rows:
        payer = round.places[row.payer - 1] if row.payer <= len(round.places) else None
        if payer is None:
            why = WhyNot.VACANT
        else:
            unknown = round.ruleset.payments.full_from and waits_for_count(round, payer)
            why = WhyNot.HAND_MISSING if unknown else WhyNot.FULL_INSTEAD
        yield unpaid(round, why, About.PLACE, player=player, other=payer, place=row.payer)
    if not rows:
        yield unpaid(round, WhyNot.NO_PAYMENT_FOR_PLACE, About.PLACE, player=player, place=place)


def _left(round: Round, player: int, cards: Cards, paid: Sequence[Payment]) -> Iterator[Unpaid]:
    """The special sets and 2s of a known hand that were not paid for."""
    rules, values = round.ruleset.payments, round.compiled.hand_values
    counted = [step.cards for payment in paid for step in payment.steps if step.points]
    asked = [
        *pieces(round, cards, captured=False),
        *(block for block, _ in values.blocks_in(cards) if rules.for_hands),
    ]
    for some in dict.fromkeys(asked):
        if any(not some & ~cards for cards in counted):
            continue
        instead = union(cards for cards in counted if cards & some)
        if instead:
            why = WhyNot.OVERLAP
        elif rules.for_hands:
            why = WhyNot.LESS_THAN_CARDS if values.total(some) else WhyNot.WORTHLESS
        else:
            why = WhyNot.NOT_PAID_HERE
        yield unpaid(round, why, About.HELD, player=player, cards=some, by=instead)


def _to_winner_instead(round: Round, paid: Sequence[Payment]) -> Iterator[Unpaid]:
    """Hands of knocked-out players that are paid to the winner, not to whom others pay."""
    for payment in paid:
        if payment.reason is Reason.HOARDING_PENALTY:
            chosen = hoard_payee(round, payment.owed_by)
            if payment.payee != chosen:
                yield unpaid(round, WhyNot.PAID_TO_WINNER, About.HELD, player=chosen, other=payment.owed_by)

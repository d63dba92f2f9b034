"""Explains a round: every payment with its sum, and why there are no others.

Nothing is decided here: payments carry their steps, and all other reasons are the moves, the cards, the clauses and
the numbers of the ruleset.
"""

from collections.abc import Iterator, Sequence

from ledger.game.explaining.hands_and_places import hands, hands_for_nothing, places
from ledger.game.explaining.piles import pile_by_pile
from ledger.game.explaining.values import About, Explained, Unpaid, WhyNot, unpaid
from ledger.game.hands import last_twos
from ledger.game.payments import Payment, Reason
from ledger.game.round import Round
from ledger.game.rulesets.model import Several
from ledger.game.scoring import at_the_end, payments


def explain(round: Round) -> Explained:
    """Every payment of a round, in the order of `payments`; and everything that earned nothing.

    A round that does not count has neither.
    """
    paid = payments(round)
    return Explained(tuple(paid), tuple(_why_not(round, paid)))


def _why_not(round: Round, paid: Sequence[Payment]) -> Iterator[Unpaid]:
    """What earned nothing in a round with these payments: by move, then hands and places by seat.

    Empty for a round that does not count: the reason for that explains everything.
    """
    if round.void is not None:
        return
    yield from pile_by_pile(round)
    if round.claims:
        yield from _claims(round)
        yield unpaid(round, WhyNot.INSTANT_WIN, About.ROUND)
    elif round.over and last_twos(round):
        yield unpaid(round, WhyNot.LAST_TWOS, About.ROUND, player=round.places[0])
        yield from hands_for_nothing(round)
    elif round.over:
        covered = [one for one in at_the_end(round) if one.covering and one.points and one.payer == one.payee]
        yield from hands(round, [*paid, *covered])
        yield from places(round, [*paid, *covered])
        for one in covered:
            about = About.PLACE if one.reason is Reason.PLACEMENT else About.HELD
            yield unpaid(
                round,
                WhyNot.COVERED,
                about,
                player=one.owed_by,
                other=one.payer,
                cards=one.cards,
                move=one.move,
            )


def _claims(round: Round) -> Iterator[Unpaid]:
    """The claimed instant wins that are not paid because another one is."""
    winning = round.winning_claims
    strongest = round.ruleset.instant_wins.several is Several.STRONGEST
    for player, move in round.claims:
        if (player, move) not in winning:
            yield unpaid(
                round,
                WhyNot.STRONGER_CLAIM if strongest else WhyNot.EARLIER_CLAIM,
                About.CLAIM,
                player=player,
                other=winning[0][0],
                cards=round.shown[player],
                move=move,
            )

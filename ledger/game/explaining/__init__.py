"""The record as evidence: every payment of a round with its sum, and why there are no others.

Nothing here decides anything: a payment brings its steps with it, and what is said of the rest are the moves, the
cards, the clauses and the numbers of the ruleset that it rests on.
"""

from collections.abc import Iterator, Sequence

from ledger.game.explaining.hands_and_places import hands, hands_for_nothing, places
from ledger.game.explaining.piles import pile_by_pile
from ledger.game.explaining.values import About, Explained, Unpaid, WhyNot, unpaid
from ledger.game.hands import last_twos
from ledger.game.payments import Payment
from ledger.game.round import Round
from ledger.game.rulesets.model import Several
from ledger.game.scoring import payments


def explain(round: Round) -> Explained:
    """Every payment of a round, in the order of `payments`; and everything that brought none.

    A round that does not count has neither.
    """
    paid = payments(round)
    return Explained(tuple(paid), tuple(_why_not(round, paid)))


def _why_not(round: Round, paid: Sequence[Payment]) -> Iterator[Unpaid]:
    """What brought nothing in a round of these payments: by move, then hands and places by seat.

    Of a round that does not count there is nothing to ask: its reason says it all.
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
        yield from hands(round, paid)
        yield from places(round, paid)


def _claims(round: Round) -> Iterator[Unpaid]:
    """The instant wins that another one takes everything from."""
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

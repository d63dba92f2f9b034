"""The record as evidence: every payment of a round with its sum, and why there are no others.

Nothing here decides anything: a payment brings its steps with it, and what is said of the rest are the moves, the
cards, the clauses and the numbers of the ruleset that it rests on.
"""

from ledger.game.explaining.data import explained_data
from ledger.game.explaining.values import About, Explained, Unpaid, WhyNot
from ledger.game.explaining.why_not import why_not
from ledger.game.scoring import payments
from ledger.game.state import Round

__all__ = ["About", "Explained", "Unpaid", "WhyNot", "explain", "explained_data"]


def explain(round: Round) -> Explained:
    """Every payment of a round, in the order of `payments`; and everything that brought none.

    A round that does not count has neither.
    """
    paid = payments(round)
    return Explained(tuple(paid), tuple(why_not(round, paid)))

"""The record as evidence: why each payment of a round is made, step by step, and why others are not.

Nothing here decides anything: what is paid, and by whom, is read from `scoring`; what is said of it are the moves,
the cards, the clauses and the numbers of the ruleset that it rests on.
"""

from ledger.game.explaining.data import explained_data
from ledger.game.explaining.values import About, Explained, Explanation, Step, StepKind, Unpaid, WhyNot
from ledger.game.explaining.why import why
from ledger.game.explaining.why_not import why_not
from ledger.game.scoring import payments
from ledger.game.state import Round

__all__ = [
    "About",
    "Explained",
    "Explanation",
    "Step",
    "StepKind",
    "Unpaid",
    "WhyNot",
    "explain",
    "explained_data",
]


def explain(round: Round) -> Explained:
    """Every payment of a round with its reasons, in the order of `payments`; and everything that brought none.

    A round that does not count has neither.
    """
    paid = payments(round)
    return Explained(tuple(why(round, paid)), tuple(why_not(round, paid)))

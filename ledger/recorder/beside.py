"""What is due beside the play. Told and shown, never enforced."""

from ledger.game.customs import Deals, Note, dealer, debts, kneeling
from ledger.game.nights import Night, last_counting


def due(night: Night) -> tuple[Note, ...]:
    """Who deals, who kneels and who owes cards before the next round, by the rules."""
    last = last_counting(night.rounds)
    if last is None or not last.over:
        return ()
    deals = dealer(night.ruleset, last.header.seats, last)
    return (*([] if deals is None else [Deals(deals)]), *kneeling(night.rounds), *debts(last))

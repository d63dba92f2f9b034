"""Cards as a person lays them on the table, in heaps."""

from collections.abc import Iterable
from itertools import groupby

from ledger.game.cards import Card, Rank


def heaps(texts: Iterable[str]) -> list[list[str]]:
    """Special sets as they are laid down: every 2 by itself, four of a rank together, and the rest by unbroken
    runs of ranks. Whether a heap is worth anything is for the rules to say.
    """
    cards = sorted(map(Card.read, texts))
    found = [[card] for card in cards if card.rank is Rank.TWO]
    ranks = {
        rank: list(some) for rank, some in groupby(cards, key=lambda card: card.rank) if rank is not Rank.TWO
    }
    found += [some for some in ranks.values() if len(some) == 4]
    runs: list[list[Card]] = []
    for rank, some in ranks.items():
        if len(some) == 4:
            continue
        if runs and runs[-1][-1].rank == rank - 1:
            runs[-1].extend(some)
        else:
            runs.append(some)
    return [list(map(str, heap)) for heap in found + runs]
